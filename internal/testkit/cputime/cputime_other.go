//go:build !linux

// Package cputime measures work by the processor's time that it took, where
// the system tells it of a thread; here it is the time on the clock.
package cputime

import "time"

// Of is the time of a call.
func Of(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}
