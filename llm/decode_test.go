package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/llm"
)

type draft struct {
	Plan   string   `json:"plan"`
	SQL    string   `json:"sql"`
	Assets []string `json:"used_assets"`
	Sure   float64  `json:"sure,omitempty"`
	OK     bool     `json:"ok,omitempty"`
	Steps  []step   `json:"steps"`
}

type step struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

func TestDecodeTakesAnswersAsModelsGiveThem(t *testing.T) {
	plain := draft{Plan: "p", SQL: "SELECT 1", Assets: []string{}, Steps: []step{}}
	with := func(change func(*draft)) draft { d := plain; change(&d); return d }
	cases := map[string]struct {
		text string
		want draft
	}{
		"alone":                        {`{"plan":"p","sql":"SELECT 1","used_assets":[],"steps":[]}`, plain},
		"byte order mark":              {"\ufeff{\"plan\":\"p\",\"sql\":\"SELECT 1\"}", plain},
		"fenced":                       {"```json\n{\"plan\":\"p\",\"sql\":\"SELECT 1\"}\n```", plain},
		"fenced with prose":            {"Sure, here it is:\n```\n{\"plan\":\"p\",\"sql\":\"SELECT 1\"}\n```\nAnything else?", plain},
		"prose around":                 {`I think {"plan":"p","sql":"SELECT 1"} answers it.`, plain},
		"prose with braces before":     {`The set {a, b} is small. {"plan":"p","sql":"SELECT 1"}`, plain},
		"two drafts, the last counts":  {`{"plan":"old","sql":"SELECT 0"} no, better: {"plan":"p","sql":"SELECT 1"}`, plain},
		"wrapped in an object":         {`{"answer":{"plan":"p","sql":"SELECT 1"}}`, plain},
		"wrapped in a list":            {`[{"plan":"p","sql":"SELECT 1"}]`, plain},
		"wrapped, inner as a string":   {`{"output":"{\"plan\":\"p\",\"sql\":\"SELECT 1\"}"}`, plain},
		"JSON in a string":             {`"{\"plan\":\"p\",\"sql\":\"SELECT 1\"}"`, plain},
		"list null":                    {`{"plan":"p","sql":"SELECT 1","used_assets":null,"steps":null}`, plain},
		"list as a JSON string":        {`{"plan":"p","sql":"SELECT 1","used_assets":"[\"mrr\"]"}`, with(func(d *draft) { d.Assets = []string{"mrr"} })},
		"list as one string":           {`{"plan":"p","sql":"SELECT 1","used_assets":"mrr"}`, with(func(d *draft) { d.Assets = []string{"mrr"} })},
		"list as an empty string":      {`{"plan":"p","sql":"SELECT 1","used_assets":""}`, plain},
		"objects as a JSON string":     {`{"plan":"p","sql":"SELECT 1","steps":"[{\"name\":\"a\",\"n\":\"2\"}]"}`, with(func(d *draft) { d.Steps = []step{{"a", 2}} })},
		"one object for a list":        {`{"plan":"p","sql":"SELECT 1","steps":{"name":"a","n":2}}`, with(func(d *draft) { d.Steps = []step{{"a", 2}} })},
		"list wrapped":                 {`{"plan":"p","sql":"SELECT 1","steps":{"items":[{"name":"a","n":2}]}}`, with(func(d *draft) { d.Steps = []step{{"a", 2}} })},
		"numbers and booleans as text": {`{"plan":"p","sql":"SELECT 1","sure":"0.5","ok":"True"}`, with(func(d *draft) { d.Sure, d.OK = 0.5, true })},
		"text null":                    {`{"plan":null,"sql":"SELECT 1"}`, with(func(d *draft) { d.Plan = "" })},
		"number for text":              {`{"plan":12.50,"sql":"SELECT 1"}`, with(func(d *draft) { d.Plan = "12.50" })},
		"keys in other case":           {`{"Plan":"p","SQL":"SELECT 1"}`, plain},
		"more keys":                    {`{"plan":"p","sql":"SELECT 1","mood":"good"}`, plain},
		"line breaks in strings":       {"{\"plan\":\"a\n\tb\",\"sql\":\"SELECT 1\"}", with(func(d *draft) { d.Plan = "a\n\tb" })},
		"comma before the end":         {`{"plan":"p","sql":"SELECT 1",}`, plain},
		"braces in strings":            {`see: {"plan":"{","sql":"SELECT 1"} done`, with(func(d *draft) { d.Plan = "{" })},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got draft
			if err := llm.Decode(llm.Response{Text: c.text}, &got); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestDecodeReadsASingleToolCall(t *testing.T) {
	var got draft
	resp := llm.Response{Calls: []llm.ToolCall{{Name: "emit", Input: json.RawMessage(`{"plan":"p","sql":"s"}`)}}}
	if err := llm.Decode(resp, &got); err != nil || got.SQL != "s" {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestDecodeRefusesWithAReason(t *testing.T) {
	for text, reason := range map[string]string{
		"":                                 "empty",
		"   \n":                            "empty",
		"I cannot do that.":                "no JSON",
		`{"plan":"p","sql":"SEL`:           "ends in the middle",
		`{"plan":"p"}`:                     `"sql" is missing`,
		`{"plan":{"a":1},"sql":"s"}`:       "plan: an object where text is needed",
		`null`:                             "nothing where an object is needed",
		`3`:                                "a number where an object is needed",
		`[]`:                               "a list where an object is needed",
		`"just words"`:                     "text where an object is needed",
		`{"plan":"p","sql":"s","ok":3}`:    "ok: a number where true or false is needed",
		`{"plan":"p","sql":"s","sure":{}}`: "sure: an object where a number is needed",
		strings.Repeat("[", 100_000):       "ends in the middle",
		strings.Repeat("{}", 100_000):      `"plan" is missing`,
	} {
		got := draft{Plan: "untouched"}
		err := llm.Decode(llm.Response{Text: text, Model: "m", Usage: llm.Usage{Output: 7}}, &got)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.KindMalformed || !strings.Contains(e.Error(), reason) {
			t.Errorf("%.40q: got %v, want a malformed answer that says %q", text, err, reason)
			continue
		}
		if e.Usage == nil || e.Usage.Output != 7 || e.Text != text {
			t.Errorf("%.40q: the error lost the usage or the text", text)
		}
		if got.Plan != "untouched" {
			t.Errorf("%.40q: a failed decode changed its target", text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"plan":"p","sql":"s"}`, "```json\n{}\n```", `"{\"plan\":1}"`, `[[{"plan":"p"}]]`, `{"steps":"[{\"n\":\"2\"}]"}`, "{{{{", "\xff{", `{"a":"b\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first, second draft
		err := llm.Decode(llm.Response{Text: text}, &first)
		if err != nil {
			if llm.KindOf(err) != llm.KindMalformed {
				t.Fatalf("%v is not a malformed answer", err)
			}
			return
		}
		again, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := llm.Decode(llm.Response{Text: string(again)}, &second); err != nil {
			t.Fatalf("%s, itself decoded, does not decode: %v", again, err)
		}
		if d := cmp.Diff(first, second); d != "" {
			t.Error(d)
		}
		var loose any
		_ = llm.Decode(llm.Response{Text: text}, &loose)
		var m map[string]map[string]int
		_ = llm.Decode(llm.Response{Text: text}, &m)
		var l [][]*step
		_ = llm.Decode(llm.Response{Text: text}, &l)
	})
}
