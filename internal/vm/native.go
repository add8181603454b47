package vm

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
)

// A native is the host's version of a pure function of the standard library, for calls
// with concrete arguments. It reads the arguments from the window, where it leaves the
// results. It is false when the function's own code has to run: for an error, or for what
// versions of Go may do differently.
//
// Natives look at numbers and strings only, which no other goroutine changes: there
// is no event to tell.
type native func(c *call) bool

// natives returns the natives by the name of the function, as code.Func.Name has it.
func natives() map[string]native {
	return map[string]native{
		"strconv.Itoa": func(c *call) bool {
			c.setText(0, strconv.FormatInt(c.int(0), 10))
			return true
		},
		"strconv.FormatInt": func(c *call) bool {
			base := c.int(1)
			if base < 2 || base > 36 {
				return false
			}
			c.setText(0, strconv.FormatInt(c.int(0), int(base)))
			return true
		},
		"strconv.FormatUint": func(c *call) bool {
			base := c.int(1)
			if base < 2 || base > 36 {
				return false
			}
			c.setText(0, strconv.FormatUint(c.window[0].N, int(base)))
			return true
		},
		"strconv.ParseInt": func(c *call) bool {
			s, ok := c.concreteText(0)
			if !ok {
				return false
			}
			v, err := strconv.ParseInt(s, int(c.int(2)), c.bitSize(3))
			return c.parsed(uint64(v), err)
		},
		"strconv.ParseUint": func(c *call) bool {
			s, ok := c.concreteText(0)
			if !ok {
				return false
			}
			v, err := strconv.ParseUint(s, int(c.int(2)), c.bitSize(3))
			return c.parsed(v, err)
		},
		"strconv.Atoi": func(c *call) bool {
			s, ok := c.concreteText(0)
			if !ok {
				return false
			}
			v, err := strconv.ParseInt(s, 10, c.intSize())
			return c.parsed(uint64(v), err)
		},
		"strconv.ParseFloat": func(c *call) bool {
			s, ok := c.concreteText(0)
			if !ok {
				return false
			}
			v, err := strconv.ParseFloat(s, int(c.int(2)))
			// The bits of a NaN are those that the machine's conversions make.
			return !math.IsNaN(v) && c.parsed(math.Float64bits(v), err)
		},
		"strconv.FormatFloat": func(c *call) bool {
			bits := c.int(3)
			if bits != 32 && bits != 64 {
				return false
			}
			c.setText(0, strconv.FormatFloat(c.float(0), byte(c.int(1)), int(c.int(2)), int(bits)))
			return true
		},
		"strings.ToUpper": func(c *call) bool { return c.mapped(strings.ToUpper) },
		"strings.ToLower": func(c *call) bool { return c.mapped(strings.ToLower) },
	}
}

// concreteText returns the string in argument words i and i+1, if its bytes are concrete.
func (c *call) concreteText(i int) (s string, ok bool) {
	b, ok := c.settledBytes(i, 2)
	return string(b), ok
}

// bitSize returns argument word i, the size in bits of a type of integers; 0 stands for int.
func (c *call) bitSize(i int) int {
	if n := int(c.int(i)); n != 0 {
		return n
	}
	return c.intSize()
}

// intSize returns the size of int in bits.
func (c *call) intSize() int { return 8 * int(c.m.wordSize()) }

// parsed leaves the results of a function that gives a number or an error, if it is
// not an error.
func (c *call) parsed(v uint64, err error) bool {
	if err != nil {
		return false
	}
	c.set(0, v)
	c.window[1], c.window[2] = Word{}, Word{}
	return true
}

// mapped leaves what f makes of the argument, a string of ASCII characters (those of
// others depend on the version of Unicode). It is the argument itself when f changes
// nothing, as that of package strings is.
func (c *call) mapped(f func(string) string) bool {
	s, ok := c.concreteText(0)
	if !ok || strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false
	}
	if t := f(s); t != s {
		c.setText(0, t)
	}
	return true
}

// nativeOf returns the native to use in place of f, nil when there is none or when it
// is to be seen which branches f takes.
func (m *Machine) nativeOf(f *code.Func) native {
	if slices.ContainsFunc(f.Code, func(in code.Instr) bool { return in.Op == code.Cover }) {
		return nil
	}
	return m.natives[f.Name]
}

// callNative carries out a call of a function that has a native. It is false when
// the function's own code has to run.
func (m *Machine) callNative(g *goroutine, f *frame, fn *function, in *code.Instr) bool {
	base := int(f.base + in.A)
	if f.symbolic && anySymbolic(g.sym[base:base+fn.Params]) {
		return false
	}
	c := &m.primctx
	c.m, c.g, c.fn, c.base = m, g, fn, base
	c.window = g.stack[base : base+max(fn.Params, fn.Results)]
	c.hasNext = false
	if !fn.native(c) {
		return false
	}
	if f.symbolic {
		clear(g.sym[base : base+fn.Results])
	}
	return true
}
