package values

// tolerated is the number of typos a text of n characters may hold and still
// be taken for a stored value.
func tolerated(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 9:
		return 1
	case n < 16:
		return 2
	}
	return 3
}
