package guard

import "time"

// AsOf freezes the statement's clock: the tokens for now are replaced by
// literals of Time in its location.
type AsOf struct {
	Time time.Time
	// Literal spells the replacement for one token or call, as the dialect
	// writes it; ok is false where the token does not mean now.
	Literal func(token string, at time.Time) (text string, ok bool)
}
