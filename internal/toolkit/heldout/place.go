package heldout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// placed adds the place to an error of a JSON file, which counts bytes, and
// says it without the names of types.
func placed(path string, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	name := filepath.Base(path)
	text, failed := os.ReadFile(path)
	list := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \r\n\t")
	isList := failed == nil && len(list) > 0 && list[0] == '['
	switch {
	case errors.As(err, &kind) && !isList:
		// A line of its own each: the error has its number.
		return errors.New(strings.Replace(err.Error(), kind.Error(), misplaced(kind), 1))
	case errors.As(err, &kind):
		return fmt.Errorf("read %s: %s: %s", name, place(text, list, kind.Offset), misplaced(kind))
	case errors.As(err, &syntax) && isList && syntax.Error() == "unexpected end of JSON input":
		return fmt.Errorf("read %s: %s: the file ends within its list", name, place(text, list, int64(len(list))))
	case errors.As(err, &syntax) && isList:
		return fmt.Errorf("read %s: %s: %w", name, place(text, list, syntax.Offset), syntax)
	}
	return err
}

// place is where in text the byte at stands, counted from the list in it on.
func place(text, list []byte, at int64) string {
	at = min(max(at-1, 0), int64(len(list)))
	before := text[:len(text)-len(list)+int(at)]
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'))
}

// misplaced says what stands where something else belongs. Of a number it says
// that it is one.
func misplaced(e *json.UnmarshalTypeError) string {
	field, kind := e.Field, strings.Fields(e.Value)[0]
	if field == "" {
		field = "the question"
	}
	article := "a"
	if strings.ContainsRune("aeio", rune(kind[0])) {
		article = "an"
	}
	return fmt.Sprintf("%s is %s %s, which does not belong there", field, article, kind)
}
