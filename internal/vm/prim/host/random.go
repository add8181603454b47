package host

import (
	"fmt"
	"hash/fnv"
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// randomPrimitives returns the sources of random numbers. Numbers are inputs of the run,
// which become concrete when nobody can tell any more what they were (see [state.State.Fix]).
// Seeds of hashes are concrete at once: they only decide where data lies.
func randomPrimitives() []exec.Primitive {
	list := []exec.Primitive{
		{Name: "hash/maphash.randUint64", Run: seed(run.OneHashSeed), HasBody: true, Optional: true}, // the body reads crypto/rand
		{Name: "internal/sync.runtime_rand", Run: seed(run.OneMapSeed), Optional: true},
		{Name: "net.runtime_rand", Run: seed(run.OneNetNumber), Optional: true},
		{Name: "crypto/internal/sysrand.unsearched", Run: seed(run.OneKey), Optional: true},
	}
	for name, prefix := range map[string]string{
		"math/rand.runtime_rand":    run.RandomPrefix,
		"math/rand/v2.runtime_rand": run.RandomPrefix,
		"runtime.rand":              run.RuntimePrefix,
	} {
		list = append(list, exec.Primitive{Name: name, Run: number(prefix, code.Uint64), Shadows: true, Optional: true})
	}
	for name, prefix := range map[string]string{
		"math/rand.below":    run.RandomPrefix,
		"math/rand/v2.below": run.RandomPrefix,
		"runtime.below":      run.RuntimePrefix,
		"crypto/rand.below":  run.RandomPrefix, // a die
	} {
		list = append(list, exec.Primitive{Name: name, Run: below(prefix), Shadows: true, Optional: true})
	}
	for pkg, use := range map[string]state.Use{
		"math/rand":            state.Mixed, // a seed
		"math/rand/v2":         state.Mixed,
		"internal/chacha8rand": state.Mixed, // likewise
		"internal/strconv":     state.Concrete,
		"fmt":                  state.Concrete,
	} {
		list = append(list, exec.Primitive{Name: pkg + ".fixed", Run: fixed(use), Shadows: true, Optional: true})
	}
	return append(list,
		exec.Primitive{Name: "crypto/internal/sysrand.random", Run: number(run.CryptoPrefix, code.Uint8), Shadows: true, Optional: true},
		exec.Primitive{Name: "syscall.random", Run: number(run.CryptoPrefix, code.Uint8), Shadows: true},
	)
}

// seed returns the function of a primitive whose result is the same in every run. A verdict
// says so in the words of bound.
func seed(bound string) func(*exec.Call) {
	return func(c *exec.Call) {
		_, value := drawRandom(c, run.RandomPrefix)
		if initialising(c) {
			c.Machine.Trace.Bounds.Add(run.InitChoices)
		} else {
			c.Machine.AddBound(c.Machine.OwnSite(c.Goroutine), bound)
		}
		c.Set(0, value)
	}
}

// number returns the function of a primitive whose result is a random number of kind k.
func number(prefix string, k code.Kind) func(*exec.Call) {
	return func(c *exec.Call) {
		x := drawNumber(c, prefix, k, 1<<k.Bits()-1)
		c.Set(0, x.N)
		c.SetShadow(0, x.Sym)
	}
}

// below returns the function of a primitive whose result is a random number that is less than
// the argument, a uint64 that is not 0. The library draws numbers until one suits; that would
// be a path for each number that does not.
func below(prefix string) func(*exec.Call) {
	return func(c *exec.Call) {
		a, n, limit := c.Machine.Arena, c.Window[0].N, c.Shadow(0)
		if n == 1 && limit == expr.None {
			c.Set(0, 0)
			c.SetShadow(0, expr.None)
			return
		}
		k := code.Uint64
		for _, smaller := range []code.Kind{code.Uint32, code.Uint16, code.Uint8} {
			if limit == expr.None && bits.Len64(n-1) <= smaller.Bits() {
				k = smaller
			}
		}
		x := drawNumber(c, prefix, k, n-1)
		if x.Sym != expr.None {
			x.Sym = a.ZExt(x.Sym, 64)
			if limit == expr.None {
				limit = a.Const(n, 64)
			}
			c.Machine.AddCondition(c.Goroutine, a.Ult(x.Sym, limit), true, run.Assumed)
		}
		c.Set(0, x.N)
		c.SetShadow(0, x.Sym)
	}
}

// maxDraws is the number of random numbers that are inputs of a run. Each one that decides
// something doubles the number of runs, so that no search comes to an end with more.
const maxDraws = 256

// drawNumber draws a random number of kind k, from 0 to limit.
func drawNumber(c *exec.Call, prefix string, k code.Kind, limit uint64) symbolic.Operand {
	m := c.Machine
	name, value := drawRandom(c, prefix)
	if value &= 1<<k.Bits() - 1; value > limit {
		value %= limit + 1
	}
	x := symbolic.Operand{Word: heap.Word{N: value}}
	switch {
	case initialising(c):
		m.Trace.Bounds.Add(run.InitChoices)
		return x
	case m.Draws == maxDraws:
		m.AddBound(m.OwnSite(c.Goroutine), run.OneLater)
		return x
	}
	v := m.AddInput(m.InputPrefix+name, uint8(k.Bits()), limit, value)
	v.Site = m.OwnSite(c.Goroutine)
	m.Draws++
	if prefix != run.RandomPrefix {
		m.Keys++
	}
	x.N, x.Sym = v.Value, v.Sym
	return x
}

// fixed returns the function of a primitive that returns its argument, which is for the given
// use, after the random numbers and readings of the clock that it depends on have been fixed.
func fixed(use state.Use) func(*exec.Call) {
	return func(c *exec.Call) {
		x := c.Shadow(0)
		c.Set(0, c.Window[0].N)
		if x != expr.None && c.Machine.Fix(c.Goroutine, x, use) {
			x = expr.None
		}
		c.SetShadow(0, x)
	}
}

// initialising reports whether a package initialiser draws the number, which is the same
// in every run then: there are no inputs before the first run, and each input of an
// initialiser would be one of all targets.
func initialising(c *exec.Call) bool { return c.Goroutine.ID == 0 && c.Machine.Initialising() }

// drawRandom returns the name of the goroutine's next random number, and the value that
// it has unless the plan gives another one. The value looks random, so that code that
// draws numbers until one is suitable terminates.
func drawRandom(c *exec.Call, prefix string) (name string, value uint64) {
	name = fmt.Sprintf("%s%s)#%d", prefix, c.Machine.Names.String(c.Goroutine.ID), c.Goroutine.Randoms)
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
