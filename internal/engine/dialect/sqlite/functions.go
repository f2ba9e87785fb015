package sqlite

import _ "embed"

// functionList is generated from the engine by the driver's tests (-update):
// what the engine has, less what does more than compute.
//
//go:embed functions.txt
var functionList string
