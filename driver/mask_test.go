package driver_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
)

func TestMaskHidesThePasswordOfAnyURL(t *testing.T) {
	for raw, want := range map[string]string{
		"postgres://reader:sesame@db:5432/shop":              "postgres://reader:***@db:5432/shop",
		"postgres://reader@db/shop":                          "postgres://reader@db/shop",
		"postgres://db:5432/shop":                            "postgres://db:5432/shop",
		"postgres://reader:ses/ame?x@db/shop":                "postgres://reader:***@db/shop",
		"postgres://reader:12/sesame@db/shop":                "postgres://reader:***@db/shop",
		"postgres://reader:ses@me@db/shop":                   "postgres://reader:***@db/shop",
		"postgres://reader:%zzsesame@db/shop":                "postgres://reader:***@db/shop",
		"postgres://reader:ses ame@db:port/shop":             "postgres://reader:***@db:port/shop",
		"postgres://db/shop?user=reader&password=sesame&x=1": "postgres://db/shop?user=reader&password=***&x=1",
		"postgres://db/shop?sslPassword=sesame":              "postgres://db/shop?sslPassword=***",
		"host=db user=reader password=sesame dbname=shop":    "host=db user=reader password=*** dbname=shop",
		`host=db password='ses ame' dbname=shop`:             `host=db password=*** dbname=shop`,
		"reader:sesame@tcp(db:3306)/shop":                    "reader:***@tcp(db:3306)/shop",
		"mysql://reader:sesame@tcp(db:3306)/shop":            "mysql://reader:***@tcp(db:3306)/shop",
		"mysql:reader:sesame@db/shop":                        "mysql:reader:***@db/shop",
		"sqlite:shop.db":                                     "sqlite:shop.db",
		"/srv/shop.db":                                       "/srv/shop.db",
	} {
		if got := driver.Mask(raw); got != want {
			t.Errorf("Mask(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestScrubHidesThePasswordInAnErrorOfAParser(t *testing.T) {
	for _, raw := range []string{"postgres://reader:sesame@db:port/shop", "postgres://reader:%zzsesame@db/shop"} {
		_, err := url.Parse(raw)
		if err == nil {
			t.Fatalf("%q parses", raw)
		}
		if got := driver.Scrub(err.Error(), raw); strings.Contains(got, "sesame") {
			t.Errorf("leaks: %s", got)
		}
	}
}

func FuzzMaskNeverShowsThePassword(f *testing.F) {
	f.Add("se/s@a:me?")
	f.Fuzz(func(t *testing.T, password string) {
		secret := "Zq" + password + "qZ"
		if strings.ContainsAny(secret, "*") {
			t.Skip()
		}
		if got := driver.Mask("postgres://reader:" + secret + "@db/shop"); strings.Contains(got, secret) || strings.Contains(got, "Zq") {
			t.Errorf("%q leaks as %q", secret, got)
		}
	})
}
