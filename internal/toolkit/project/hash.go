package project

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/sqbyl/sqbyl/semantic"
)

// Hash identifies a version of the project: what decides its answers. Two
// projects that say the same in another layout, order of files, or with other
// comments have one hash. Left out are the database's and the provider's
// address and keys, prices, traces, benchmarks and everything in .sqbyl.
func (p *Project) Hash() (string, error) {
	m := p.Manifest
	m.Database.URL, m.Model.APIKey, m.Model.BaseURL = "", "", ""
	m.Model.Prices, m.Traces = nil, Traces{}
	if p.Dialect != nil {
		m.Database.Dialect = p.Dialect.Name
	}
	return hashJSON(struct {
		Manifest Manifest
		Semantic semantic.Model
		Prompts  map[string]string
		Judges   map[string]string
	}{m, p.Semantic, p.Prompts, p.Judges})
}

// Fingerprint identifies the bytes of a file.
func Fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func hashJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("hash the project: %w", err)
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
