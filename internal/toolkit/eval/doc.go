// Package eval asks solvers the questions of a benchmark, has their SQL scored
// and puts the outcomes side by side. The oracle and the mute solver stand in
// every table: if they are not at 100 % and 0 %, the harness is wrong and no
// other row means anything.
package eval
