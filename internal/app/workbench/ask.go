package workbench

import (
	"context"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/agent/direct"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/semantic"
)

// Direct is the agent of one call over this project or database. A nil client
// gives an agent that can only show its prompt.
func (w *Workbench) Direct(ctx context.Context, client llm.Client, m Model, stage func(agent.Stage)) (*direct.Agent, error) {
	database, err := w.Database(ctx)
	if err != nil {
		return nil, err
	}
	schema, err := w.Schema(ctx)
	if err != nil {
		return nil, err
	}
	policy, err := w.Policy(ctx)
	if err != nil {
		return nil, err
	}
	c := direct.Config{
		Client: client, Provider: m.Provider, Model: m.ID, Database: database, Policy: policy, Caps: w.Caps(),
		Repairs: project.NewManifest().Defaults.SelfRepairAttempts, Cache: llm.CacheShort, Now: w.host.Now, Stage: stage, Price: w.Charge(m),
	}
	if w.project != nil {
		c.Prompts = w.project.Prompts
		c.Repairs = w.project.Manifest.Defaults.SelfRepairAttempts
		c.Bounds = direct.Bounds{Rows: float64(w.project.Manifest.Defaults.MaxRowsScanned), Cost: w.project.Manifest.Defaults.MaxCost, Allow: w.spending.Allow}
		if !w.project.Manifest.Defaults.PromptCaching {
			c.Cache = llm.NoCache
		}
	}
	c.Knowledge = w.Knowledge(schema)
	if c.Knowledge.Values, err = w.Values(); err != nil {
		return nil, err
	}
	// Without a folder for it there is no trace, and the answer matters more;
	// the command asks for the reason afterwards.
	c.Trace, _ = w.Trace()
	return direct.New(c)
}

// Knowledge is the schema with what the project says about it.
func (w *Workbench) Knowledge(schema catalog.Schema) selection.Knowledge {
	if w.project == nil {
		return selection.Combine(schema, semantic.Model{})
	}
	return selection.Combine(schema, w.project.Semantic)
}

// Today is the day that a question counts from: that of the recording it is
// replayed from, else now.
func (w *Workbench) Today(question string) (time.Time, error) {
	if w.options.Replay == "" {
		return w.host.Now(), nil
	}
	journal, err := w.recording()
	if err != nil {
		return time.Time{}, err
	}
	for _, e := range journal.Entries() {
		if len(e.Request.Messages) == 0 {
			continue
		}
		if asked, day, ok := prompt.ParseQuestion(e.Request.Messages[0].Text); ok && asked == prompt.Trim(question) {
			return day, nil
		}
	}
	return w.host.Now(), nil
}
