// Package orderkey finds out by what a gold sorts its rows: it rewrites the
// gold so that its key comes with the rows, and reads the key from the result.
// Running it is its caller's.
package orderkey
