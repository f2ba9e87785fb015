//go:build peek

package coach

import _ "cycle.test/heldout"
