package compare

import (
	"bytes"
	"hash/maphash"

	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
)

// classes numbers distinct keys in order of first appearance. Keys lie end to
// end in one buffer; the table holds numbers only.
type classes struct {
	seed   maphash.Seed
	keys   []byte
	ends   []int
	hashes []uint64
	slots  []int32 // class + 1, 0 is free
}

func newClasses(expected int) *classes {
	size := 16
	for size < 2*expected {
		size *= 2
	}
	return &classes{seed: maphash.MakeSeed(), slots: make([]int32, size)}
}

// reserve makes room for the keys of rows and of as many others, judged by the
// first of them.
func (c *classes) reserve(rows table) {
	const sample = 16
	var key []byte
	for _, row := range rows[:min(len(rows), sample)] {
		for j := range row {
			key = cell.AppendKey(key, &row[j], false)
		}
	}
	if len(rows) > sample {
		c.keys = make([]byte, 0, (len(key)/sample+8)*2*len(rows))
		c.ends = make([]int, 0, 2*len(rows))
		c.hashes = make([]uint64, 0, 2*len(rows))
	}
}

func (c *classes) len() int { return len(c.ends) }

func (c *classes) key(class int32) []byte {
	start := 0
	if class > 0 {
		start = c.ends[class-1]
	}
	return c.keys[start:c.ends[class]]
}

// add gives the class of a key, a new one where the key is new.
func (c *classes) add(key []byte) int32 {
	hash := maphash.Bytes(c.seed, key)
	mask := uint64(len(c.slots) - 1)
	at := hash & mask
	for ; c.slots[at] != 0; at = (at + 1) & mask {
		class := c.slots[at] - 1
		if c.hashes[class] == hash && bytes.Equal(c.key(class), key) {
			return class
		}
	}
	class := int32(len(c.ends))
	c.keys = append(c.keys, key...)
	c.ends = append(c.ends, len(c.keys))
	c.hashes = append(c.hashes, hash)
	c.slots[at] = class + 1
	if 2*len(c.ends) > len(c.slots) {
		c.grow()
	}
	return class
}

func (c *classes) grow() {
	c.slots = make([]int32, 2*len(c.slots))
	mask := uint64(len(c.slots) - 1)
	for class, hash := range c.hashes {
		at := hash & mask
		for c.slots[at] != 0 {
			at = (at + 1) & mask
		}
		c.slots[at] = int32(class) + 1
	}
}
