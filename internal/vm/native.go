package vm

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// A native is the host's version of a pure function of the standard library, for calls
// with concrete arguments; the bytes of strings may be symbolic. It reads the arguments from the window, where it leaves the
// results. It is false when the function's own code has to run: for an error, or for what
// versions of Go may do differently.
//
// Natives look at numbers and strings only, which no other goroutine changes: there
// is no event to tell.
type native func(c *call) bool

// natives returns the natives by the name of the function, as code.Func.Name has it.
func natives() map[string]native {
	list := map[string]native{
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
		"strings.ToUpper":   func(c *call) bool { return c.mapped(strings.ToUpper, 'a') },
		"strings.ToLower":   func(c *call) bool { return c.mapped(strings.ToLower, 'A') },
		"strings.EqualFold": (*call).equalFold,

		"internal/stringslite.Index":     (*call).indexOfLonger,
		"internal/stringslite.HasPrefix": func(c *call) bool { return c.affix(false) },
		"internal/stringslite.HasSuffix": func(c *call) bool { return c.affix(true) },
	}
	maps.Copy(list, mathNatives())
	return list
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
	c.window[1], c.window[2] = heap.Word{}, heap.Word{}
	return true
}

// mapped leaves what f makes of the argument, a string of ASCII characters (those of
// others depend on the version of Unicode): letters of the case in which first is the first
// letter become those of the other. It is the argument itself when f changes
// nothing, as that of package strings is, and the bytes are concrete.
func (c *call) mapped(f func(string) string, first byte) bool {
	s := symbolic.TextOf(c.window)
	if !c.ascii(s) {
		return false
	}
	if t := f(string(s.Bytes)); t != string(s.Bytes) || s.Syms != nil {
		c.setText(0, t)
	}
	if s.Syms != nil {
		mapped := make([]expr.ID, len(s.Syms))
		for i := range mapped {
			mapped[i] = symbolic.UnlessConst(c.m.Arena, c.m.otherCase(s.ByteAt(c.m.Arena, i), first))
		}
		if o := c.window[0].P; o != nil {
			o.SetShadows(0, len(mapped), mapped)
		}
	}
	return true
}

// otherCase returns an ASCII character, a letter of the case in which first is the first letter as
// that of the other.
func (m *Machine) otherCase(b expr.ID, first byte) expr.ID {
	a := m.Arena
	letter := a.And(a.Ule(a.Const(uint64(first), 8), b), a.Ule(b, a.Const(uint64(first)+'z'-'a', 8)))
	return a.Ite(letter, a.Xor(b, a.Const('a'-'A', 8)), b)
}

// ascii branches on whether all characters of a text with symbolic bytes are of ASCII. It reports
// whether they are; when they are not, that is left to the function's own code.
func (c *call) ascii(s symbolic.Text) bool {
	for _, b := range s.Bytes {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	if s.Syms != nil {
		a := c.m.Arena
		all := a.Bool(true)
		for i := range s.Syms {
			all = a.And(all, a.Ult(s.ByteAt(c.m.Arena, i), a.Const(utf8.RuneSelf, 8)))
		}
		c.m.Branch(c.g, all, true)
	}
	return true
}

// equalFold leaves whether two strings of ASCII characters are equal but for case.
func (c *call) equalFold() bool {
	x, y := c.window[0:2], c.window[2:4]
	s, t := symbolic.TextOf(x), symbolic.TextOf(y)
	if !c.ascii(s) || !c.ascii(t) {
		return false
	}
	is := c.m.Arena.Bool(len(s.Bytes) == len(t.Bytes))
	if len(s.Bytes) != len(t.Bytes) {
		c.m.wishEqual(c.g, x, y)
	} else if s.Syms != nil || t.Syms != nil {
		for i := range s.Bytes {
			a, b := c.m.otherCase(s.ByteAt(c.m.Arena, i), 'A'), c.m.otherCase(t.ByteAt(c.m.Arena, i), 'A')
			is = c.m.Arena.And(is, c.m.Arena.Eq(a, b))
		}
	}
	c.setBool(0, bytes.EqualFold(s.Bytes, t.Bytes))
	if s.Syms != nil || t.Syms != nil {
		c.setShadow(0, symbolic.UnlessConst(c.m.Arena, is))
	}
	return true
}

// indexOfLonger leaves the place of the second of two strings in the first, if it is
// longer. Other strings are searched by package bytealg.
func (c *call) indexOfLonger() bool {
	x, y := c.window[0:2], c.window[2:4]
	if x[1].N >= y[1].N {
		return false
	}
	c.m.wishEqual(c.g, x, y)
	c.set(0, ^uint64(0))
	return true
}

// affix leaves whether the second of two strings is a prefix, or a suffix, of the
// first.
func (c *call) affix(suffix bool) bool {
	x, y := c.window[0:2], c.window[2:4]
	s, t := symbolic.TextOf(x), symbolic.TextOf(y)
	at := 0
	if suffix {
		at = len(s.Bytes) - len(t.Bytes)
	}
	is := len(s.Bytes) >= len(t.Bytes) && bytes.Equal(s.Bytes[at:at+len(t.Bytes)], t.Bytes)
	sym := expr.None
	if len(s.Bytes) < len(t.Bytes) {
		c.m.wishEqual(c.g, x, y)
	} else if s.Syms != nil || t.Syms != nil {
		sym = symbolic.UnlessConst(c.m.Arena, s.Match(c.m.Arena, t, at))
	}
	c.setBool(0, is)
	c.setShadow(0, sym)
	return true
}

// nativeOf returns the number of the native to use in place of f, 0 when there is none or
// when it is to be seen which branches f takes.
func (m *Machine) nativeOf(f *code.Func) int {
	if slices.ContainsFunc(f.Code, func(in code.Instr) bool { return in.Op == code.Cover }) {
		return 0
	}
	return m.natives[f.Name]
}

// addNatives makes the table of natives.
func (m *Machine) addNatives() {
	m.natives, m.nativeRuns = make(map[string]int), []native{nil}
	for name, n := range natives() {
		m.natives[name] = len(m.nativeRuns)
		m.nativeRuns = append(m.nativeRuns, n)
	}
}

// callNative carries out a call of a function that has a native. It is false when
// the function's own code has to run.
func (m *Machine) callNative(g *state.Goroutine, f *state.Frame, fn *state.Function, in *code.Instr) bool {
	base := int(f.Base + in.A)
	if f.Symbolic && state.AnySymbolic(g.Sym[base:base+fn.Params]) {
		return false
	}
	c := &m.primctx
	c.m, c.g, c.fn, c.base = m, g, fn, base
	c.window = g.Stack[base : base+max(fn.Params, fn.Results)]
	if f.Symbolic {
		clear(g.Sym[base : base+fn.Results]) // what is there is of no use, even if the function's own code runs
	}
	return m.nativeRuns[fn.Native](c)
}
