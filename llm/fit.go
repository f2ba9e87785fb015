package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// maxUnwrap bounds how often a value is taken out of a string, an object or a
// list that should not be around it.
const maxUnwrap = 3

// fit reads raw into v, whose zero value it was.
func fit(raw json.RawMessage, v reflect.Value, unwrapped int) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return errors.New("a value is missing")
	}
	if reflect.PointerTo(v.Type()).Implements(reflect.TypeFor[json.Unmarshaler]()) || v.Kind() == reflect.Interface {
		return json.Unmarshal(raw, v.Addr().Interface())
	}
	switch v.Kind() {
	case reflect.Pointer:
		if string(raw) == "null" {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return fit(raw, v.Elem(), unwrapped)
	case reflect.Struct:
		return fitStruct(raw, v, unwrapped)
	case reflect.Slice:
		return fitSlice(raw, v, unwrapped)
	case reflect.Map:
		return fitMap(raw, v, unwrapped)
	case reflect.String:
		return fitString(raw, v)
	}
	return fitScalar(raw, v)
}

func fitStruct(raw json.RawMessage, v reflect.Value, unwrapped int) error {
	if inner, ok := inString(raw); ok && unwrapped < maxUnwrap {
		return fit(inner, v, unwrapped+1)
	}
	if raw[0] == '[' && unwrapped < maxUnwrap {
		if items, err := list(raw); err == nil && len(items) == 1 {
			return fit(items[0], v, unwrapped+1)
		}
	}
	if raw[0] != '{' {
		return fmt.Errorf("%s where an object is needed", kindOf(raw))
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return fmt.Errorf("an object that cannot be read: %w", err)
	}
	err := fitFields(members, v, unwrapped)
	if err == nil || len(members) != 1 || unwrapped >= maxUnwrap {
		return err
	}
	for name, inner := range members {
		if _, known := fieldOf(v.Type(), name); known {
			return err
		}
		fresh := reflect.New(v.Type()).Elem()
		if fit(inner, fresh, unwrapped+1) == nil {
			v.Set(fresh)
			return nil
		}
	}
	return err
}

func fitFields(members map[string]json.RawMessage, v reflect.Value, unwrapped int) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, optional, ok := jsonName(f)
		if !ok {
			continue
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get("json") == "" {
			if err := fitFields(members, v.Field(i), unwrapped); err != nil {
				return err
			}
			continue
		}
		raw, present := member(members, name)
		if !present || string(bytes.TrimSpace(raw)) == "null" {
			if err := absent(f, name, optional, present, v.Field(i)); err != nil {
				return err
			}
			continue
		}
		if err := fit(raw, v.Field(i), unwrapped); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// absent decides about a member that is not there or null.
func absent(f reflect.StructField, name string, optional, null bool, v reflect.Value) error {
	switch f.Type.Kind() {
	case reflect.Slice:
		if f.Type != reflect.TypeFor[json.RawMessage]() {
			v.Set(reflect.MakeSlice(f.Type, 0, 0))
		}
		return nil
	case reflect.Pointer, reflect.Map, reflect.Interface:
		return nil
	case reflect.String:
		if null {
			return nil
		}
	}
	if optional {
		return nil
	}
	if null {
		return fmt.Errorf("%q is null", name)
	}
	return fmt.Errorf("%q is missing", name)
}

func fitSlice(raw json.RawMessage, v reflect.Value, unwrapped int) error {
	if string(raw) == "null" {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		return nil
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return json.Unmarshal(raw, v.Addr().Interface())
	}
	if inner, ok := inString(raw); ok && unwrapped < maxUnwrap && bytes.TrimSpace(inner)[0] == '[' {
		return fit(inner, v, unwrapped+1)
	}
	if raw[0] != '[' {
		return fitSingle(raw, v, unwrapped)
	}
	items, err := list(raw)
	if err != nil {
		return err
	}
	out := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if err := fit(item, out.Index(i), unwrapped); err != nil {
			return fmt.Errorf("item %d: %w", i+1, err)
		}
	}
	v.Set(out)
	return nil
}

// fitSingle reads one value where a list is needed: a list of that one, or
// the list inside an object around it.
func fitSingle(raw json.RawMessage, v reflect.Value, unwrapped int) error {
	if unwrapped >= maxUnwrap {
		return fmt.Errorf("%s where a list is needed", kindOf(raw))
	}
	if raw[0] == '{' {
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) == nil && len(members) == 1 {
			for _, inner := range members {
				inner = bytes.TrimSpace(inner)
				if len(inner) > 0 && inner[0] == '[' {
					if err := fit(inner, v, unwrapped+1); err == nil {
						return nil
					}
				}
			}
		}
	}
	one := reflect.New(v.Type().Elem()).Elem()
	if err := fit(raw, one, unwrapped+1); err != nil {
		return fmt.Errorf("%s where a list is needed", kindOf(raw))
	}
	if one.Kind() == reflect.String && one.String() == "" {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		return nil
	}
	v.Set(reflect.Append(reflect.MakeSlice(v.Type(), 0, 1), one))
	return nil
}

func fitMap(raw json.RawMessage, v reflect.Value, unwrapped int) error {
	if inner, ok := inString(raw); ok && unwrapped < maxUnwrap {
		return fit(inner, v, unwrapped+1)
	}
	if raw[0] != '{' {
		return fmt.Errorf("%s where an object is needed", kindOf(raw))
	}
	return json.Unmarshal(raw, v.Addr().Interface())
}

func fitString(raw json.RawMessage, v reflect.Value) error {
	switch raw[0] {
	case '"':
		return json.Unmarshal(raw, v.Addr().Interface())
	case '{', '[':
		return fmt.Errorf("%s where text is needed", kindOf(raw))
	}
	if string(raw) != "null" {
		v.SetString(string(raw))
	}
	return nil
}

func fitScalar(raw json.RawMessage, v reflect.Value) error {
	found := kindOf(raw)
	var s string
	if json.Unmarshal(raw, &s) == nil && raw[0] == '"' {
		s = strings.TrimSpace(s)
		if lower := strings.ToLower(s); lower == "true" || lower == "false" {
			s = lower
		}
		raw = json.RawMessage(s)
	}
	if string(raw) == "null" || json.Unmarshal(raw, v.Addr().Interface()) != nil {
		return fmt.Errorf("%s where %s is needed", found, scalarName(v.Kind()))
	}
	return nil
}

// inString gives the JSON object or list that a JSON string holds.
func inString(raw json.RawMessage) (json.RawMessage, bool) {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return nil, false
	}
	values, _ := candidates(Response{Text: s})
	if len(values) != 1 || !strings.ContainsAny(string(bytes.TrimSpace(values[0])[:1]), `{["`) {
		return nil, false
	}
	return values[0], true
}

func list(raw json.RawMessage) ([]json.RawMessage, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, fmt.Errorf("a list that cannot be read: %w", err)
	}
	return items, nil
}

// jsonName gives a field's name in JSON and whether it may be left out.
func jsonName(f reflect.StructField) (name string, optional, ok bool) {
	tag := f.Tag.Get("json")
	if tag == "-" || (!f.IsExported() && !f.Anonymous) {
		return "", false, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" {
		name = f.Name
	}
	return name, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero"), true
}

func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		if known, _, ok := jsonName(f); ok && strings.EqualFold(known, name) {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

func member(members map[string]json.RawMessage, name string) (json.RawMessage, bool) {
	if raw, ok := members[name]; ok {
		return raw, true
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if strings.EqualFold(key, name) {
			return members[key], true
		}
	}
	return nil, false
}

func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "nothing"
	}
	return "a number"
}

func scalarName(k reflect.Kind) string {
	switch {
	case k == reflect.Bool:
		return "true or false"
	case k >= reflect.Int && k <= reflect.Float64:
		return "a number"
	}
	return "another value"
}
