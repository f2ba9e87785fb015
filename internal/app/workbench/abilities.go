package workbench

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/sqbyl/sqbyl/llm/ability"
)

// abilitiesFile keeps what endpoints do not know, in the state folder.
const abilitiesFile = "endpoints.json"

// abilities is what endpoints have been found not to know. It is a cache:
// where it cannot be read or kept, an endpoint is asked once more.
func (w *Workbench) abilities() *ability.Memory {
	if w.known == nil {
		w.known = ability.NewMemory(w.keepAbilities)
		if raw, err := w.readAbilities(); err == nil {
			_ = json.Unmarshal(raw, w.known)
		}
	}
	return w.known
}

func (w *Workbench) readAbilities() ([]byte, error) {
	dir, err := w.StateDir()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, abilitiesFile))
}

// keepAbilities writes the memory beside what other processes have learned
// since it was read.
func (w *Workbench) keepAbilities(m *ability.Memory) {
	dir, err := w.state()
	if err != nil {
		return
	}
	all := map[string]json.RawMessage{}
	if raw, err := w.readAbilities(); err == nil {
		_ = json.Unmarshal(raw, &all)
	}
	own, err := m.MarshalJSON()
	if err != nil || json.Unmarshal(own, &all) != nil {
		return
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return
	}
	part, err := os.CreateTemp(dir, abilitiesFile+".*")
	if err != nil {
		return
	}
	_, err = part.Write(append(text, '\n'))
	if closed := part.Close(); err != nil || closed != nil || os.Rename(part.Name(), filepath.Join(dir, abilitiesFile)) != nil {
		_ = os.Remove(part.Name())
	}
}

// Abilities gives what is known, by endpoint and model.
func (w *Workbench) Abilities() (map[string]ability.Ability, error) {
	raw, err := w.abilities().MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out map[string]ability.Ability
	return out, json.Unmarshal(raw, &out)
}
