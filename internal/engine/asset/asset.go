// Package asset makes trusted queries runnable: their text is checked like any
// other, and their parameters are bound to values of the declared types.
package asset

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/semantic"
)

// ParamError is what is wrong with the value of a parameter.
type ParamError struct {
	Asset, Param, Type string
	// Problem is said of the value: "is missing", …
	Problem string
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("%s: the parameter %s (%s) %s", e.Asset, e.Param, e.Type, e.Problem)
}

// Bind checks a trusted query and gives the values to run it with, in the
// order of the statement's parameters:
//
//	st, args, err := asset.Bind(ctx, a, params, policy)
//	res, err := session.Query(ctx, st, caps, args...)
//
// A value that is missing, not declared or not of its type is a *ParamError,
// text the guard does not let pass a *guard.Refusal.
func Bind(ctx context.Context, a semantic.Asset, params map[string]semantic.Scalar, p *guard.Policy) (guard.Statement, []db.Value, error) {
	values := make(map[string]db.Value, len(a.Params))
	names := make([]string, len(a.Params))
	for i, declared := range a.Params {
		names[i] = declared.Name
		given, ok := params[declared.Name]
		fail := &ParamError{Asset: a.Name, Param: declared.Name, Type: declared.Type, Problem: "has no value"}
		if !ok {
			return guard.Statement{}, nil, fail
		}
		v, problem := valueOf(declared.Type, given)
		if problem != "" {
			fail.Problem = problem
			return guard.Statement{}, nil, fail
		}
		values[declared.Name] = v
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if _, ok := values[name]; !ok {
			return guard.Statement{}, nil, fmt.Errorf("%s takes no parameter %s; it takes %s", a.Name, name, listed(names))
		}
	}
	st, err := guard.CheckBound(ctx, a.SQL, names, p)
	if err != nil {
		return guard.Statement{}, nil, fmt.Errorf("trusted query %s: %w", a.Name, err)
	}
	args := make([]db.Value, len(st.Params()))
	for i, name := range st.Params() {
		args[i] = values[name]
	}
	return st, args, nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
