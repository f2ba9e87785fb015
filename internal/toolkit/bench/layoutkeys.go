package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// mostKeys is how many misspelled keys of a file are named.
const mostKeys = 10

// misspelledKeys reports keys of records that miss by a letter one that the
// record lacks. Other keys that T does not know are the layout's own affair.
// Data has been read once without an error.
func misspelledKeys[T any](data []byte, name string) error {
	known := jsonKeys(reflect.TypeFor[T]())
	dec := json.NewDecoder(bytes.NewReader(data))
	record := 1 // the depth of a record's keys
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) {
		record = 2
	}
	var errs []error
	var keys []keyOf
	depth, isKey := 0, false
	for len(errs) < mostKeys {
		token, err := dec.Token()
		if err != nil {
			break // the end
		}
		switch delim, _ := token.(json.Delim); {
		case delim == '{' || delim == '[':
			depth++
			isKey = depth == record && delim == '{'
			continue
		case delim == '}' || delim == ']':
			if depth == record && delim == '}' {
				errs = append(errs, wrongKeys(data, name, keys, known)...)
				keys = keys[:0]
			}
			depth--
			isKey = depth == record
			continue
		}
		if depth != record {
			continue
		}
		if key, ok := token.(string); ok && isKey {
			keys = append(keys, keyOf{key, int(dec.InputOffset())})
		}
		isKey = !isKey
	}
	return errors.Join(errs...)
}

// keyOf is a key of a record and where it ends in the file.
type keyOf struct {
	name string
	end  int
}

func wrongKeys(data []byte, file string, keys []keyOf, known []string) (errs []error) {
	free := slices.DeleteFunc(slices.Clone(known), func(k string) bool {
		return slices.ContainsFunc(keys, func(key keyOf) bool { return strings.EqualFold(key.name, k) })
	})
	for _, key := range keys {
		near := yamldoc.OneLetter(key.name, free)
		if len(near) == 0 {
			continue
		}
		start := bytes.LastIndexByte(data[:key.end-1], '"')
		line := 1 + bytes.Count(data[:start], []byte("\n"))
		column := 1 + utf8.RuneCount(data[1+bytes.LastIndexByte(data[:start], '\n'):start])
		errs = append(errs, fmt.Errorf("read %s:%d:%d: unknown key %q (did you mean %s?)", file, line, column, key.name, near[0]))
	}
	return errs
}

// jsonKeys are the keys of a record that are long enough to be told from
// others.
func jsonKeys(t reflect.Type) (keys []string) {
	for i := range t.NumField() {
		if key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); len(key) >= 3 {
			keys = append(keys, key)
		}
	}
	return keys
}
