package edit

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// kind is the name of a type of edit in JSON.
type kind struct {
	name string
	typ  reflect.Type
	read func(json.RawMessage) (Edit, error)
}

func of[E Edit](name string) kind {
	return kind{name, reflect.TypeFor[E](), func(b json.RawMessage) (Edit, error) {
		var e E
		err := json.Unmarshal(b, &e)
		return e, err
	}}
}

var kinds = []kind{
	of[Describe]("describe"), of[AddSynonym]("add_synonym"), of[DropSynonym]("drop_synonym"),
	of[PutMeasure]("put_measure"), of[DropMeasure]("drop_measure"),
	of[PutFilter]("put_filter"), of[DropFilter]("drop_filter"),
	of[PutJoin]("put_join"), of[DropJoin]("drop_join"), of[PutTable]("put_table"),
	of[PutExample]("put_example"), of[DropExample]("drop_example"),
	of[AddInstruction]("add_instruction"), of[ChangeInstruction]("change_instruction"), of[DropInstruction]("drop_instruction"),
	of[AddAsset]("add_asset"), of[PutQuestion]("put_question"), of[DropQuestion]("drop_question"),
}

type encoded struct {
	Kind string          `json:"kind"`
	Edit json.RawMessage `json:"edit"`
}

// Encode writes an edit as {"kind": …, "edit": {…}}.
func Encode(e Edit) ([]byte, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode an edit: %w", err)
	}
	for _, k := range kinds {
		if k.typ == reflect.TypeOf(e) {
			return json.Marshal(encoded{k.name, body})
		}
	}
	return nil, fmt.Errorf("encode an edit: %T has no name", e)
}

// Decode reads what Encode writes.
func Decode(b []byte) (Edit, error) {
	var in encoded
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("decode an edit: %w", err)
	}
	for _, k := range kinds {
		if k.name == in.Kind {
			return k.read(in.Edit)
		}
	}
	return nil, fmt.Errorf("decode an edit: unknown kind %q", in.Kind)
}
