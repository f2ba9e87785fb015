package sqltext

const (
	isSetOp      = 1 << iota // combines two queries
	isStatement              // opens a statement that is not a query
	isCallFree               // "word (" calls nothing
	isInfix                  // likewise, between two operands
	wantsOperand             // what follows begins an operand
	endsAlias                // cannot be the alias of a table
	isReserved               // a keyword in every engine, also before a dot
	inExpr                   // goes on with an expression after a name
	isTyped                  // FROM inside its parentheses opens no clause
	isJoining                // adds a level to the tree the engine builds
	isShown                  // shown as a keyword wherever it stands
	isSummary                // opens a query with Rules.Summaries
)

var keyClass = func() (t [256]uint16) {
	mark := func(bit uint16, list ...Key) {
		for _, k := range list {
			t[k] |= bit
		}
	}
	mark(isSetOp, KeyUnion, KeyExcept, KeyIntersect)
	mark(isStatement, KeyInsert, KeyDelete, KeyMerge, KeyDrop, KeyCreate, KeyAlter, KeyTruncate, KeyCopy, KeyAttach,
		KeyDetach, KeyPragma, KeyVacuum, KeyCall, KeyDo, KeyExecute, KeyPrepare, KeyDeallocate, KeyExplain, KeyAnalyze,
		KeyGrant, KeyRevoke, KeyLoad, KeyInstall, KeyExport, KeyImport, KeyBegin, KeyCommit, KeyRollback, KeySavepoint,
		KeyRelease, KeyStart, KeyLock, KeyUnlock, KeyKill, KeyFlush, KeyHandler, KeyReindex, KeyRefresh, KeyListen,
		KeyNotify, KeyUnlisten, KeyDiscard, KeyReset, KeyCheckpoint, KeyDeclare, KeyUpdate, KeyReplace, KeyUpsert, KeySet, KeyUse,
		KeyShow)
	mark(isCallFree, KeyNot, KeyExists, KeyAny, KeyAll, KeySome, KeyDistinct, KeyCase, KeyWhen, KeyThen, KeyElse, KeyBy,
		KeyFrom, KeyJoin, KeyOn, KeyUsing, KeySelect, KeyWith, KeyValues, KeyWhere, KeyHaving, KeyLimit, KeyAs, KeyRollup,
		KeyCube, KeyInterval, KeyStraightJoin)
	mark(isInfix, KeyAnd, KeyOr, KeyIn, KeyIs, KeyLike, KeyIlike, KeyRlike, KeyRegexp, KeySimilar, KeyTo, KeyBetween,
		KeyQualify, KeyOffset, KeyUnion, KeyExcept, KeyIntersect, KeyMinus, KeyDiv, KeyXor, KeyColumns, KeyAgainst,
		KeyMaterialized, KeyEscape, KeyPivot, KeyUnpivot)
	mark(wantsOperand, KeySelect, KeyDistinct, KeyAll, KeyWhere, KeyAnd, KeyOr, KeyXor, KeyDiv, KeyOn, KeyHaving, KeyBy, KeyWhen,
		KeyThen, KeyElse, KeyCase, KeyIn, KeyLike, KeyIlike, KeyRlike, KeyRegexp, KeyBetween, KeyLimit, KeyOffset, KeyUsing,
		KeyFrom, KeyJoin, KeyReturning, KeyQualify, KeyValues)
	mark(endsAlias, KeyWhere, KeyGroup, KeyOrder, KeyHaving, KeyLimit, KeyOffset, KeyFetch, KeyWindow, KeyQualify, KeyFor,
		KeyUnion, KeyExcept, KeyIntersect, KeyJoin, KeyOn, KeyUsing, KeyLeft, KeyRight, KeyInner, KeyOuter, KeyFull, KeyCross,
		KeyNatural, KeyAsof, KeySemi, KeyAnti, KeyPositional, KeyLateral, KeyStraightJoin, KeyTablesample, KeyPivot, KeyUnpivot,
		KeyWith, KeyAs, KeyUse, KeyForce, KeyIgnore, KeySelect, KeyReturning, KeyInto, KeyProcedure, KeyLock)
	mark(isReserved, KeySelect, KeyFrom, KeyWhere, KeyGroup, KeyOrder, KeyHaving, KeyUnion, KeyExcept, KeyIntersect, KeyJoin,
		KeyOn, KeyAnd, KeyOr, KeyNot, KeyIn, KeyInto, KeyCase, KeyWhen, KeyThen, KeyElse, KeyAs, KeyDistinct, KeyLimit)
	mark(inExpr, KeyAnd, KeyOr, KeyNot, KeyIn, KeyIs, KeyLike, KeyIlike, KeyRlike, KeyRegexp, KeyGlob, KeyMatch, KeySimilar,
		KeyBetween, KeyAs, KeyAsc, KeyDesc, KeyNulls, KeyCollate, KeyDiv, KeyMod, KeyXor, KeyEscape, KeyOver, KeyFilter,
		KeyOrder, KeyThen, KeyElse, KeyEnd, KeyWhen, KeyFrom, KeyAt, KeyLimit, KeySeparator, KeyFor)
	mark(isTyped, KeyExtract, KeySubstring, KeySubstr, KeyTrim, KeyOverlay, KeyPosition)
	mark(isJoining, KeyAnd, KeyOr, KeyNot, KeyXor, KeyDiv, KeyMod, KeyLike, KeyIs, KeyIn, KeyBetween, KeyCollate)
	mark(isShown, KeySelect, KeyFrom, KeyWhere, KeyGroup, KeyOrder, KeyBy, KeyHaving, KeyLimit, KeyOffset, KeyUnion, KeyExcept,
		KeyIntersect, KeyAll, KeyDistinct, KeyJoin, KeyInner, KeyOuter, KeyFull, KeyCross, KeyNatural, KeyLateral, KeyOn,
		KeyUsing, KeyAnd, KeyOr, KeyNot, KeyIn, KeyIs, KeyNull, KeyTrue, KeyFalse, KeyLike, KeyIlike, KeyBetween, KeyExists,
		KeyCase, KeyWhen, KeyThen, KeyElse, KeyEnd, KeyAs, KeyWith, KeyRecursive, KeyOver, KeyPartition, KeyAsc, KeyDesc,
		KeyNulls, KeyInterval, KeyCast, KeyEscape, KeyCollate, KeyWindow, KeyQualify, KeyFetch, KeyInto, KeyValues, KeyAny)
	mark(isSummary, KeyPivot, KeyUnpivot, KeyDescribe, KeySummarize)
	return t
}()

// Opens reports a keyword that opens a statement other than a query.
func (k Key) Opens() bool { return keyClass[k]&isStatement != 0 }

func (k Key) has(bit uint16) bool { return keyClass[k]&bit != 0 }
