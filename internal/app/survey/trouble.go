package survey

import (
	"context"
	"fmt"

	"github.com/sqbyl/sqbyl/internal/app/benchcheck"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
)

// Trouble says on the error output, and returns, what of the database is
// missing in the schema, a damaged file of a folder, say, and that the
// project's benchmarks hold mistakes. What a credential may do beyond reading
// comes with its remedy, and is for other commands.
func Trouble(ctx context.Context, s *term.Streams, wb *workbench.Workbench) ([]string, error) {
	database, err := wb.Database(ctx)
	if err != nil {
		return nil, err
	}
	trouble := []string{}
	for _, w := range database.Info().Warnings {
		if len(w.Remedy) == 0 {
			trouble = append(trouble, w.Message)
		}
	}
	if text := benchcheck.Trouble(wb.Project()); text != "" {
		trouble = append(trouble, text)
	}
	for _, text := range trouble {
		fmt.Fprintf(s.Err, "%s %s\n", s.ErrStyle.Text("!"), term.Clean(text))
	}
	return trouble, nil
}
