package workbench

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/anthropic"
	"github.com/sqbyl/sqbyl/llm/openai"
)

// DefaultModel answers where neither project nor command line names a model.
const DefaultModel = "anthropic:claude-opus-4-8"

// provider is one endpoint that the product knows by name.
type provider struct {
	name    string
	keyVar  string
	baseVar string // "" for none
	// keyless endpoints work without a key.
	keyless bool
	make    func(project.Access, *ability.Memory) llm.Client
}

func providers() []provider {
	list := []provider{{name: anthropic.Provider, keyVar: "ANTHROPIC_API_KEY", baseVar: "ANTHROPIC_BASE_URL", make: func(a project.Access, known *ability.Memory) llm.Client {
		return anthropic.New(anthropic.Config{Key: a.Key, BaseURL: a.BaseURL, Memory: known})
	}}}
	endpoints := openai.Endpoints()
	for _, name := range slices.Sorted(maps.Keys(endpoints)) {
		p := provider{name: name, keyVar: strings.ToUpper(name) + "_API_KEY", keyless: endpoints[name].Keyless, make: func(a project.Access, known *ability.Memory) llm.Client {
			return openai.New(openai.Config{Provider: name, Key: a.Key, BaseURL: a.BaseURL, Memory: known})
		}}
		if name == "openai" {
			p.baseVar = "OPENAI_BASE_URL"
		}
		list = append(list, p)
	}
	return list
}

// Model is a model and where it is asked.
type Model struct {
	Provider string
	ID       string // as the provider knows it
}

func (m Model) String() string { return m.Provider + ":" + m.ID }

// ParseModel reads PROVIDER:MODEL; a name without a known provider belongs to
// fallback, and is an error where that is "".
func ParseModel(name, fallback string) (Model, error) {
	name = strings.TrimSpace(name)
	first, rest, found := strings.Cut(name, ":")
	p, unknown := providerOf(first)
	if found && unknown == nil {
		if rest == "" {
			return Model{}, fmt.Errorf("%q names no model; write %s:MODEL", name, p.name)
		}
		return Model{p.name, rest}, nil
	}
	if name == "" {
		return Model{}, fmt.Errorf("the name of the model is empty; write PROVIDER:MODEL, for example %s", DefaultModel)
	}
	if fallback == "" && found {
		return Model{}, unknown
	}
	if fallback == "" {
		return Model{}, fmt.Errorf("%q names no provider; write PROVIDER:MODEL, for example %s", name, DefaultModel)
	}
	if _, err := providerOf(fallback); err != nil {
		return Model{}, err
	}
	return Model{fallback, name}, nil
}

func providerOf(name string) (provider, error) {
	var known []string
	for _, p := range providers() {
		if strings.EqualFold(p.name, name) {
			return p, nil
		}
		known = append(known, p.name)
	}
	return provider{}, fmt.Errorf("there is no provider %q (known: %s)", name, strings.Join(known, ", "))
}

// NoModelError says that there is nobody to ask: a key is missing.
type NoModelError struct {
	Message string
	Hint    string
}

func (e *NoModelError) Error() string { return e.Message }

// AskedModel is the model that a role asks.
func (w *Workbench) AskedModel(role project.Role) (Model, error) {
	fallback := w.fallback()
	switch {
	case w.options.Model != "":
		return ParseModel(w.options.Model, fallback)
	case w.project != nil && w.project.Manifest.Model.For(role) != "":
		return ParseModel(w.project.Manifest.Model.For(role), fallback)
	}
	return ParseModel(DefaultModel, fallback)
}

// JudgesItself says that judge and agent are the same model, "" when they are
// not.
func (w *Workbench) JudgesItself() string {
	agent, err := w.AskedModel(project.RoleAgent)
	judge, none := w.AskedModel(project.RoleJudge)
	if err != nil || none != nil || agent != judge {
		return ""
	}
	return "agent and judge are the same model, " + judge.String() + ": it judges its own answers mildly; name another one under model.judge_model in " + project.ManifestFile
}

// ModelGiven tells whether the command line names a model.
func (w *Workbench) ModelGiven() bool { return w.options.Model != "" }

// UseModel makes a model that of every role.
func (w *Workbench) UseModel(name string) { w.options.Model = name }

// fallback is the provider of models that are written without one.
func (w *Workbench) fallback() string {
	if w.project != nil && w.project.Manifest.Model.Provider != "" {
		return w.project.Manifest.Model.Provider
	}
	return anthropic.Provider
}

// Provider is a client that asks a model, without any wrapper.
func (w *Workbench) Provider(m Model) (llm.Client, error) {
	p, err := providerOf(m.Provider)
	if err != nil {
		return nil, err
	}
	access, err := w.access(p)
	if err != nil {
		return nil, err
	}
	// A server at an address of the user's own may need no key.
	if access.Key == "" && !p.keyless && (access.BaseURL == "" || p.name == anthropic.Provider) {
		return nil, noKey(p.keyVar)
	}
	return p.make(access, w.abilities()), nil
}

// access takes what the manifest says for the project's own provider; for any
// other, and without a project, the provider's variables.
func (w *Workbench) access(p provider) (project.Access, error) {
	if w.project == nil {
		var access project.Access
		access.Key, _ = w.host.Env(p.keyVar)
		if p.baseVar != "" {
			access.BaseURL, _ = w.host.Env(p.baseVar)
		}
		return access, nil
	}
	if !strings.EqualFold(w.fallback(), p.name) {
		other := *w.project
		other.Manifest.Model = project.Model{}
		return other.ModelAccess(w.host.Env, p.keyVar, p.baseVar)
	}
	access, err := w.project.ModelAccess(w.host.Env, p.keyVar, p.baseVar)
	var unset *project.UnsetError
	if errors.As(err, &unset) && unset.Setting == "model.api_key" {
		return access, noKey(unset.Name)
	}
	return access, err
}

func noKey(variable string) error {
	return &NoModelError{
		Message: "No model to ask: " + variable + " is not set.",
		Hint:    "Set it, or use any OpenAI-compatible endpoint (OPENAI_BASE_URL + --model openai:NAME), or a local one (--model ollama:NAME).",
	}
}

// Budget is what may be spent in this run.
func (w *Workbench) Budget() *meter.Budget {
	if w.budget == nil {
		limit := w.options.Budget
		if limit == nil {
			share := project.NewManifest().Defaults.AskBudget
			if w.project != nil {
				share = w.project.Manifest.Defaults.AskBudget
			}
			micro := meter.USD(share / 1000)
			limit = &micro
		}
		w.budget = meter.NewBudget(*limit)
	}
	return w.budget
}

// Prices are the product's, the project's over them, and the command line's
// over both.
func (w *Workbench) Prices() meter.Table {
	table := meter.Builtin()
	if w.project != nil {
		for name, p := range w.project.Manifest.Model.Prices {
			m, err := ParseModel(name, w.fallback())
			if err != nil {
				continue // of a provider that this build does not have
			}
			table = table.With(meter.Price{Provider: m.Provider, Model: m.ID, Source: project.ManifestFile, Rates: meter.Rates{
				Input: rate(p.Input), Output: rate(p.Output), Read: optional(p.CacheRead), Write5m: optional(p.CacheWrite5m), Write1h: optional(p.CacheWrite1h)}})
		}
	}
	return table.With(w.options.Prices...)
}

// rate brings nano-dollars per million tokens to the meter's micro-dollars.
func rate(u project.USD) meter.Rate { return meter.Rate(u / 1000) }

func optional(u *project.USD) *meter.Rate {
	if u == nil {
		return nil
	}
	r := rate(*u)
	return &r
}

// Charge gives what one call to a model cost; false where its price is not
// known.
func (w *Workbench) Charge(m Model) func(llm.Response, error) (meter.USD, bool) {
	prices := w.Prices()
	return func(resp llm.Response, err error) (meter.USD, bool) {
		asked, unknown := prices.Price(m.Provider, m.ID, w.host.Now())
		if unknown != nil {
			return 0, false
		}
		cost, _ := meter.Charge(prices, m.Provider, asked, resp, err, w.host.Now())
		return cost, true
	}
}
