package sqltext

// Class is what a reader sees a piece of SQL as.
type Class uint8

// The classes.
const (
	AsName Class = iota
	AsKeyword
	AsFunction
	AsText
	AsNumber
	AsSign
	AsComment
)

// Span is a token or comment with its class, for colours.
type Span struct {
	Start, End int
	Class      Class
}

// Spans classes every token and comment, in order of appearance.
func (s *Script) Spans() []Span {
	spans := make([]Span, 0, len(s.Tokens)+len(s.Comments))
	comments := s.Comments
	for i, t := range s.Tokens {
		for len(comments) > 0 && comments[0].Start < t.Start {
			spans = append(spans, Span{int(comments[0].Start), int(comments[0].End), AsComment})
			comments = comments[1:]
		}
		spans = append(spans, Span{int(t.Start), int(t.End), s.class(i)})
	}
	for _, c := range comments {
		spans = append(spans, Span{int(c.Start), int(c.End), AsComment})
	}
	return spans
}

func (s *Script) class(i int) Class {
	t := s.Tokens[i]
	switch t.Kind {
	case Word:
		switch {
		case t.Key.has(isShown) && !s.IsKind(i+1, Dot):
			return AsKeyword
		case s.Is(i+1, "("):
			return AsFunction
		case t.Key.has(isStatement) && i == 0:
			return AsKeyword
		}
		return AsName
	case Name:
		return AsName
	case String:
		return AsText
	case Number, Param:
		return AsNumber
	}
	return AsSign
}
