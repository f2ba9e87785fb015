package batch

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
)

func TestQuestionsAreReadOnePerLine(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []runs.Question
	}{
		"plain":       {"How many?\n\n  How few? \r\n", []runs.Question{{ID: "1", Text: "How many?"}, {ID: "2", Text: "How few?"}}},
		"no line end": {"How many?", []runs.Question{{ID: "1", Text: "How many?"}}},
		"BOM":         {"\xef\xbb\xbfHow many?\n", []runs.Question{{ID: "1", Text: "How many?"}}},
		"objects":     {`{"question":"a","id":"q1"}` + "\n" + `{"id":7,"question":"b"}` + "\n" + `{"question":"c"}`, []runs.Question{{ID: "q1", Text: "a"}, {ID: "7", Text: "b"}, {ID: "3", Text: "c"}}},
		"mixed":       {"{\"question\":\"a\",\"id\":null}\nb\n", []runs.Question{{ID: "1", Text: "a"}, {ID: "2", Text: "b"}}},
		"twice":       {"a\na\n", []runs.Question{{ID: "1", Text: "a"}, {ID: "2", Text: "a"}}},
		"hash":        {"#1 seller?\n", []runs.Question{{ID: "1", Text: "#1 seller?"}}},
	} {
		got, err := Read(strings.NewReader(c.in), "q.txt")
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestEveryBadLineIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"nothing":     {"\n \n", "q.txt:1: there is no question"},
		"half":        {"a\n{\"question\":\n", "q.txt:2: this is no object"},
		"other key":   {`{"question":"a","sql":"b"}`, `unknown field "sql"`},
		"no question": {`{"id":"a"}`, `no "question"`},
		"wrong type":  {`{"question":7}`, "q.txt:1: this is no object"},
		"bad id":      {`{"question":"a","id":[1]}`, "neither a text nor a number"},
		"more":        {`{"question":"a"} {"question":"b"}`, "something after"},
		"empty":       {`{"question":" "}`, "it is empty"},
		"same id":     {"a\n" + `{"question":"b","id":"1"}`, `q.txt:2: the id "1" is also that of line 1`},
		"bytes":       {"a\n\xff\xfe\n", "q.txt:2: the question cannot be asked: it is not UTF-8"},
		"too long":    {strings.Repeat("x", 40<<10), "q.txt:1: the question cannot be asked: it is 40 KB long"},
		"far too":     {strings.Repeat("x", 1<<20) + "\nb\n{\n", "q.txt:1: the line is longer than 256 KB\n  q.txt:3: "},
		"many":        {strings.Repeat("{\n", 50), "… and 30 more"},
	} {
		_, err := Read(strings.NewReader(c.in), "q.txt")
		var wrong *Mistakes
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
