package hyperconcolic

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/run"
)

// A prefix is the beginning of a path: a number of conditions and a hash of them. The hash is
// that of the structure of the expressions, so it is the same in every arena.
type prefix struct {
	conditions int
	hash       uint64
}

// and returns the prefix p followed by a condition with the given hash.
func (p prefix) and(hash uint64) prefix {
	const odd = 0x9e3779b97f4a7c15
	return prefix{p.conditions + 1, (bits.RotateLeft64(p.hash, 23) ^ hash) * odd}
}

// An outcome is a hash of what is known of a condition before the run in which it has it: of the
// condition itself or, if a value is concretized, of the value, since a new one is not known.
type outcome uint64

// outcome returns the outcome of a condition.
func (b *expansion) outcome(c *run.Condition) outcome {
	x := c.Cond
	if c.Kind == run.Concretized {
		x = c.Value
	}
	return outcome(prefix{}.and(b.arena.Hash(x)).and(uint64(c.Kind)).hash)
}
