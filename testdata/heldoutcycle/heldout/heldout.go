// Package heldout scores what tuning picked, so it imports every tuning package.
package heldout

import _ "cycle.test/tune/coach"
