package symbolic

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
func mixedText(a *expr.Arena, name string, s []byte, symbolic int) Text {
	t := Text{Bytes: bytes.Clone(s)}
	for i := range s {
		if symbolic>>i&1 != 0 {
			if t.Syms == nil {
				t.Syms = make([]expr.ID, len(s))
			}
			t.Syms[i] = a.Var(fmt.Sprintf("%s.%d", name, i), 8)
		}
	}
	return t
}

// The summary of a search, made from some texts, gives for every other value of the
// symbolic bytes what the search itself gives.
func TestKernels(t *testing.T) {
	for _, k := range Kernels {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			a := expr.NewArena()
			for n := range 4 {
				for l := range 3 {
					if k.OfByte && l != 1 {
						continue
					}
					for symbolic := range 1 << (n + l) {
						checkKernel(t, a, &k, n, l, symbolic)
					}
				}
			}
		})
	}
}

// checkKernel checks summaries over texts of n and l bytes.
func checkKernel(t *testing.T, a *expr.Arena, k *Kernel, n, l, symbolic int) {
	summaries := map[string]expr.ID{} // by the concrete bytes
	eachText(n, func(s []byte) {
		eachText(l, func(sub []byte) {
			x, y := mixedText(a, "a", s, symbolic), mixedText(a, "b", sub, symbolic>>n)
			var key []byte
			for i, c := range append(bytes.Clone(s), sub...) {
				if symbolic>>i&1 == 0 {
					key = append(key, c)
				}
			}
			value, ok := summaries[string(key)]
			if !ok {
				if value, ok = k.Summary(a, x, y); !ok {
					t.Fatalf("%q, %q: no summary", s, sub)
				}
				summaries[string(key)] = value
			}
			got := a.Eval(value, func(v expr.ID) uint64 {
				var i int
				if name := a.VarName(v); name[0] == 'a' {
					fmt.Sscanf(name, "a.%d", &i)
					return uint64(s[i])
				} else {
					fmt.Sscanf(name, "b.%d", &i)
					return uint64(sub[i])
				}
			})
			if want := k.Native(s, sub); int64(got) != int64(want) {
				t.Fatalf("%q, %q with symbolic bytes %b: %d, want %d: %s", s, sub, symbolic, int64(got), want, a.String(value))
			}
		})
	})
}

// The place in a set, of every byte.
func TestIndexInSet(t *testing.T) {
	a := expr.NewArena()
	c := a.Var("c", 8)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	long := bytes.Repeat([]byte("x"), 300)
	copy(long[297:], "abc")
	for _, set := range [][]byte{nil, []byte("0123456789abcdefABCDEF"), []byte("+-"), []byte("abca"), all, append([]byte("m"), all...), []byte("cba"), long} {
		value := indexInSet(a, set, c)
		absent := a.Slt(value, a.Const(0, 64))
		for i := range 256 {
			at := func(expr.ID) uint64 { return uint64(i) }
			want := bytes.IndexByte(set, byte(i))
			if got := int64(a.Eval(value, at)); got != int64(want) {
				t.Errorf("%q: %#x is at %d, want %d", set, i, got, want)
			}
			if got := a.Eval(absent, at) == 1; got != (want < 0) {
				t.Errorf("%q: %#x is not in it: %t", set, i, got)
			}
		}
	}
}

// A summary is not made when it would be too large, however many bytes are concrete.
func TestKernelBounds(t *testing.T) {
	a := expr.NewArena()
	concrete := Text{Bytes: bytes.Repeat([]byte("x"), 1<<16)}
	symbolic := concrete
	symbolic.Syms = make([]expr.ID, len(concrete.Bytes))
	for i := range symbolic.Syms {
		symbolic.Syms[i] = a.Var(fmt.Sprint("s", i), 8)
	}
	some := concrete
	some.Syms = make([]expr.ID, len(concrete.Bytes))
	copy(some.Syms[1000:1010], symbolic.Syms)
	y := Text{Bytes: []byte("y")}
	for _, k := range Kernels {
		if !k.OfByte {
			continue
		}
		if _, ok := k.Summary(a, symbolic, y); ok {
			t.Errorf("%s: a summary of %d bytes", k.Name, len(symbolic.Bytes))
		}
		if _, ok := k.Summary(a, some, y); !ok {
			t.Errorf("%s: no summary of 10 bytes among others", k.Name)
		}
	}
}

// What programs ask of a search is a formula over the bytes, without numbers.
func TestKernelConditions(t *testing.T) {
	a := expr.NewArena()
	s := mixedText(a, "a", []byte("abc"), 1|2|4)
	c := mixedText(a, "b", []byte("5"), 1)
	is := func(value expr.ID, rel func(x, y expr.ID) expr.ID, n int) string {
		return a.String(rel(value, a.Const(uint64(n), 64)))
	}
	comma := Text{Bytes: []byte(",")}
	at, _ := index(a, s, comma)
	digit, _ := index(a, Text{Bytes: []byte("0123456789")}, c)
	order, _ := order(a, s, Text{Bytes: []byte("xyz")})
	for _, test := range []struct{ what, got, want string }{
		{"no comma", is(at, a.Slt, 0), "a.2 != 44 && a.1 != 44 && a.0 != 44"},
		{"a comma at 1", is(at, a.Eq, 1), "a.0 != 44 && a.1 == 44"},
		{"no digit", is(digit, a.Slt, 0), "!(47 < b.0 && b.0 < 58)"},
		{"equal", is(order, a.Eq, 0), "a.2 == 122 && (a.1 == 121 && a.0 == 120)"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.what, test.got, test.want)
		}
	}
}
