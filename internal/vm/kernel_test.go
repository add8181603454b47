package vm

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
)

// letters are the bytes of the texts in these tests: neighbours, so that sets have runs,
// and both ends.
const letters = "\x00abc\xff"

// eachText calls f with every text of n letters.
func eachText(n int, f func(s []byte)) {
	s := make([]byte, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			f(s)
			return
		}
		for k := range len(letters) {
			s[i] = letters[k]
			fill(i + 1)
		}
	}
	fill(0)
}

// mixedText returns the text s, where byte i is the variable name.i if bit i of
// symbolic is set.
func mixedText(m *Machine, name string, s []byte, symbolic int) text {
	t := text{bytes: bytes.Clone(s)}
	for i := range s {
		if symbolic>>i&1 != 0 {
			if t.syms == nil {
				t.syms = make([]expr.ID, len(s))
			}
			t.syms[i] = m.Arena.Var(fmt.Sprintf("%s.%d", name, i), 8)
		}
	}
	return t
}

// The summary of a search, made from some texts, gives for every other value of the
// symbolic bytes what the search itself gives.
func TestKernels(t *testing.T) {
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			m := &Machine{}
			m.Arena = expr.NewArena()
			for n := range 4 {
				for l := range 3 {
					if k.ofByte && l != 1 {
						continue
					}
					for symbolic := range 1 << (n + l) {
						checkKernel(t, m, &k, n, l, symbolic)
					}
				}
			}
		})
	}
}

// checkKernel checks summaries over texts of n and l bytes.
func checkKernel(t *testing.T, m *Machine, k *kernel, n, l, symbolic int) {
	summaries := map[string]expr.ID{} // by the concrete bytes
	eachText(n, func(a []byte) {
		eachText(l, func(b []byte) {
			x, y := mixedText(m, "a", a, symbolic), mixedText(m, "b", b, symbolic>>n)
			var key []byte
			for i, c := range append(bytes.Clone(a), b...) {
				if symbolic>>i&1 == 0 {
					key = append(key, c)
				}
			}
			value, ok := summaries[string(key)]
			if !ok {
				if value, ok = k.summary(m, x, y); !ok {
					t.Fatalf("%q, %q: no summary", a, b)
				}
				summaries[string(key)] = value
			}
			got := m.Arena.Eval(value, func(v expr.ID) uint64 {
				var i int
				if name := m.Arena.VarName(v); name[0] == 'a' {
					fmt.Sscanf(name, "a.%d", &i)
					return uint64(a[i])
				} else {
					fmt.Sscanf(name, "b.%d", &i)
					return uint64(b[i])
				}
			})
			if want := k.native(a, b); int64(got) != int64(want) {
				t.Fatalf("%q, %q with symbolic bytes %b: %d, want %d: %s", a, b, symbolic, int64(got), want, m.Arena.String(value))
			}
		})
	})
}

// The place in a set, of every byte.
func TestIndexInSet(t *testing.T) {
	m := &Machine{}
	m.Arena = expr.NewArena()
	c := m.Arena.Var("c", 8)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	long := bytes.Repeat([]byte("x"), 300)
	copy(long[297:], "abc")
	for _, set := range [][]byte{nil, []byte("0123456789abcdefABCDEF"), []byte("+-"), []byte("abca"), all, append([]byte("m"), all...), []byte("cba"), long} {
		value := m.indexInSet(set, c)
		absent := m.Arena.Slt(value, m.Arena.Const(0, 64))
		for i := range 256 {
			at := func(expr.ID) uint64 { return uint64(i) }
			want := bytes.IndexByte(set, byte(i))
			if got := int64(m.Arena.Eval(value, at)); got != int64(want) {
				t.Errorf("%q: %#x is at %d, want %d", set, i, got, want)
			}
			if got := m.Arena.Eval(absent, at) == 1; got != (want < 0) {
				t.Errorf("%q: %#x is not in it: %t", set, i, got)
			}
		}
	}
}

// A summary is not made when it would be too large, however many bytes are concrete.
func TestKernelBounds(t *testing.T) {
	m := &Machine{}
	m.Arena = expr.NewArena()
	concrete := text{bytes: bytes.Repeat([]byte("x"), 1<<16)}
	symbolic := concrete
	symbolic.syms = make([]expr.ID, len(concrete.bytes))
	for i := range symbolic.syms {
		symbolic.syms[i] = m.Arena.Var(fmt.Sprint("s", i), 8)
	}
	some := concrete
	some.syms = make([]expr.ID, len(concrete.bytes))
	copy(some.syms[1000:1010], symbolic.syms)
	y := text{bytes: []byte("y")}
	for _, k := range kernels {
		if !k.ofByte {
			continue
		}
		if _, ok := k.summary(m, symbolic, y); ok {
			t.Errorf("%s: a summary of %d bytes", k.name, len(symbolic.bytes))
		}
		if _, ok := k.summary(m, some, y); !ok {
			t.Errorf("%s: no summary of 10 bytes among others", k.name)
		}
	}
}

// What programs ask of a search is a formula over the bytes, without numbers.
func TestKernelConditions(t *testing.T) {
	m := &Machine{}
	m.Arena = expr.NewArena()
	a := m.Arena
	s := mixedText(m, "a", []byte("abc"), 1|2|4)
	c := mixedText(m, "b", []byte("5"), 1)
	is := func(value expr.ID, rel func(x, y expr.ID) expr.ID, n int) string {
		return a.String(rel(value, a.Const(uint64(n), 64)))
	}
	comma := text{bytes: []byte(",")}
	index, _ := m.indexText(s, comma)
	digit, _ := m.indexText(text{bytes: []byte("0123456789")}, c)
	order, _ := m.compareOrder(s, text{bytes: []byte("xyz")})
	for _, test := range []struct{ what, got, want string }{
		{"no comma", is(index, a.Slt, 0), "a.2 != 44 && a.1 != 44 && a.0 != 44"},
		{"a comma at 1", is(index, a.Eq, 1), "a.0 != 44 && a.1 == 44"},
		{"no digit", is(digit, a.Slt, 0), "!(47 < b.0 && b.0 < 58)"},
		{"equal", is(order, a.Eq, 0), "a.2 == 122 && (a.1 == 121 && a.0 == 120)"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.what, test.got, test.want)
		}
	}
}
