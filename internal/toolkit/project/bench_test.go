package project_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// BenchmarkLoad reads 1,000 tables of 20 profiled columns.
func BenchmarkLoad(b *testing.B) {
	files := map[string]string{}
	for i := range 1000 {
		var t strings.Builder
		fmt.Fprintf(&t, "table: table_%d\ndescription: One row per thing number %d.\nsynonyms: [things, stuff]\ncolumns:\n", i, i)
		for c := range 20 {
			fmt.Fprintf(&t, "  - name: column_%d\n    type: bigint\n    description: What column %d holds, in cents.\n    profile: { nulls: 0.0, distinct: ~4216%d, min: 0, max: 4200000, p50: 4999, p95: 28900 }\n    sample_values: [a, b, c]\n", c, c, c)
		}
		fmt.Fprintf(&t, "joins:\n  - to: table_%d\n    type: many_to_one\n    on: table_%d.column_1 = table_%d.column_0\n", (i+1)%1000, i, (i+1)%1000)
		files[fmt.Sprintf("semantics/table_%d.yaml", i)] = t.String()
	}
	dir := folder(b, files)
	for b.Loop() {
		if _, err := project.Load(dir); err != nil {
			b.Fatal(err)
		}
	}
}
