// Package cputime measures work by the processor's time that it took, which a
// busy machine does not lengthen as it does the time on the clock.
package cputime

import (
	"runtime"
	"syscall"
	"time"
)

// Of is the processor time of a call that starts no goroutine.
func Of(do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := used()
	do()
	return used() - start
}

// thread asks for this thread's own usage (RUSAGE_THREAD of getrusage(2)).
const thread = 1

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
