package wire_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/llm/internal/wire"
)

func TestQuotaIsReadFromWords(t *testing.T) {
	for body, want := range map[string]bool{
		"Rate limit reached for model `openai/gpt-oss-120b` in organization `org` service tier `on_demand` on tokens per day (TPD): Limit 200000, Used 199500, Requested 1200. Please try again in 5m2.4s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing": true,
		"Rate limit reached for model `openai/gpt-oss-120b` in organization `org` service tier `on_demand` on tokens per minute (TPM): Limit 8000, Used 7000, Requested 1200. Please try again in 1.5s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing":    false,
		"Rate limit reached for gpt-5 on requests per day (RPD): Limit 200":                                    true,
		"Rate limit reached for gpt-5 on requests per min (RPM): Limit 3, please check your credit balance":    false,
		"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day":  true,
		"Rate limit exceeded: free-models-per-min.":                                                            false,
		"You exceeded your current quota, please check your plan and billing details.":                         true,
		"Your credit balance is too low to access the API.":                                                    true,
		"You have reached your specified API usage limits. You will regain access on 2027-01-01 at 00:00 UTC.": true,
		"This request would exceed your organization's rate limit of 50,000 input tokens per minute":           false,
		"Number of request tokens has exceeded your per-minute rate limit":                                     false,
		"Overloaded": false,
	} {
		if got := wire.Quota(body, 0); got != want {
			t.Errorf("%v for %s", got, body)
		}
	}
	if !wire.Quota("", time.Hour) || wire.Quota("", 59*time.Minute) {
		t.Error("a wait of an hour is a used-up allowance, a shorter one is not")
	}
}

func TestRetryAfterInItsForms(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"retry-after", "7", 7 * time.Second}, {"retry-after", "0.5", 500 * time.Millisecond}, {"retry-after-ms", "1500", 1500 * time.Millisecond},
		{"retry-after", "Mon, 30 Nov 2026 12:01:00 GMT", time.Minute}, {"retry-after", "Mon, 30 Nov 2026 11:00:00 GMT", 0},
		{"retry-after", "soon", 0}, {"retry-after", "-3", 0}, {"other", "7", 0},
	} {
		h := http.Header{}
		h.Set(c.name, c.value)
		if got := wire.RetryAfter(h, now); got != c.want {
			t.Errorf("%s: %s is %v", c.name, c.value, got)
		}
	}
}

func TestMaskLeavesNoKey(t *testing.T) {
	for _, message := range []string{"key my-own-secret is wrong", "Incorrect API key provided: sk-proj-abcd************wxyz.", "bad gsk_1234567890abcdef", "sk-ant-api03-aaaaaaaaaaaa"} {
		got := wire.Mask(message, "my-own-secret")
		for _, part := range []string{"secret", "abcd", "wxyz", "1234567890", "aaaa"} {
			if strings.Contains(got, part) {
				t.Errorf("%q is still in %q", part, got)
			}
		}
	}
	if got := wire.Mask("the task is to risk-adjust keyboards", ""); got != "the task is to risk-adjust keyboards" {
		t.Errorf("ordinary words were masked: %q", got)
	}
}

func TestTooLongIsReadFromWords(t *testing.T) {
	for body, want := range map[string]bool{
		"prompt is too long: 1204301 tokens > 1000000 maximum": true,
		"This model's maximum context length is 8192 tokens":   true,
		"the request exceeds the available context size":       true,
		"Please reduce the length of the messages":             true,
		"effort: Input should be 'low' or 'high'":              false,
	} {
		if got := wire.TooLong(body); got != want {
			t.Errorf("%v for %s", got, body)
		}
	}
}
