package sqltext

import "strings"

// Key is a keyword, of any dialect; 0 is none. Whether it is reserved is the
// reader's question.
type Key uint8

// The keywords that mean something to a reader of this package.
const (
	KeyNone Key = iota
	KeyAgainst
	KeyAll
	KeyAlter
	KeyAnalyze
	KeyAnd
	KeyAnti
	KeyAny
	KeyAs
	KeyAsc
	KeyAsof
	KeyAt
	KeyAttach
	KeyBegin
	KeyBetween
	KeyBy
	KeyCall
	KeyCase
	KeyCast
	KeyCheckpoint
	KeyCollate
	KeyColumns
	KeyCommit
	KeyCopy
	KeyCreate
	KeyCross
	KeyCube
	KeyCycle
	KeyDeallocate
	KeyDeclare
	KeyDelete
	KeyDesc
	KeyDescribe
	KeyDetach
	KeyDiscard
	KeyDistinct
	KeyDiv
	KeyDo
	KeyDrop
	KeyDual
	KeyElse
	KeyEnd
	KeyEscape
	KeyExcept
	KeyExclude
	KeyExecute
	KeyExists
	KeyExplain
	KeyExport
	KeyExtract
	KeyFalse
	KeyFetch
	KeyFilter
	KeyFirst
	KeyFlush
	KeyFor
	KeyForce
	KeyFrom
	KeyFull
	KeyGlob
	KeyGrant
	KeyGroup
	KeyGrouping
	KeyHandler
	KeyHaving
	KeyIgnore
	KeyIlike
	KeyImport
	KeyIn
	KeyIndex
	KeyInner
	KeyInsert
	KeyInstall
	KeyIntersect
	KeyInterval
	KeyInto
	KeyIs
	KeyJoin
	KeyKey
	KeyKill
	KeyLast
	KeyLateral
	KeyLeft
	KeyLike
	KeyLimit
	KeyListen
	KeyLoad
	KeyLock
	KeyMatch
	KeyMaterialized
	KeyMerge
	KeyMinus
	KeyMod
	KeyName
	KeyNatural
	KeyNext
	KeyNo
	KeyNot
	KeyNotify
	KeyNull
	KeyNulls
	KeyOffset
	KeyOn
	KeyOnly
	KeyOr
	KeyOrder
	KeyOrdinality
	KeyOuter
	KeyOver
	KeyOverlay
	KeyPartition
	KeyPivot
	KeyPosition
	KeyPositional
	KeyPragma
	KeyPrepare
	KeyPrevious
	KeyProcedure
	KeyQualify
	KeyRecursive
	KeyRefresh
	KeyRegexp
	KeyReindex
	KeyRelease
	KeyRename
	KeyReplace
	KeyReset
	KeyReturning
	KeyRevoke
	KeyRight
	KeyRlike
	KeyRollback
	KeyRollup
	KeyRows
	KeySavepoint
	KeySearch
	KeySelect
	KeySemi
	KeySeparator
	KeySet
	KeySets
	KeyShare
	KeyShow
	KeySimilar
	KeySome
	KeyStart
	KeyStraightJoin
	KeySubstr
	KeySubstring
	KeySummarize
	KeyTable
	KeyTablesample
	KeyThen
	KeyTo
	KeyTrim
	KeyTrue
	KeyTruncate
	KeyUnion
	KeyUnlisten
	KeyUnlock
	KeyUnpivot
	KeyUpdate
	KeyUpsert
	KeyUse
	KeyUsing
	KeyVacuum
	KeyValue
	KeyValues
	KeyWhen
	KeyWhere
	KeyWindow
	KeyWith
	KeyWithin
	KeyXor
	KeyZone
	keyCount
)

// keyWords spells the keywords in the order of the constants.
const keyWords = `
	against all alter analyze and anti any as asc asof at attach begin between by call case cast
	checkpoint collate columns commit copy create cross cube cycle deallocate declare delete desc
	describe detach discard distinct div do drop dual else end escape except exclude execute exists
	explain export extract false fetch filter first flush for force from full glob grant group grouping
	handler having ignore ilike import in index inner insert install intersect interval into is join key
	kill last lateral left like limit listen load lock match materialized merge minus mod name natural
	next no not notify null nulls offset on only or order ordinality outer over overlay partition pivot
	position positional pragma prepare previous procedure qualify recursive refresh regexp reindex
	release rename replace reset returning revoke right rlike rollback rollup rows savepoint search
	select semi separator set sets share show similar some start straight_join substr substring summarize
	table tablesample then to trim true truncate union unlisten unlock unpivot update upsert use using
	vacuum value values when where window with within xor zone`

var keys = func() map[string]Key {
	m := make(map[string]Key, keyCount)
	for i, w := range strings.Fields(keyWords) {
		m[w] = Key(i + 1)
	}
	return m
}()

func keyOf(lower []byte) Key { return keys[string(lower)] }
