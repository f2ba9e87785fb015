package workbench

import "context"

// Unbounded says which of the project's bounds on what a statement reads do
// not hold, because the engine does not say what it expects; "" when all do.
func (w *Workbench) Unbounded(ctx context.Context) (string, error) {
	if w.project == nil {
		return "", nil
	}
	d := w.project.Manifest.Defaults
	if d.MaxRowsScanned == 0 && d.MaxCost == 0 {
		return "", nil
	}
	database, err := w.Database(ctx)
	if err != nil {
		return "", err
	}
	engine := database.Dialect()
	switch {
	case engine.Expect == nil:
		return engine.Title + " does not say beforehand what a statement will read, so defaults.max_rows_scanned and max_cost do nothing here; defaults.timeout does", nil
	case d.MaxCost > 0 && !engine.HasCost:
		return engine.Title + " gives no cost beforehand, so defaults.max_cost does nothing here; defaults.max_rows_scanned does", nil
	}
	return "", nil
}
