package sqltext

// NamedParam is a :name parameter in SQL text; Start and End are byte offsets
// with the colon.
type NamedParam struct {
	Name       string
	Start, End int
}

// NamedParams are the :name parameters of sql in order, whatever parameters
// the dialect itself knows. A colon that follows a value directly, as in
// a[1:n], begins none.
func NamedParams(sql string, rules *Rules) []NamedParam {
	withColon := *rules
	withColon.ColonParam = true
	script := Scan(sql, &withColon)
	var params []NamedParam
	for i, t := range script.Tokens {
		if t.Kind != Param || t.First != ':' {
			continue
		}
		if i > 0 && script.Tokens[i-1].End == t.Start && !script.opens(i-1) {
			continue
		}
		params = append(params, NamedParam{script.Text(i)[1:], int(t.Start), int(t.End)})
	}
	return params
}

func (s *Script) opens(i int) bool {
	return s.IsKind(i, Open) || s.IsKind(i, Operator) || s.IsKind(i, Comma)
}
