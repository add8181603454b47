package kernel

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Natives returns the native implementations of functions that have a Go body, by name as
// in code.Func.Name.
func Natives() map[string]exec.Native {
	list := map[string]exec.Native{
		"strconv.Itoa": func(c *exec.Call) bool {
			c.SetText(0, strconv.FormatInt(c.Int(0), 10))
			return true
		},
		"strconv.FormatInt": func(c *exec.Call) bool {
			base := c.Int(1)
			if base < 2 || base > 36 {
				return false
			}
			c.SetText(0, strconv.FormatInt(c.Int(0), int(base)))
			return true
		},
		"strconv.FormatUint": func(c *exec.Call) bool {
			base := c.Int(1)
			if base < 2 || base > 36 {
				return false
			}
			c.SetText(0, strconv.FormatUint(c.Window[0].N, int(base)))
			return true
		},
		"strconv.ParseInt": func(c *exec.Call) bool {
			s, ok := concreteText(c)
			if !ok {
				return false
			}
			v, err := strconv.ParseInt(s, int(c.Int(2)), bitSize(c, 3))
			return setParsed(c, uint64(v), err)
		},
		"strconv.ParseUint": func(c *exec.Call) bool {
			s, ok := concreteText(c)
			if !ok {
				return false
			}
			v, err := strconv.ParseUint(s, int(c.Int(2)), bitSize(c, 3))
			return setParsed(c, v, err)
		},
		"strconv.Atoi": func(c *exec.Call) bool {
			s, ok := concreteText(c)
			if !ok {
				return false
			}
			v, err := strconv.ParseInt(s, 10, intSize(c))
			return setParsed(c, uint64(v), err)
		},
		"strconv.ParseFloat": func(c *exec.Call) bool {
			s, ok := concreteText(c)
			if !ok {
				return false
			}
			v, err := strconv.ParseFloat(s, int(c.Int(2)))
			// The machine's conversions determine the bits of a NaN.
			return !math.IsNaN(v) && setParsed(c, math.Float64bits(v), err)
		},
		"strconv.FormatFloat": func(c *exec.Call) bool {
			bits := c.Int(3)
			if bits != 32 && bits != 64 {
				return false
			}
			c.SetText(0, strconv.FormatFloat(floatArg(c, 0), byte(c.Int(1)), int(c.Int(2)), int(bits)))
			return true
		},
		"strings.ToUpper":   func(c *exec.Call) bool { return mapCase(c, strings.ToUpper, 'a') },
		"strings.ToLower":   func(c *exec.Call) bool { return mapCase(c, strings.ToLower, 'A') },
		"strings.EqualFold": equalFold,

		"internal/stringslite.Index":     indexOfLonger,
		"internal/stringslite.HasPrefix": func(c *exec.Call) bool { return hasAffix(c, false) },
		"internal/stringslite.HasSuffix": func(c *exec.Call) bool { return hasAffix(c, true) },
	}
	maps.Copy(list, mathNatives())
	maps.Copy(list, bitsNatives())
	return list
}

// concreteText returns the first argument, a string. The result ok is false if its bytes are not all
// concrete.
func concreteText(c *exec.Call) (s string, ok bool) {
	b, ok := settledBytes(c, 0, 2)
	return string(b), ok
}

// bitSize returns argument word i, the size of an integer type in bits, where 0 stands
// for int.
func bitSize(c *exec.Call, i int) int {
	if n := int(c.Int(i)); n != 0 {
		return n
	}
	return intSize(c)
}

// intSize returns the size of int in bits.
func intSize(c *exec.Call) int { return 8 * int(c.Machine.WordSize()) }

// setParsed sets the results of a function that returns a number and an error, unless
// there is an error, which it reports by returning false.
func setParsed(c *exec.Call, v uint64, err error) bool {
	if err != nil {
		return false
	}
	c.Set(0, v)
	c.Window[1], c.Window[2] = heap.Word{}, heap.Word{}
	return true
}

// mapCase sets the result to f applied to the argument, which must be a string of ASCII
// characters, since the case of others depends on the version of Unicode. The function f
// changes letters of one case, of which first is the first letter, to the other case. If
// the bytes are concrete and f changes none, the result is the argument itself, as it is
// in package strings.
func mapCase(c *exec.Call, f func(string) string, first byte) bool {
	s := symbolic.TextOf(c.Window)
	if !isASCII(c, s) {
		return false
	}
	if t := f(string(s.Bytes)); t != string(s.Bytes) || s.Syms != nil {
		c.SetText(0, t)
	}
	if s.Syms != nil {
		mapped := make([]expr.ID, len(s.Syms))
		for i := range mapped {
			mapped[i] = symbolic.UnlessConst(c.Machine.Arena, swapCase(c.Machine, s.ByteAt(c.Machine.Arena, i), first))
		}
		if o := c.Window[0].P; o != nil {
			o.SetShadows(0, len(mapped), mapped)
		}
	}
	return true
}

// swapCase returns the ASCII character b, in the other case if it is a letter of the case
// of which first is the first letter.
func swapCase(m *exec.Interpreter, b expr.ID, first byte) expr.ID {
	a := m.Arena
	letter := a.And(a.Ule(a.Const(uint64(first), 8), b), a.Ule(b, a.Const(uint64(first)+'z'-'a', 8)))
	return a.Ite(letter, a.Xor(b, a.Const('a'-'A', 8)), b)
}

// isASCII reports whether all characters of a text are ASCII. If bytes are symbolic it
// branches on that.
func isASCII(c *exec.Call, s symbolic.Text) bool {
	is := !slices.ContainsFunc(s.Bytes, func(b byte) bool { return b >= utf8.RuneSelf })
	if s.Syms != nil {
		a := c.Machine.Arena
		all := a.Bool(true)
		for i := range s.Syms {
			all = a.And(all, a.Ult(s.ByteAt(a, i), a.Const(utf8.RuneSelf, 8)))
		}
		c.Machine.Branch(c.Goroutine, all, is)
	}
	return is
}

// equalFold sets the result of strings.EqualFold for two strings of ASCII characters.
func equalFold(c *exec.Call) bool {
	x, y := c.Window[0:2], c.Window[2:4]
	s, t := symbolic.TextOf(x), symbolic.TextOf(y)
	if !isASCII(c, s) || !isASCII(c, t) {
		return false
	}
	is := c.Machine.Arena.Bool(len(s.Bytes) == len(t.Bytes))
	if len(s.Bytes) != len(t.Bytes) {
		c.Machine.CorrespondEqual(c.Goroutine, x, y)
	} else if s.Syms != nil || t.Syms != nil {
		for i := range s.Bytes {
			a, b := swapCase(c.Machine, s.ByteAt(c.Machine.Arena, i), 'A'), swapCase(c.Machine, t.ByteAt(c.Machine.Arena, i), 'A')
			is = c.Machine.Arena.And(is, c.Machine.Arena.Eq(a, b))
		}
	}
	c.SetBool(0, bytes.EqualFold(s.Bytes, t.Bytes))
	if s.Syms != nil || t.Syms != nil {
		c.SetShadow(0, symbolic.UnlessConst(c.Machine.Arena, is))
	}
	return true
}

// indexOfLonger sets the index of the second of two strings in the first, if the second
// is longer: it is -1. In other cases package bytealg does the search.
func indexOfLonger(c *exec.Call) bool {
	x, y := c.Window[0:2], c.Window[2:4]
	if x[1].N >= y[1].N {
		return false
	}
	c.Machine.CorrespondEqual(c.Goroutine, x, y)
	c.Set(0, ^uint64(0))
	return true
}

// hasAffix sets whether the second of two strings is a prefix, or a suffix, of the first.
func hasAffix(c *exec.Call, suffix bool) bool {
	x, y := c.Window[0:2], c.Window[2:4]
	s, t := symbolic.TextOf(x), symbolic.TextOf(y)
	at := 0
	if suffix {
		at = len(s.Bytes) - len(t.Bytes)
	}
	is := len(s.Bytes) >= len(t.Bytes) && bytes.Equal(s.Bytes[at:at+len(t.Bytes)], t.Bytes)
	sym := expr.None
	if len(s.Bytes) < len(t.Bytes) {
		c.Machine.CorrespondEqual(c.Goroutine, x, y)
	} else if s.Syms != nil || t.Syms != nil {
		sym = symbolic.UnlessConst(c.Machine.Arena, s.Match(c.Machine.Arena, t, at))
	}
	c.SetBool(0, is)
	c.SetShadow(0, sym)
	return true
}
