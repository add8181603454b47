package vm

import (
	"fmt"
	"hash/fnv"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// randomPrimitives lists the sources of random numbers. Those of math/rand are
// inputs of the run. Seeds of hashes and cryptographic keys are scrambled too
// much for other values to be looked for: they are the same in every run, which
// the trace says.
func randomPrimitives() []primitive {
	input := func(c *call) {
		name, value := drawRandom(c)
		if initialising(c.m) {
			c.set(0, value)
			c.setShadow(0, expr.None)
			return
		}
		x := c.m.drawUpTo(name, code.Uint64, 1<<64-1, value)
		c.set(0, x.N)
		c.setShadow(0, x.Sym)
	}
	concrete := func(c *call) {
		if !initialising(c.m) {
			c.m.GiveUp(c.g, "random number made concrete")
		}
		_, value := drawRandom(c)
		c.set(0, value)
	}
	return []primitive{
		{name: "math/rand.runtime_rand", run: input, shadows: true},
		{name: "math/rand/v2.runtime_rand", run: input, shadows: true},
		{name: "runtime.rand", run: input, shadows: true},
		{name: "hash/maphash.randUint64", run: concrete},
		{name: "internal/sync.runtime_rand", run: concrete},
		{name: "syscall.random", run: concrete},
		{name: "net.runtime_rand", run: concrete},
	}
}

// initialising reports whether the packages are being initialised, when there are
// no inputs yet.
func initialising(m *Interpreter) bool { return !m.Heap.Recording() }

// drawRandom returns the name of the next random number of the goroutine, and the
// value that it has unless the plan gives it another: one that looks random, so
// that code which draws until it likes a number comes to an end.
func drawRandom(c *call) (name string, value uint64) {
	name = fmt.Sprintf("rand(%s)#%d", c.m.Names.String(c.g.ID), c.g.Randoms)
	c.g.Randoms++
	c.m.Chosen()
	h := fnv.New64a()
	h.Write([]byte(name))
	// The finaliser of splitmix64 spreads the hash over all bits.
	z := h.Sum64()
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return name, z ^ z>>31
}
