package mutate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// text returns an input in which a variable is a string.
func text(name, s string) run.Input {
	in := run.Input{"len(" + name + ")": uint64(len(s))}
	for i := range len(s) {
		in[fmt.Sprintf("%s[%d]", name, i)] = uint64(s[i])
	}
	return in
}

// textVars returns the variables of a string.
func textVars(name string, length int) []run.InputVar {
	vars := []run.InputVar{{Name: "len(" + name + ")", Width: 64}}
	for i := range length {
		vars = append(vars, run.InputVar{Name: fmt.Sprintf("%s[%d]", name, i), Width: 8})
	}
	return vars
}

func textOf(in run.Input, name string) string {
	var b strings.Builder
	for i := range in["len("+name+")"] {
		b.WriteByte(byte(in[fmt.Sprintf("%s[%d]", name, i)]))
	}
	return b.String()
}

// TestReach checks which inputs one mutation, or a few, make of another.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		name, from, other, want string
	}{
		{"remove", "magic", "", "mic"},
		{"insert zeros", "ab", "", "a\x00\x00b"},
		{"repeat", "abc", "", "abcbc"},
		{"overwrite", "abcd", "", "ababd"[:4]},
		{"swap", "abcd", "", "dbca"},
		{"splice", "abcd", "wxyz", "abyz"},
		{"insert a piece", "abcd", "wxyz", "abxycd"},
		{"a bit", "abc", "", "aBc"},
		{"big-endian carry", "\x00\xff", "", "\x01\x01"},
		{"little-endian carry", "\xff\x00", "", "\x01\x01"},
		{"the least 32-bit number", "abcd", "", "\x00\x00\x00\x80"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := New(16)
			m.Learn(textVars("s", 5))
			r := rand.New(rand.NewPCG(1, 2))
			in, other := text("s", c.from), text("s", c.other)
			before := maps.Clone(in)
			for range 50000 {
				got := textOf(m.Mutate(r, in, other), "s")
				if !maps.Equal(in, before) {
					t.Fatalf("the input has become %v", in)
				}
				if got == c.want {
					return
				}
			}
			t.Errorf("%q is not made from %q", c.want, c.from)
		})
	}
}

// TestElements checks that the variables of an element move together.
func TestElements(t *testing.T) {
	m := New(4)
	m.Learn([]run.InputVar{
		{Name: "p.n", Width: 16},
		{Name: "len(p.list)", Width: 64},
		{Name: "p.list[0].x", Width: 32}, {Name: "len(p.list[0].name)", Width: 64}, {Name: "p.list[0].name[0]", Width: 8},
		{Name: "p.list[0].ok", Width: 1},
	})
	in := run.Input{"p.n": 7, "len(p.list)": 3}
	for i, name := range []string{"a", "bc", "d"} {
		elem := fmt.Sprintf("p.list[%d]", i)
		in[elem+".x"], in[elem+".ok"] = uint64(100*i), 1
		maps.Copy(in, text(elem+".name", name))
	}
	m.Learn(textVars("p.list[1].name", 2))
	s := m.byName["p.list"]
	if s == nil || len(m.scalars) != 1 || m.scalars[0].name != "p.n" {
		t.Fatalf("scalars %v, sequences %v", m.scalars, m.sequences)
	}
	want := []part{{rest: ".x", width: 32}, {prefix: "len(", rest: ".name", width: 64}, {rest: ".name[0]", width: 8}, {rest: ".ok", width: 1}, {rest: ".name[1]", width: 8}}
	if !slices.Equal(s.parts, want) {
		t.Errorf("parts %v, want %v", s.parts, want)
	}
	list := s.elements(in, 4)
	s.set(in, 3, slices.Delete(list, 0, 1))
	if in["len(p.list)"] != 2 || in["p.list[0].x"] != 100 || textOf(in, "p.list[0].name") != "bc" || textOf(in, "p.list[1].name") != "d" {
		t.Errorf("without the first element: %v", in)
	}
	if _, ok := in["p.list[2].x"]; ok {
		t.Errorf("the last element is still there: %v", in)
	}
}

// TestBounds checks that values stay within their widths, and sequences within the maximum length.
func TestBounds(t *testing.T) {
	m := New(6)
	vars := append(textVars("s", 6), run.InputVar{Name: "b", Width: 1}, run.InputVar{Name: "n", Width: 16}, run.InputVar{Name: "v", Width: 64})
	vars = append(vars, run.InputVar{Name: "len(l)", Width: 64}, run.InputVar{Name: "l[0]", Width: 32})
	m.Learn(vars)
	arena := expr.NewArena()
	long := arena.Ult(arena.Const(100, 64), arena.Var("len(s)", 64))
	m.LearnPath([]run.Condition{{Cond: long}}, arena)
	width := map[string]uint8{}
	for _, v := range vars {
		width[v.Name] = v.Width
	}
	r := rand.New(rand.NewPCG(1, 2))
	in, other := run.Input{}, run.Input{}
	for range 20000 {
		in, other = m.Mutate(r, in, other), in
		for name, v := range in {
			w, ok := width[name]
			if strings.HasPrefix(name, "l[") {
				w, ok = 32, true
			}
			if !ok {
				t.Fatalf("there is no variable %s", name)
			}
			if v&^mask(w) != 0 {
				t.Fatalf("%s = %#x has more than %d bits", name, v, w)
			}
		}
		if in["len(s)"] > 6 || in["len(l)"] > 6 {
			t.Fatalf("too long: %v", in)
		}
	}
}

// TestCompared checks which values are learned from conditions.
func TestCompared(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 16), a.Var("y", 8)
	wide := func(v expr.ID) expr.ID { return a.ZExt(v, 32) }
	for _, c := range []struct {
		name string
		cond expr.ID
		want []assignment
	}{
		{"equal", a.Eq(x, a.Const(1000, 16)), []assignment{{variable{"x", 16}, 1000}}},
		{"not below", a.Not(a.Ult(x, a.Const(77, 16))), []assignment{{variable{"x", 16}, 76}}},
		{"above", a.Slt(a.Const(5, 8), y), []assignment{{variable{"y", 8}, 5}}},
		{"plus a constant", a.Eq(a.Add(wide(x), a.Const(5, 32)), a.Const(12, 32)), []assignment{{variable{"x", 16}, 7}}},
		{"minus", a.Eq(a.Neg(a.Xor(x, a.Const(3, 16))), a.Const(0xffff, 16)), []assignment{{variable{"x", 16}, 2}}},
		{"both", a.And(a.Ult(x, a.Const(9, 16)), a.Ult(y, a.Const(8, 8))), []assignment{{variable{"x", 16}, 9}, {variable{"y", 8}, 8}}},
		{"of two variables", a.Ult(wide(x), a.SExt(y, 32)), nil},
		{"two bytes", a.Ult(a.Concat(x, y), a.Const(0x123456, 24)), []assignment{{variable{"x", 16}, 0x1234}, {variable{"y", 8}, 0x56}}},
	} {
		m := New(8)
		m.LearnPath([]run.Condition{{Cond: c.cond}}, a)
		var got []assignment
		for _, learned := range m.compared.list {
			got = append(got, learned.equal...)
		}
		slices.SortFunc(got, func(a, b assignment) int { return strings.Compare(a.variable.name, b.variable.name) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: learned %v, want %v", c.name, got, c.want)
		}
	}
}

// TestSameSeed checks that mutations are determined by the seed.
func TestSameSeed(t *testing.T) {
	record := func(seed uint64) (all []run.Input) {
		m := New(8)
		m.Learn(append(textVars("s", 3), run.InputVar{Name: "n", Width: 64}, run.InputVar{Name: "k", Width: 8}))
		r := rand.New(rand.NewPCG(seed, 0))
		in := text("s", "abc")
		for range 50 {
			in = m.Mutate(r, in, text("s", "wxyz"))
			all = append(all, in)
		}
		return all
	}
	if !reflect.DeepEqual(record(1), record(1)) {
		t.Errorf("mutations from one seed differ")
	}
	if reflect.DeepEqual(record(1), record(2)) {
		t.Errorf("mutations from two seeds are equal")
	}
}

// TestNeighbours checks that the neighbours of an input have one element twice or not at all,
// within the maximum length.
func TestNeighbours(t *testing.T) {
	vars := []run.InputVar{{Name: "len(s)", Width: 64}, {Name: "s[0]", Width: 8}, {Name: "s[1]", Width: 8}, {Name: "n", Width: 32}}
	in := run.Input{"len(s)": 2, "s[0]": 'a', "s[1]": 'b', "n": 5}
	for maxLen, want := range map[int][]string{2: {"b", "a"}, 3: {"aab", "b", "abb", "a"}} {
		m := New(maxLen)
		m.Learn(vars)
		var got []string
		for _, next := range m.Neighbours(in) {
			var text []byte
			for i := range next["len(s)"] {
				text = append(text, byte(next[fmt.Sprintf("s[%d]", i)]))
			}
			got = append(got, string(text))
			if next["n"] != 5 {
				t.Errorf("%q: n is %d", text, next["n"])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("at most %d elements: %q, want %q", maxLen, got, want)
		}
	}
}

// TestSplice checks that a text replaces bytes of one sequence only, within the maximum length.
func TestSplice(t *testing.T) {
	m := New(5)
	m.Learn([]run.InputVar{{Name: "len(s)", Width: 64}, {Name: "len(r)", Width: 64}, {Name: "n", Width: 8}, {Name: "s[0]", Width: 8}, {Name: "r[0]", Width: 32}})
	in := run.Input{"len(s)": 4, "s[0]": 'a', "s[1]": 'b', "s[2]": 'c', "s[3]": 'd', "len(r)": 1, "r[0]": 'r', "n": 5}
	for _, test := range []struct {
		names []string
		text  string
		want  string // "" for none
	}{
		{[]string{"s[2]", "s[1]"}, "xyz", "axyzd"},
		{[]string{"s[0]", "s[2]"}, "", "d"},
		{[]string{"s[1]"}, "x", "axcd"},
		{[]string{"s[1]"}, "xyz", ""},
		{[]string{"s[4]"}, "x", ""},
		{[]string{"s[1]", "n"}, "x", ""},
		{[]string{"r[0]"}, "x", ""},
		{nil, "x", ""},
	} {
		next := m.Splice(in, test.names, []byte(test.text))
		got := ""
		if next != nil {
			for i := range next["len(s)"] {
				got += string(byte(next[fmt.Sprintf("s[%d]", i)]))
			}
			if next["n"] != 5 || next["r[0]"] != 'r' {
				t.Errorf("%v: others changed: %v", test.names, next)
			}
		}
		if got != test.want {
			t.Errorf("%q in place of %v gives %q, want %q", test.text, test.names, got, test.want)
		}
	}
}
