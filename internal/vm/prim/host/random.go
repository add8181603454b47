package host

import (
	"fmt"
	"hash/fnv"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
)

// randomPrimitives returns the sources of random numbers. Those of math/rand are inputs
// of the run. Seeds of hashes and cryptographic keys are scrambled so much that a search
// for other values is hopeless. They are the same in every run, and the trace records
// that.
func randomPrimitives() []exec.Primitive {
	input := func(c *exec.Call) {
		name, value := drawRandom(c)
		if initialising(c) {
			c.Machine.Trace.Bounds.Add(run.InitChoices)
			c.Set(0, value)
			c.SetShadow(0, expr.None)
			return
		}
		x := c.Machine.DrawUpTo(name, code.Uint64, 1<<64-1, value)
		c.Set(0, x.N)
		c.SetShadow(0, x.Sym)
	}
	concrete := func(c *exec.Call) {
		if initialising(c) {
			c.Machine.Trace.Bounds.Add(run.InitChoices)
		} else {
			c.Machine.GiveUp(c.Goroutine, "random number made concrete")
		}
		_, value := drawRandom(c)
		c.Set(0, value)
	}
	return []exec.Primitive{
		{Name: "math/rand.runtime_rand", Run: input, Shadows: true, Optional: true},
		{Name: "math/rand/v2.runtime_rand", Run: input, Shadows: true, Optional: true},
		{Name: "runtime.rand", Run: input, Shadows: true},
		{Name: "hash/maphash.randUint64", Run: concrete, HasBody: true, Optional: true}, // the body reads crypto/rand
		{Name: "internal/sync.runtime_rand", Run: concrete, Optional: true},
		{Name: "syscall.random", Run: concrete},
		{Name: "net.runtime_rand", Run: concrete, Optional: true},
	}
}

// initialising reports whether a package initialiser draws the number, which is the same
// in every run then: there are no inputs before the first run, and each input of an
// initialiser would be one of all targets.
func initialising(c *exec.Call) bool { return c.Goroutine.ID == 0 && c.Machine.Initialising() }

// drawRandom returns the name of the goroutine's next random number, and the value that
// it has unless the plan gives another one. The value looks random, so that code that
// draws numbers until one is suitable terminates.
func drawRandom(c *exec.Call) (name string, value uint64) {
	name = fmt.Sprintf("rand(%s)#%d", c.Machine.Names.String(c.Goroutine.ID), c.Goroutine.Randoms)
	c.Goroutine.Randoms++
	c.Machine.NoteChoice()
	h := fnv.New64a()
	h.Write([]byte(name))
	// The finaliser of splitmix64 spreads the hash over all bits.
	z := h.Sum64()
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return name, z ^ z>>31
}
