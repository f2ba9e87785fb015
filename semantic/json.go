package semantic

import "encoding/json"

// In JSON, as in a project file, "profile" and "sample_values" hold either a
// value or false. The types below have the fields of Table and Column without
// their methods.
type (
	plainTable  Table
	plainColumn Column
)

type tableJSON struct {
	plainTable
	Profile json.RawMessage `json:"profile,omitempty"`
}

type columnJSON struct {
	plainColumn
	Samples json.RawMessage `json:"sample_values,omitempty"`
	Profile json.RawMessage `json:"profile,omitempty"`
}

const off = "false"

// MarshalJSON writes a Table as a project file holds it.
func (t Table) MarshalJSON() ([]byte, error) {
	out := tableJSON{plainTable: plainTable(t)}
	if t.NoProfile {
		out.Profile = json.RawMessage(off)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Table) UnmarshalJSON(b []byte) error {
	var in tableJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*t = Table(in.plainTable)
	t.NoProfile = string(in.Profile) == off
	return nil
}

// MarshalJSON writes a Column as a project file holds it.
func (c Column) MarshalJSON() ([]byte, error) {
	out := columnJSON{plainColumn: plainColumn(c)}
	var err error
	switch {
	case c.NoSamples:
		out.Samples = json.RawMessage(off)
	case len(c.Samples) > 0:
		if out.Samples, err = json.Marshal(c.Samples); err != nil {
			return nil, err
		}
	}
	switch {
	case c.NoProfile:
		out.Profile = json.RawMessage(off)
	case c.Profile != nil:
		if out.Profile, err = json.Marshal(c.Profile); err != nil {
			return nil, err
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Column) UnmarshalJSON(b []byte) error {
	var in columnJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*c = Column(in.plainColumn)
	c.NoSamples = string(in.Samples) == off
	c.NoProfile = string(in.Profile) == off
	if len(in.Samples) > 0 && !c.NoSamples {
		if err := json.Unmarshal(in.Samples, &c.Samples); err != nil {
			return err
		}
	}
	if len(in.Profile) > 0 && !c.NoProfile {
		return json.Unmarshal(in.Profile, &c.Profile)
	}
	return nil
}
