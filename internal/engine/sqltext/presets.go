package sqltext

// The rules of the engines, for the dialect folders to take.
var (
	SQLiteRules = Rules{
		BacktickIdent: true, BracketIdent: true,
		QuestionParam: true, ColonParam: true, AtParam: true,
		NamesFold: true, NumberUnderscore: true, HexNumber: true,
		InTable: true, SelfCTE: true, ValuesNoLimit: true, TextTables: true,
	}
	DuckDBRules = Rules{
		EStrings: true, DollarQuote: true, DollarParam: true, QuestionParam: true,
		NestedComments: true, CRNewline: true, LongOperators: true,
		NamesFold: true, DoubleColonCast: true, BraceLiterals: true, HashPositional: true,
		NumberUnderscore: true, HexNumber: true, NamedArgs: true,
		FromFirst: true, Summaries: true, FileTables: true, MethodCalls: true, WrapForLimit: true,
	}
	PostgresRules = Rules{
		EStrings: true, DollarQuote: true, DollarParam: true,
		NestedComments: true, CRNewline: true, LongOperators: true,
		FoldLower: true, DoubleColonCast: true, NamedArgs: true, AttributeCalls: true, XMLSyntax: true,
	}
	// MySQLRules hold for MySQL and MariaDB under a sql_mode without
	// ANSI_QUOTES and NO_BACKSLASH_ESCAPES.
	MySQLRules = Rules{
		BacktickIdent: true, DoubleQuoteText: true, BackslashEscape: true,
		QuestionParam: true, HashComment: true, DashNeedsSpace: true, ExecComments: true,
		NamesFold: true, HexNumber: true, AtVariable: true, DualTable: true, SpaceUnbuilds: true,
	}
)
