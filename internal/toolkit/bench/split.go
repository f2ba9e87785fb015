package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// heldBack is the share of a one-file set that is kept from tuning.
const heldBack = 0.4

// fewQuestions is the size below which a half says little: at 30 questions a
// 95 % interval is some 30 points wide.
const fewQuestions = 30

// Split divides a one-file set into what tuning may read and what is held
// back, 40 % of it, by a hash of db:id:question. The same questions fall on
// the same side on every machine and in every order. Warnings name a half that
// is too small to mean anything.
func Split(items []Item) (dev, heldOut []Item, warnings []string) {
	for _, it := range items {
		if HeldBack(it.DB, it.ID, it.Question.Question) {
			heldOut = append(heldOut, it)
		} else {
			dev = append(dev, it)
		}
	}
	for _, half := range []struct {
		name string
		n    int
	}{{"dev", len(dev)}, {"held-out", len(heldOut)}} {
		if half.n < fewQuestions {
			warnings = append(warnings, fmt.Sprintf("the %s half has %d of %d questions: too few to tell a change of less than some 30 points from chance", half.name, half.n, len(items)))
		}
	}
	return dev, heldOut, warnings
}

// HeldBack tells the half of one question.
func HeldBack(db, id, question string) bool {
	sum := sha256.Sum256([]byte(db + ":" + id + ":" + question))
	return float64(binary.BigEndian.Uint64(sum[:8]))/(1<<64) < heldBack
}
