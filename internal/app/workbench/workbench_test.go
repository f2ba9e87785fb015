package workbench

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

func env(vars map[string]string) project.Lookup {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// write makes a project with this manifest and .env.
func write(t *testing.T, manifest, dotenv string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"sqbyl.yaml": manifest, ".env": dotenv} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const plain = "name: p\ndatabase: { url: 'sqlite:x.db' }\n"

func TestModelNames(t *testing.T) {
	for name, want := range map[string]string{
		"anthropic:claude-opus-4-8": "anthropic:claude-opus-4-8", "groq:openai/gpt-oss-20b": "groq:openai/gpt-oss-20b",
		"OpenAI:gpt-5": "openai:gpt-5", "llama3:8b": "ollama:llama3:8b", "ollama:llama3:8b": "ollama:llama3:8b", " gpt-oss ": "ollama:gpt-oss",
	} {
		if m, err := ParseModel(name, "ollama"); err != nil || m.String() != want {
			t.Errorf("%q = %v, %v", name, m, err)
		}
	}
	for _, name := range []string{"", "anthropic:", " "} {
		if m, err := ParseModel(name, "anthropic"); err == nil {
			t.Errorf("%q = %v", name, m)
		}
	}
	if _, err := ParseModel("m", "nobody"); err == nil || !strings.Contains(err.Error(), "anthropic") {
		t.Errorf("an unknown provider: %v", err)
	}
}

func TestTheModelOfARole(t *testing.T) {
	for name, c := range map[string]struct {
		manifest, flag, want string
	}{
		"nothing said":     {plain, "", "anthropic:claude-opus-4-8"},
		"default":          {plain + "model: { default: claude-haiku-4-5 }\n", "", "anthropic:claude-haiku-4-5"},
		"role":             {plain + "model: { default: claude-haiku-4-5, agent_model: claude-opus-5 }\n", "", "anthropic:claude-opus-5"},
		"another provider": {plain + "model: { provider: groq, default: openai/gpt-oss-20b }\n", "", "groq:openai/gpt-oss-20b"},
		"flag":             {plain + "model: { provider: groq, agent_model: openai/gpt-oss-20b }\n", "ollama:q", "ollama:q"},
		"bare flag":        {plain + "model: { provider: groq }\n", "q", "groq:q"},
	} {
		w, err := Open(Host{Dir: write(t, c.manifest, ""), Env: env(nil)}, Options{Model: c.flag})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m, err := w.AskedModel(project.RoleAgent); err != nil || m.String() != c.want {
			t.Errorf("%s: %v %v", name, m, err)
		}
	}
}

func TestAKeyGoesOnlyWhereItBelongs(t *testing.T) {
	for name, c := range map[string]struct {
		manifest, dotenv, flag string
		vars                   map[string]string
		key, base, wrong       string
	}{
		"environment":                {plain, "", "", map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://b"}, "k", "http://b", ""},
		"project's variable":         {plain + "model: { api_key: 'env:MINE' }\n", "MINE=k", "", nil, "k", "", ""},
		"variable unset":             {plain + "model: { api_key: 'env:MINE' }\n", "", "", map[string]string{"ANTHROPIC_API_KEY": "k"}, "", "", "MINE is not set"},
		"no key":                     {plain, "", "", nil, "", "", "ANTHROPIC_API_KEY is not set"},
		"foreign address":            {plain + "model: { base_url: 'http://evil' }\n", "", "", map[string]string{"ANTHROPIC_API_KEY": "k"}, "", "", "http://evil"},
		"address and key of a piece": {plain + "model: { base_url: 'http://own', api_key: 'env:MINE' }\n", "MINE=k", "", nil, "k", "http://own", ""},
		"another provider":           {plain + "model: { base_url: 'http://own', api_key: 'env:MINE' }\n", "MINE=k", "groq:m", map[string]string{"GROQ_API_KEY": "g"}, "g", "", ""},
		"keyless":                    {plain, "", "ollama:m", map[string]string{"OPENAI_BASE_URL": "http://b"}, "", "", ""},
		"own server":                 {plain, "", "openai:m", map[string]string{"OPENAI_BASE_URL": "http://b"}, "", "http://b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := Open(Host{Dir: write(t, c.manifest, c.dotenv), Env: env(c.vars)}, Options{Model: c.flag})
			if err != nil {
				t.Fatal(err)
			}
			m, err := w.AskedModel(project.RoleAgent)
			if err != nil {
				t.Fatal(err)
			}
			_, err = w.Provider(m)
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("%v, want %q", err, c.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			p, err := providerOf(m.Provider)
			if err != nil {
				t.Fatal(err)
			}
			if access, err := w.access(p); err != nil || access.Key != c.key || access.BaseURL != c.base {
				t.Errorf("%+v %v", access, err)
			}
		})
	}
}

func TestStateGoesBesideTheProjectOrHome(t *testing.T) {
	dir := write(t, plain, "")
	w, err := Open(Host{Dir: dir, Env: env(map[string]string{"SQBYL_HOME": "/elsewhere"})}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if state, err := w.StateDir(); err != nil || state != filepath.Join(dir, ".sqbyl") {
		t.Errorf("in a project: %s %v", state, err)
	}
	w, err = Open(Host{Dir: dir, Env: env(map[string]string{"SQBYL_HOME": "/elsewhere"})}, Options{Database: "sqlite:y.db"})
	if err != nil {
		t.Fatal(err)
	}
	if state, err := w.StateDir(); err != nil || state != "/elsewhere" || w.Project() != nil {
		t.Errorf("without one: %s %v", state, err)
	}
}

func TestABudgetAndPricesComeFromFlagProjectOrDefault(t *testing.T) {
	manifest := plain + "model: { prices: { mine: { input: 1.5, output: 2 }, 'claude-opus-4-8': { input: 1, output: 1 } } }\ndefaults: { ask_budget: 0.5 }\n"
	w, err := Open(Host{Dir: write(t, manifest, ""), Env: env(nil)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Budget().Cap(); got != meter.Dollar/2 {
		t.Errorf("budget %s", got)
	}
	for model, want := range map[string]meter.Rate{"mine": 1_500_000, "claude-opus-4-8": 1_000_000} {
		if p, err := w.Prices().Price("anthropic", model, w.Now()); err != nil || p.Input != want {
			t.Errorf("%s: %+v %v", model, p, err)
		}
	}
	nine := meter.USD(9)
	w, err = Open(Host{Env: env(nil)}, Options{Database: "sqlite:x.db", Budget: &nine})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Budget().Cap(); got != 9 {
		t.Errorf("budget %d", got)
	}
}

func TestWithoutAProjectOpenSaysSo(t *testing.T) {
	if _, err := Open(Host{Dir: t.TempDir(), Env: env(nil)}, Options{}); !errors.Is(err, project.ErrNoProject) {
		t.Errorf("%v", err)
	}
}

func TestNamesOfProviders(t *testing.T) {
	for text, want := range map[string]string{
		"model: { provider: antropic }":                                           "sqbyl.yaml:3:20  there is no provider antropic (did you mean anthropic?)",
		"model: { provider: nobody }":                                             "sqbyl.yaml:3:20  there is no provider nobody (known here: anthropic, ",
		"model: { default: 'anthropc:claude-opus-4-8' }":                          "sqbyl.yaml:3:19  there is no provider anthropc (did you mean anthropic:?)",
		"model: { judge_model: 'grok:openai/gpt-oss-20b' }":                       "sqbyl.yaml:3:23  there is no provider grok (did you mean groq:?)",
		"model: { default: 'Anthropic:claude-opus-4-8', provider: Anthropic }":    "",
		"model: { default: 'grok:latest', provider: ollama }":                     "",
		"model: { default: 'grok:latest', base_url: 'http://127.0.0.1:8000/v1' }": "",
		"model: { default: 'meta/llama:free', provider: openrouter }":             "",
	} {
		_, err := Open(Host{Dir: write(t, plain+text+"\n", ""), Env: env(nil)}, Options{})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestNamesOfVariables leaves the variables of providers that nobody asks to
// other programs.
func TestNamesOfVariables(t *testing.T) {
	const theirs = "GROK_API_KEY=k\n"
	if _, err := Open(Host{Dir: write(t, plain, theirs), Env: env(nil)}, Options{}); err != nil {
		t.Error(err)
	}
	const want = ".env:1:1  nothing reads the variable GROK_API_KEY (did you mean GROQ_API_KEY?)"
	for _, model := range []string{"provider: groq", "judge_model: 'groq:x'"} {
		_, err := Open(Host{Dir: write(t, plain+"model: { "+model+" }\n", theirs), Env: env(nil)}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", model, err)
		}
	}
}
