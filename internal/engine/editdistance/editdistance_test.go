package editdistance

import "testing"

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", 2, 0}, {"abc", "abc", 2, 0}, {"abc", "acb", 2, 1}, {"abc", "abcd", 2, 1}, {"abc", "xyz", 2, 3}, {"kitten", "sitting", 3, 3}, {"æb", "ab", 1, 1},
	} {
		if got := Within(c.a, c.b, c.limit); got != c.want {
			t.Errorf("Within(%q, %q, %d) = %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "xyz", 3}, {"kitten", "sitting", 3}, {"form_day", "from_day", 1}, {"æøå", "aoa", 3},
	} {
		if got := Between(c.a, c.b); got != c.want {
			t.Errorf("Between(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
