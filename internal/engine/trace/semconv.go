package trace

// Attribute names. The gen_ai and db names are those of the OpenTelemetry
// semantic conventions (generative AI 1.41, database 1.41); sqbyl names are
// the product's own.
const (
	GenAIOperation   = "gen_ai.operation.name"
	GenAIProvider    = "gen_ai.provider.name"
	GenAISystem      = "gen_ai.system" // the provider's name before 1.37, which backends still read
	GenAIAgent       = "gen_ai.agent.name"
	GenAIModelAsked  = "gen_ai.request.model"
	GenAIMaxTokens   = "gen_ai.request.max_tokens"
	GenAIModel       = "gen_ai.response.model"
	GenAIResponseID  = "gen_ai.response.id"
	GenAIFinish      = "gen_ai.response.finish_reasons"
	GenAIInput       = "gen_ai.usage.input_tokens" // includes cached tokens, as the convention says
	GenAIOutput      = "gen_ai.usage.output_tokens"
	GenAICacheRead   = "gen_ai.usage.cache_read.input_tokens"
	GenAICacheWrite  = "gen_ai.usage.cache_write.input_tokens"
	GenAIInputText   = "gen_ai.input.messages"
	GenAIOutputText  = "gen_ai.output.messages"
	DBSystem         = "db.system.name"
	DBQuery          = "db.query.text"
	DBRowsReturned   = "db.response.returned_rows"
	ErrorType        = "error.type"
	ServiceName      = "service.name"
	ServiceVersion   = "service.version"
	Question         = "sqbyl.question"
	QuestionID       = "sqbyl.question.id"
	Today            = "sqbyl.today"
	Answered         = "sqbyl.answered"
	Reason           = "sqbyl.reason"
	Plan             = "sqbyl.plan"
	SQL              = "sqbyl.sql"
	Attempt          = "sqbyl.attempt"
	AttemptError     = "sqbyl.attempt.error"
	SelectedItems    = "sqbyl.selection.items"
	SelectionNotes   = "sqbyl.selection.notes"
	PromptHash       = "sqbyl.prompt.hash"
	PromptVersion    = "sqbyl.prompt.version"
	CostMicroUSD     = "sqbyl.cost.micro_usd"
	Replayed         = "sqbyl.replayed"
	FirstByteMS      = "sqbyl.first_byte_ms"
	GuardAllowed     = "sqbyl.guard.allowed"
	GuardLayer       = "sqbyl.guard.layer"
	GuardRule        = "sqbyl.guard.rule"
	GuardTables      = "sqbyl.guard.tables"
	GuardFunctions   = "sqbyl.guard.functions"
	RowsHash         = "sqbyl.rows.sha256"
	RowsTruncated    = "sqbyl.rows.truncated"
	AssetsClaimed    = "sqbyl.assets.claimed"
	AssetsVerified   = "sqbyl.assets.verified"
	AnswerConfidence = "sqbyl.confidence"
)

// Span names.
const (
	SpanAsk     = "ask"
	SpanSelect  = "select"
	SpanCompile = "compile"
	SpanModel   = "chat" // the convention's name of a model call; the model follows it
	SpanGuard   = "guard"
	SpanPrepare = "prepare"
	SpanExecute = "execute"
)
