package sqltext

// Key is a keyword, of any dialect; 0 is none. Whether it is reserved is the
// reader's question.
type Key uint8

// The keywords that mean something to a reader of this package.
const (
	KeyNone Key = iota
	KeyAbort
	KeyAgainst
	KeyAll
	KeyAlter
	KeyAnalyze
	KeyAnd
	KeyAnti
	KeyAny
	KeyArray
	KeyAs
	KeyAsc
	KeyAsof
	KeyAt
	KeyAttach
	KeyBegin
	KeyBetween
	KeyBigint
	KeyBinary
	KeyBit
	KeyBoolean
	KeyBoth
	KeyBy
	KeyCall
	KeyCascade
	KeyCase
	KeyCast
	KeyChar
	KeyCharacter
	KeyCheckpoint
	KeyClose
	KeyCluster
	KeyCoalesce
	KeyCollate
	KeyColumns
	KeyComment
	KeyCommit
	KeyConvert
	KeyCopy
	KeyCreate
	KeyCross
	KeyCube
	KeyCurrent
	KeyCycle
	KeyDate
	KeyDatetime
	KeyDeallocate
	KeyDec
	KeyDecimal
	KeyDeclare
	KeyDefault
	KeyDelete
	KeyDesc
	KeyDescribe
	KeyDetach
	KeyDiscard
	KeyDistinct
	KeyDiv
	KeyDo
	KeyDouble
	KeyDrop
	KeyDual
	KeyDumpfile
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
	KeyFloat
	KeyFlush
	KeyFollowing
	KeyFor
	KeyForce
	KeyFrom
	KeyFull
	KeyGlob
	KeyGrant
	KeyGroup
	KeyGrouping
	KeyGroups
	KeyHandler
	KeyHaving
	KeyIf
	KeyIgnore
	KeyIlike
	KeyImport
	KeyIn
	KeyInclude
	KeyIndex
	KeyInner
	KeyInsert
	KeyInstall
	KeyInt
	KeyInteger
	KeyIntersect
	KeyInterval
	KeyInto
	KeyIs
	KeyJoin
	KeyKey
	KeyKill
	KeyLanguage
	KeyLast
	KeyLateral
	KeyLeading
	KeyLeft
	KeyLike
	KeyLimit
	KeyListen
	KeyLoad
	KeyLock
	KeyLocked
	KeyLtrim
	KeyMatch
	KeyMaterialized
	KeyMerge
	KeyMinus
	KeyMod
	KeyMove
	KeyName
	KeyNatural
	KeyNchar
	KeyNext
	KeyNo
	KeyNot
	KeyNotify
	KeyNowait
	KeyNull
	KeyNulls
	KeyNumeric
	KeyNvarchar
	KeyOffset
	KeyOn
	KeyOnly
	KeyOr
	KeyOrder
	KeyOrdinality
	KeyOuter
	KeyOutfile
	KeyOver
	KeyOverlay
	KeyPartition
	KeyPivot
	KeyPivotLonger
	KeyPosition
	KeyPositional
	KeyPragma
	KeyPreceding
	KeyPrecision
	KeyPrepare
	KeyPrevious
	KeyProcedure
	KeyQualify
	KeyRange
	KeyReal
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
	KeyRow
	KeyRows
	KeyRtrim
	KeySample
	KeySavepoint
	KeySearch
	KeySecurity
	KeySelect
	KeySeparator
	KeySemi
	KeySet
	KeySets
	KeyShare
	KeyShow
	KeySimilar
	KeySkip
	KeySmallint
	KeySome
	KeyStart
	KeyStraightJoin
	KeySubstr
	KeySubstring
	KeySummarize
	KeyTable
	KeyTablesample
	KeyTemp
	KeyTemporary
	KeyText
	KeyThen
	KeyTies
	KeyTime
	KeyTimestamp
	KeyTimestamptz
	KeyTo
	KeyTrailing
	KeyTrim
	KeyTrue
	KeyTruncate
	KeyTryCast
	KeyUnbounded
	KeyUnion
	KeyUnique
	KeyUnlisten
	KeyUnlock
	KeyUnnest
	KeyUnpivot
	KeyUpdate
	KeyUpsert
	KeyUse
	KeyUsing
	KeyVacuum
	KeyValue
	KeyValues
	KeyVarbinary
	KeyVarchar
	KeyView
	KeyWhen
	KeyWhere
	KeyWindow
	KeyWith
	KeyWithin
	KeyXor
	KeyZone
)

var keys = map[string]Key{
	"abort":         KeyAbort,
	"against":       KeyAgainst,
	"all":           KeyAll,
	"alter":         KeyAlter,
	"analyze":       KeyAnalyze,
	"and":           KeyAnd,
	"anti":          KeyAnti,
	"any":           KeyAny,
	"array":         KeyArray,
	"as":            KeyAs,
	"asc":           KeyAsc,
	"asof":          KeyAsof,
	"at":            KeyAt,
	"attach":        KeyAttach,
	"begin":         KeyBegin,
	"between":       KeyBetween,
	"bigint":        KeyBigint,
	"binary":        KeyBinary,
	"bit":           KeyBit,
	"boolean":       KeyBoolean,
	"both":          KeyBoth,
	"by":            KeyBy,
	"call":          KeyCall,
	"cascade":       KeyCascade,
	"case":          KeyCase,
	"cast":          KeyCast,
	"char":          KeyChar,
	"character":     KeyCharacter,
	"checkpoint":    KeyCheckpoint,
	"close":         KeyClose,
	"cluster":       KeyCluster,
	"coalesce":      KeyCoalesce,
	"collate":       KeyCollate,
	"columns":       KeyColumns,
	"comment":       KeyComment,
	"commit":        KeyCommit,
	"convert":       KeyConvert,
	"copy":          KeyCopy,
	"create":        KeyCreate,
	"cross":         KeyCross,
	"cube":          KeyCube,
	"current":       KeyCurrent,
	"cycle":         KeyCycle,
	"date":          KeyDate,
	"datetime":      KeyDatetime,
	"deallocate":    KeyDeallocate,
	"dec":           KeyDec,
	"decimal":       KeyDecimal,
	"declare":       KeyDeclare,
	"default":       KeyDefault,
	"delete":        KeyDelete,
	"desc":          KeyDesc,
	"describe":      KeyDescribe,
	"detach":        KeyDetach,
	"discard":       KeyDiscard,
	"distinct":      KeyDistinct,
	"div":           KeyDiv,
	"do":            KeyDo,
	"double":        KeyDouble,
	"drop":          KeyDrop,
	"dual":          KeyDual,
	"dumpfile":      KeyDumpfile,
	"else":          KeyElse,
	"end":           KeyEnd,
	"escape":        KeyEscape,
	"except":        KeyExcept,
	"exclude":       KeyExclude,
	"execute":       KeyExecute,
	"exists":        KeyExists,
	"explain":       KeyExplain,
	"export":        KeyExport,
	"extract":       KeyExtract,
	"false":         KeyFalse,
	"fetch":         KeyFetch,
	"filter":        KeyFilter,
	"first":         KeyFirst,
	"float":         KeyFloat,
	"flush":         KeyFlush,
	"following":     KeyFollowing,
	"for":           KeyFor,
	"force":         KeyForce,
	"from":          KeyFrom,
	"full":          KeyFull,
	"glob":          KeyGlob,
	"grant":         KeyGrant,
	"group":         KeyGroup,
	"grouping":      KeyGrouping,
	"groups":        KeyGroups,
	"handler":       KeyHandler,
	"having":        KeyHaving,
	"if":            KeyIf,
	"ignore":        KeyIgnore,
	"ilike":         KeyIlike,
	"import":        KeyImport,
	"in":            KeyIn,
	"include":       KeyInclude,
	"index":         KeyIndex,
	"inner":         KeyInner,
	"insert":        KeyInsert,
	"install":       KeyInstall,
	"int":           KeyInt,
	"integer":       KeyInteger,
	"intersect":     KeyIntersect,
	"interval":      KeyInterval,
	"into":          KeyInto,
	"is":            KeyIs,
	"join":          KeyJoin,
	"key":           KeyKey,
	"kill":          KeyKill,
	"language":      KeyLanguage,
	"last":          KeyLast,
	"lateral":       KeyLateral,
	"leading":       KeyLeading,
	"left":          KeyLeft,
	"like":          KeyLike,
	"limit":         KeyLimit,
	"listen":        KeyListen,
	"load":          KeyLoad,
	"lock":          KeyLock,
	"locked":        KeyLocked,
	"ltrim":         KeyLtrim,
	"match":         KeyMatch,
	"materialized":  KeyMaterialized,
	"merge":         KeyMerge,
	"minus":         KeyMinus,
	"mod":           KeyMod,
	"move":          KeyMove,
	"name":          KeyName,
	"natural":       KeyNatural,
	"nchar":         KeyNchar,
	"next":          KeyNext,
	"no":            KeyNo,
	"not":           KeyNot,
	"notify":        KeyNotify,
	"nowait":        KeyNowait,
	"null":          KeyNull,
	"nulls":         KeyNulls,
	"numeric":       KeyNumeric,
	"nvarchar":      KeyNvarchar,
	"offset":        KeyOffset,
	"on":            KeyOn,
	"only":          KeyOnly,
	"or":            KeyOr,
	"order":         KeyOrder,
	"ordinality":    KeyOrdinality,
	"outer":         KeyOuter,
	"outfile":       KeyOutfile,
	"over":          KeyOver,
	"overlay":       KeyOverlay,
	"partition":     KeyPartition,
	"pivot":         KeyPivot,
	"pivot_longer":  KeyPivotLonger,
	"position":      KeyPosition,
	"positional":    KeyPositional,
	"pragma":        KeyPragma,
	"preceding":     KeyPreceding,
	"precision":     KeyPrecision,
	"prepare":       KeyPrepare,
	"previous":      KeyPrevious,
	"procedure":     KeyProcedure,
	"qualify":       KeyQualify,
	"range":         KeyRange,
	"real":          KeyReal,
	"recursive":     KeyRecursive,
	"refresh":       KeyRefresh,
	"regexp":        KeyRegexp,
	"reindex":       KeyReindex,
	"release":       KeyRelease,
	"rename":        KeyRename,
	"replace":       KeyReplace,
	"reset":         KeyReset,
	"returning":     KeyReturning,
	"revoke":        KeyRevoke,
	"right":         KeyRight,
	"rlike":         KeyRlike,
	"rollback":      KeyRollback,
	"rollup":        KeyRollup,
	"row":           KeyRow,
	"rows":          KeyRows,
	"rtrim":         KeyRtrim,
	"sample":        KeySample,
	"savepoint":     KeySavepoint,
	"search":        KeySearch,
	"security":      KeySecurity,
	"separator":     KeySeparator,
	"select":        KeySelect,
	"semi":          KeySemi,
	"set":           KeySet,
	"sets":          KeySets,
	"share":         KeyShare,
	"show":          KeyShow,
	"similar":       KeySimilar,
	"skip":          KeySkip,
	"smallint":      KeySmallint,
	"some":          KeySome,
	"start":         KeyStart,
	"straight_join": KeyStraightJoin,
	"substr":        KeySubstr,
	"substring":     KeySubstring,
	"summarize":     KeySummarize,
	"table":         KeyTable,
	"tablesample":   KeyTablesample,
	"temp":          KeyTemp,
	"temporary":     KeyTemporary,
	"text":          KeyText,
	"then":          KeyThen,
	"ties":          KeyTies,
	"time":          KeyTime,
	"timestamp":     KeyTimestamp,
	"timestamptz":   KeyTimestamptz,
	"to":            KeyTo,
	"trailing":      KeyTrailing,
	"trim":          KeyTrim,
	"true":          KeyTrue,
	"truncate":      KeyTruncate,
	"try_cast":      KeyTryCast,
	"unbounded":     KeyUnbounded,
	"union":         KeyUnion,
	"unique":        KeyUnique,
	"unlisten":      KeyUnlisten,
	"unlock":        KeyUnlock,
	"unnest":        KeyUnnest,
	"unpivot":       KeyUnpivot,
	"update":        KeyUpdate,
	"upsert":        KeyUpsert,
	"use":           KeyUse,
	"using":         KeyUsing,
	"vacuum":        KeyVacuum,
	"value":         KeyValue,
	"values":        KeyValues,
	"varbinary":     KeyVarbinary,
	"varchar":       KeyVarchar,
	"view":          KeyView,
	"when":          KeyWhen,
	"where":         KeyWhere,
	"window":        KeyWindow,
	"with":          KeyWith,
	"within":        KeyWithin,
	"xor":           KeyXor,
	"zone":          KeyZone,
}

func keyOf(lower []byte) Key { return keys[string(lower)] }
