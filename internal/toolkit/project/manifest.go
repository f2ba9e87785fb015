package project

// Manifest is the content of sqbyl.yaml.
type Manifest struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Database    Database   `json:"database"`
	Model       Model      `json:"model,omitzero"`
	Automation  Automation `json:"automation,omitzero"`
	Defaults    Defaults   `json:"defaults,omitzero"`
	Selection   Selection  `json:"selection,omitzero"`
	Profile     Profile    `json:"profile,omitzero"`
	Traces      Traces     `json:"traces,omitzero"`
}

// Database says which database the project is about.
type Database struct {
	// Dialect is postgresql, sqlite, duckdb, mysql or mariadb, or a short form
	// of one; when left out, the URL tells.
	Dialect string `json:"dialect,omitempty"`
	// URL is where the database is, or env:NAME for the name of a variable
	// that holds it. A relative path counts from the project's folder.
	URL string `json:"url"`
	// ReadOnly may only be true: nothing is ever written to the database.
	ReadOnly bool `json:"read_only,omitempty"`
	// AllowFunctions are further functions that SQL may call, as "name" or
	// "schema.name", beside those that only compute.
	AllowFunctions []string `json:"allow_functions,omitempty"`
	// AllowSchemas are the schemas that SQL may name; when left out, every
	// schema but the engine's own.
	AllowSchemas []string `json:"allow_schemas,omitempty"`
}

// Model says which models answer. A role without a model of its own uses
// Default.
type Model struct {
	// Provider is the provider of models that are written without one:
	// anthropic, openai, groq, openrouter, ollama.
	Provider string `json:"provider,omitempty"`
	// APIKey is env:NAME; the key itself does not belong in a file.
	APIKey string `json:"api_key,omitempty"`
	// BaseURL is another address of the provider, or env:NAME. An address that
	// stands in a project file is only used with a key of the same project.
	BaseURL string `json:"base_url,omitempty"`
	// Default is the model of every role that has none of its own.
	Default string `json:"default,omitempty"`
	// AgentModel writes SQL.
	AgentModel string `json:"agent_model,omitempty"`
	// SelectionModel chooses tables and examples in large schemas.
	SelectionModel string `json:"selection_model,omitempty"`
	// OrchestratorModel annotates, decides joins and drafts at the start.
	OrchestratorModel string `json:"orchestrator_model,omitempty"`
	// SynthModel drafts benchmark questions.
	SynthModel string `json:"synth_model,omitempty"`
	// CoachModel proposes edits after failures.
	CoachModel string `json:"coach_model,omitempty"`
	// JudgeModel judges answers that the comparison cannot decide.
	JudgeModel string `json:"judge_model,omitempty"`
	// NarrateModel words an answer in a sentence.
	NarrateModel string `json:"narrate_model,omitempty"`
	// ExplorerModel looks at the data for the analyst.
	ExplorerModel string `json:"explorer_model,omitempty"`
	// PlannerModel plans the analyst's steps.
	PlannerModel string `json:"planner_model,omitempty"`
	// WriterModel writes the analyst's SQL.
	WriterModel string `json:"writer_model,omitempty"`
	// SummarizerModel sums up the analyst's findings.
	SummarizerModel string `json:"summarizer_model,omitempty"`
	// Prices are by model id, for models that the product has no price of, or
	// another one.
	Prices map[string]Price `json:"prices,omitempty"`
}

// Price is what a model costs, in US dollars per million tokens. A cache
// price that is left out is that of input.
type Price struct {
	Input        USD  `json:"input"`
	Output       USD  `json:"output"`
	CacheRead    *USD `json:"cache_read,omitempty"`
	CacheWrite5m *USD `json:"cache_write_5m,omitempty"`
	CacheWrite1h *USD `json:"cache_write_1h,omitempty"`
}

// Role names a part of the product that asks a model.
type Role string

// The roles.
const (
	RoleAgent        Role = "agent"
	RoleSelection    Role = "selection"
	RoleOrchestrator Role = "orchestrator"
	RoleSynth        Role = "synth"
	RoleCoach        Role = "coach"
	RoleJudge        Role = "judge"
	RoleNarrate      Role = "narrate"
	RoleExplorer     Role = "explorer"
	RolePlanner      Role = "planner"
	RoleWriter       Role = "writer"
	RoleSummarizer   Role = "summarizer"
)

// Roles are all roles.
func Roles() []Role {
	return []Role{RoleAgent, RoleSelection, RoleOrchestrator, RoleSynth, RoleCoach, RoleJudge, RoleNarrate, RoleExplorer, RolePlanner, RoleWriter, RoleSummarizer}
}

// For is the model of a role as the project writes it: "claude-opus-4-8" or
// "groq:openai/gpt-oss-20b". It is "" when neither the role nor the default
// is set.
func (m Model) For(role Role) string {
	own := map[Role]string{
		RoleAgent: m.AgentModel, RoleSelection: m.SelectionModel, RoleOrchestrator: m.OrchestratorModel,
		RoleSynth: m.SynthModel, RoleCoach: m.CoachModel, RoleJudge: m.JudgeModel,
		RoleNarrate: m.NarrateModel, RoleExplorer: m.ExplorerModel, RolePlanner: m.PlannerModel,
		RoleWriter: m.WriterModel, RoleSummarizer: m.SummarizerModel,
	}[role]
	if own == "" {
		return m.Default
	}
	return own
}

// Automation says what runs by itself after an evaluation.
type Automation struct {
	// AutoJudge judges rows that the comparison cannot decide.
	AutoJudge bool `json:"auto_judge,omitempty"`
	// AutoCoach prepares proposals from the failures.
	AutoCoach bool `json:"auto_coach,omitempty"`
}

// Defaults bound what commands do.
type Defaults struct {
	// MaxTablesWarn is the number of tables from which a project is told that
	// small ones answer better.
	MaxTablesWarn int `json:"max_tables_warn,omitempty" jsonschema:"minimum=1"`
	// SelfRepairAttempts is how often SQL that fails is given back to the
	// model.
	SelfRepairAttempts int `json:"self_repair_attempts,omitempty" jsonschema:"minimum=0,maximum=10"`
	// PromptCaching asks the provider to keep the stable part of a prompt.
	PromptCaching bool `json:"prompt_caching,omitempty"`
	// AskBudget is what one question may cost, in US dollars.
	AskBudget USD `json:"ask_budget,omitempty"`
	// MaxRows is the number of rows that an answer is cut at.
	MaxRows int `json:"max_rows,omitempty" jsonschema:"minimum=1"`
	// MaxBytes is the size that an answer is cut at: 10MB, 512kB.
	MaxBytes Bytes `json:"max_bytes,omitempty"`
	// Timeout is how long a statement may run: 30s, 2m.
	Timeout Duration `json:"timeout,omitempty"`
	// MaxRowsScanned refuses a statement that the engine expects to read more
	// rows than that; 0 is no limit.
	MaxRowsScanned int64 `json:"max_rows_scanned,omitempty" jsonschema:"minimum=0"`
	// MaxCost refuses a statement that the engine's planner puts above that
	// cost, in the planner's unit; 0 is no limit.
	MaxCost float64 `json:"max_cost,omitempty" jsonschema:"minimum=0"`
	// ReadinessTarget is the accuracy from which the project counts as ready.
	ReadinessTarget float64 `json:"readiness_target,omitempty" jsonschema:"minimum=0,maximum=1"`
	// AutoApplyThreshold is the confidence from which a decision of a model is
	// applied without asking.
	AutoApplyThreshold float64 `json:"auto_apply_threshold,omitempty" jsonschema:"minimum=0,maximum=1"`
}

// Selection says how tables and examples are chosen for a question.
type Selection struct {
	Strategy Strategy `json:"strategy,omitempty"`
	// MaxTables is the number of tables that a selection may take; 0 lets the
	// strategy decide.
	MaxTables int `json:"max_tables,omitempty" jsonschema:"minimum=0"`
	// MaxExamples is the number of examples that a selection may take; 0 lets
	// the strategy decide.
	MaxExamples int `json:"max_examples,omitempty" jsonschema:"minimum=0"`
	// ValueMatching looks words of the question up among known values.
	ValueMatching bool `json:"value_matching,omitempty"`
}

// Strategy is a way of selecting.
type Strategy string

// The strategies. Auto takes everything while that is little, and else
// selects.
const (
	Auto       Strategy = "auto"
	IncludeAll Strategy = "include_all"
	Lexical    Strategy = "lexical"
	ByModel    Strategy = "llm"
	LexicalLLM Strategy = "llm_lexical"
)

// Values are the strategies there are.
func (Strategy) Values() []string {
	return []string{string(Auto), string(IncludeAll), string(Lexical), string(ByModel), string(LexicalLLM)}
}

// Profile bounds what is measured of the database.
type Profile struct {
	// MaxRows is the most rows that one statement of a profile reads; larger
	// tables are estimated from a sample.
	MaxRows int64 `json:"max_rows,omitempty" jsonschema:"minimum=1000"`
	// AllowValues names columns, as table.column or table.*, whose values may
	// be kept although they look personal.
	AllowValues []string `json:"allow_values,omitempty"`
}

// Traces says where traces go beside the project's own folder.
type Traces struct {
	// OTLP is the address of an OTLP/HTTP collector, or env:NAME.
	OTLP string `json:"otlp,omitempty"`
}

// NewManifest is a manifest in which every setting has its default.
func NewManifest() Manifest {
	return Manifest{
		Database:   Database{ReadOnly: true},
		Automation: Automation{AutoJudge: true, AutoCoach: true},
		Defaults: Defaults{
			MaxTablesWarn: 7, SelfRepairAttempts: 2, PromptCaching: true,
			AskBudget: 250_000_000, MaxRows: 1000, MaxBytes: 10 << 20, Timeout: Duration(30 * second),
			ReadinessTarget: 0.95, AutoApplyThreshold: 0.85,
		},
		Selection: Selection{Strategy: Auto, ValueMatching: true},
		Profile:   Profile{MaxRows: 5_000_000},
	}
}
