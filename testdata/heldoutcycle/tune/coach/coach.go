// Package coach must never read the held-out set.
package coach
