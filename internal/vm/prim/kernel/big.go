package kernel

import (
	"go/types"
	"math/bits"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A bigKernel is a function of package math/big on vectors of machine words, all of the
// same length, and on single words after them. It sets the first vector and returns the
// carry. It processes the vectors in the same order as the portable version in math/big,
// since they may overlap.
type bigKernel struct {
	name           string
	also           string // another package that has it under this name
	vectors, words int
	run            func(z []heap.Word, x [][]heap.Word, w []uint64) (carry uint64)
}

var bigKernels = []bigKernel{
	{"nativeAddVV", "", 3, 0, func(z []heap.Word, x [][]heap.Word, w []uint64) (c uint64) {
		for i := range z {
			z[i].N, c = bits.Add64(x[0][i].N, x[1][i].N, c)
		}
		return c
	}},
	{"nativeSubVV", "", 3, 0, func(z []heap.Word, x [][]heap.Word, w []uint64) (c uint64) {
		for i := range z {
			z[i].N, c = bits.Sub64(x[0][i].N, x[1][i].N, c)
		}
		return c
	}},
	{"nativeLshVU", "", 2, 1, func(z []heap.Word, x [][]heap.Word, w []uint64) (c uint64) {
		for i := len(z) - 1; i >= 0; i-- {
			v := x[0][i].N
			if i == len(z)-1 {
				c = v >> (64 - w[0])
			}
			z[i].N = v << w[0]
			if i > 0 {
				z[i].N |= x[0][i-1].N >> (64 - w[0])
			}
		}
		return c
	}},
	{"nativeRshVU", "", 2, 1, func(z []heap.Word, x [][]heap.Word, w []uint64) (c uint64) {
		for i := range z {
			v := x[0][i].N
			if i == 0 {
				c = v << (64 - w[0])
			}
			z[i].N = v >> w[0]
			if i < len(z)-1 {
				z[i].N |= x[0][i+1].N << (64 - w[0])
			}
		}
		return c
	}},
	{"nativeMulAddVWW", "", 2, 2, func(z []heap.Word, x [][]heap.Word, w []uint64) (c uint64) {
		c = w[1]
		for i := range z {
			c, z[i].N = mulAdd(x[0][i].N, w[0], c)
		}
		return c
	}},
	{"nativeAddMulVVWW", "crypto/internal/fips140/bigmod", 3, 2, func(z []heap.Word, x [][]heap.Word, w []uint64) (c uint64) {
		c = w[1]
		for i := range z {
			hi, lo := mulAdd(x[1][i].N, w[0], x[0][i].N)
			lo, carry := bits.Add64(lo, c, 0)
			c, z[i].N = hi+carry, lo
		}
		return c
	}},
}

// mulAdd returns x*y + c as two words.
func mulAdd(x, y, c uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(x, y)
	lo, carry := bits.Add64(lo, c, 0)
	return hi + carry, lo
}

// bigPrimitives returns the kernels of package math/big. The second result of each says
// whether it has done the work. It has not if the result could differ from that of the
// portable version, because words are symbolic, accesses have to be visible, or the
// vectors have different lengths.
func bigPrimitives() []exec.Primitive {
	var list []exec.Primitive
	for _, k := range bigKernels {
		p := exec.Primitive{Name: "math/big." + k.name, Shadows: true, Run: func(c *exec.Call) {
			carry, done := runBigKernel(c, &k)
			c.Set(0, carry)
			c.SetBool(1, done)
			c.SetShadow(0, expr.None)
			c.SetShadow(1, expr.None)
		}}
		list = append(list, p)
		if k.also != "" {
			p.Name = k.also + "." + k.name
			list = append(list, p)
		}
	}
	return list
}

// sliceWords is the number of words of a slice.
const sliceWords = 3

// runBigKernel runs a kernel if that is possible, which done reports.
func runBigKernel(c *exec.Call, k *bigKernel) (carry uint64, done bool) {
	n := int(c.Window[1].N)
	args := k.vectors*sliceWords + k.words
	for i := range args {
		if c.Shadow(i) != expr.None {
			return 0, false
		}
	}
	if n == 0 || c.Machine.Program.Sizes().Sizeof(types.Typ[types.Uint]) != 8 {
		return 0, false
	}
	vectors := make([][]heap.Word, k.vectors)
	for i := range vectors {
		base := c.Window[i*sliceWords]
		if int(c.Window[i*sliceWords+1].N) != n || !isSettled(c, base, n) {
			return 0, false
		}
		vectors[i] = base.P.Cells[base.N:][:n]
	}
	words := make([]uint64, k.words)
	for i := range words {
		words[i] = c.Window[k.vectors*sliceWords+i].N
	}
	for i := 1; i < k.vectors; i++ {
		touchCells(c, c.Window[i*sliceWords], n, false)
	}
	z := c.Window[0]
	touchCells(c, z, n, true)
	c.Machine.Heap.Dirty(z.P, int(z.N), n)
	carry = k.run(vectors[0], vectors[1:], words)
	c.Machine.WrittenPlain(c.Goroutine, z.P, int(z.N), n)
	return carry, true
}

// isSettled reports whether the n cells that p points to are concrete, and accesses to them are no
// visible operations. That is the same whether the run is recorded or not, and so is how many
// instructions it has.
func isSettled(c *exec.Call, p heap.Word, n int) bool {
	if p.P.Bytes != nil || p.P.ShadowAt(int(p.N), n) != nil {
		return false
	}
	return !c.Machine.Watching || !c.Machine.ShadowOf(p.P).Visible && !c.Machine.VisibleHere(c.Goroutine)
}

// touchCells records an access to the n cells that p points to, which are settled, for
// race detection, and a read as an event if the plan asks for that.
func touchCells(c *exec.Call, p heap.Word, n int, write bool) {
	if c.Machine.Watching {
		c.Machine.ShadowOf(p.P)
		c.Machine.Touch(c.Goroutine, p.P, int(p.N), n, write)
		if !write {
			c.Machine.ReadPlain(c.Goroutine, p.P, int(p.N), n)
		}
	}
}
