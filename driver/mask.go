package driver

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/dialect"
)

const hidden = "***"

var (
	// secretParam finds password=…, sslkey=… and their like in a query part or
	// in a list of key=value words, quoted or not.
	secretParam = regexp.MustCompile(`(?i)([a-z_.-]*(?:password|passwd|passphrase|pwd|secret|token|apikey|api_key|access_key|credential)[a-z_.-]*\s*=\s*)('(?:[^'\\]|\\.)*'?|"[^"]*"?|[^&\s;]*)`)
	schemeStart = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:(//)?`)
)

// Mask is the URL with its secrets replaced by ***. It works on text that is
// no URL too, and hides too much rather than too little.
func Mask(raw string) string {
	masked, _ := mask(raw)
	return masked
}

// Scrub replaces in a message everything that url keeps secret.
func Scrub(message, raw string) string {
	masked, secrets := mask(raw)
	message = strings.ReplaceAll(message, raw, masked)
	for _, secret := range secrets {
		message = strings.ReplaceAll(message, secret, hidden)
		if plain, err := url.PathUnescape(secret); err == nil && plain != "" {
			message = strings.ReplaceAll(message, plain, hidden)
		}
	}
	return message
}

func mask(raw string) (masked string, secrets []string) {
	head := schemeStart.FindString(raw)
	if scheme, slashes, _ := strings.Cut(head, ":"); slashes == "" {
		if _, known := dialect.ByScheme(scheme); !known {
			head = "" // user:password@tcp(host)/name
		}
	}
	rest := raw[len(head):]
	// A password may hold "/", "?" or "@" unescaped, so the last "@" ends it;
	// an "@" of a query part hides too much, which is harmless.
	if at := strings.LastIndexByte(rest, '@'); at >= 0 && !plainAuthority(raw) {
		if colon := strings.IndexByte(rest[:at], ':'); colon >= 0 {
			secrets = append(secrets, rest[colon+1:at])
			rest = rest[:colon+1] + hidden + rest[at:]
		}
	} else if u, err := url.Parse(raw); err == nil && u.User != nil {
		if colon := strings.IndexByte(rest, ':'); colon >= 0 && at > colon {
			secrets = append(secrets, rest[colon+1:at])
			rest = rest[:colon+1] + hidden + rest[at:]
		}
	}
	rest = secretParam.ReplaceAllStringFunc(rest, func(found string) string {
		part := secretParam.FindStringSubmatch(found)
		if part[2] != "" && part[2] != hidden {
			secrets = append(secrets, strings.Trim(part[2], `'"`))
		}
		return part[1] + hidden
	})
	kept := secrets[:0]
	for _, secret := range secrets {
		if secret != "" {
			kept = append(kept, secret)
		}
	}
	return head + rest, kept
}

// plainAuthority reports a URL whose only "@", if any, parts the user from
// the host.
func plainAuthority(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && !strings.Contains(u.Path+u.RawQuery+u.Fragment+u.Opaque, "@") && strings.Count(raw, "@") <= 1
}
