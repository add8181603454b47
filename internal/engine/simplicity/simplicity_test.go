package simplicity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// text returns the variables of a string.
func text(name, value string) []schedule.Input {
	vars := []schedule.Input{{Name: "len(" + name + ")", Type: "string", Width: 64, Value: uint64(len(value))}}
	for i := range len(value) {
		vars = append(vars, schedule.Input{Name: fmt.Sprintf("%s[%d]", name, i), Type: "uint8", Width: 8, Value: uint64(value[i])})
	}
	return vars
}

// number returns an integer variable.
func number(name, typ string, width uint8, value int64) schedule.Input {
	return schedule.Input{Name: name, Type: typ, Width: width, Value: uint64(value) & (1<<width - 1)}
}

// show returns an input as reports show it.
func show(in *Input) string {
	var parts []string
	for _, v := range schedule.Variables(in.Vars) {
		parts = append(parts, v.Name+"="+v.Text)
	}
	return strings.Join(parts, " ")
}

// simplify makes an input as simple as a condition allows, and returns it with the number of inputs that were tried.
func simplify(in *Input, fails func(get func(name string) uint64) bool) (*Input, int) {
	best, tried := in, 0
	Simplify(func() *Input { return best }, func(c *Input) bool {
		tried++
		got := drawn(c)
		values := got.Values()
		if !fails(func(name string) uint64 { return values[name] }) || got.Size().Compare(best.Size()) >= 0 {
			return false
		}
		best = got
		return true
	})
	return best, tried
}

// drawn returns what a program draws of an input: the elements of a string are as many as it is long.
func drawn(in *Input) *Input {
	got := &Input{Seed: in.Seed}
	values := in.Values()
	for _, v := range in.Vars {
		if x, i, ok := v.ElementOf(); ok && uint64(i) >= values["len("+x+")"] {
			continue
		}
		got.Vars = append(got.Vars, v)
	}
	return got
}

func TestSimplify(t *testing.T) {
	str := func(get func(string) uint64, x string) string {
		b := make([]byte, get("len("+x+")"))
		for i := range b {
			b[i] = byte(get(fmt.Sprintf("%s[%d]", x, i)))
		}
		return string(b)
	}
	f64 := func(get func(string) uint64, x string) float64 { return math.Float64frombits(get(x)) }
	float := func(f float64) schedule.Input {
		return schedule.Input{Name: "f", Type: "float64", Width: 64, Value: math.Float64bits(f)}
	}
	type get = func(string) uint64
	for _, test := range []struct {
		name  string
		in    []schedule.Input
		seed  run.Input
		fails func(get) bool
		want  string
	}{
		{"all is needed no more", slices.Concat(text("s", "hello"), []schedule.Input{number("n", "int", 64, -7)}), nil,
			func(get) bool { return true }, `s="" n=0`},
		{"a bound", []schedule.Input{number("n", "uint32", 32, 1<<31)}, nil,
			func(g get) bool { return g("n") >= 1234567 }, "n=1234567"},
		{"a negative bound", []schedule.Input{number("n", "int16", 16, -30000)}, nil,
			func(g get) bool { return int16(g("n")) <= -101 }, "n=-101"},
		{"the least integer", []schedule.Input{number("n", "int64", 64, math.MinInt64)}, nil,
			func(g get) bool { return int64(g("n")) == math.MinInt64 }, "n=-9223372036854775808"},
		{"a positive number rather than a negative one", []schedule.Input{number("n", "int8", 8, -5)}, nil,
			func(g get) bool { n := int8(g("n")); return n == 5 || n == -5 }, "n=5"},
		{"an odd number", []schedule.Input{number("n", "int", 64, -999)}, nil,
			func(g get) bool { return g("n")%2 == 1 }, "n=1"},
		{"two numbers of which one is needed", []schedule.Input{number("a", "uint8", 8, 9), number("b", "uint8", 8, 9)}, nil,
			func(g get) bool { return g("a") >= 3 }, "a=3 b=0"},
		{"a boolean", []schedule.Input{{Name: "b", Type: "bool", Width: 1, Value: 1}}, nil,
			func(g get) bool { return g("b") == 1 }, "b=true"},
		{"a part of a string", text("s", "a long text with <tag> in it"), nil,
			func(g get) bool { return strings.Contains(str(g, "s"), "<t") }, `s="<t"`},
		{"a length", text("s", "\x80\x81\x82\x83\x84"), nil,
			func(g get) bool { return g("len(s)") >= 3 }, `s="000"`},
		{"two parts of a string", text("s", "xx{yyyyyyy}zz"), nil,
			func(g get) bool {
				s := str(g, "s")
				i := strings.Index(s, "{")
				return i >= 0 && strings.Contains(s[i:], "}")
			}, `s="{}"`},
		{"what goes as a whole", text("s", "[12,345,67]"), nil,
			func(g get) bool { return listPattern.MatchString(str(g, "s")) }, `s="[0,1]"`},
		{"a letter", text("s", "xQx"), nil,
			func(g get) bool { s := str(g, "s"); return len(s) == 3 && s[1] >= 'A' && s[1] <= 'Z' }, `s="0A0"`},
		{"bytes of a seed", text("s", "GET /\xff HTTP"), seedOf("s", "GET /a HTTP"),
			func(g get) bool { s := str(g, "s"); return len(s) == 11 && s[5] >= 0x80 }, "s=\"GET /\\x80 HTTP\""},
		{"parts of a seed", text("s", "GET /\xff HTTP"), seedOf("s", "GET /a HTTP"),
			func(g get) bool { s := str(g, "s"); return strings.Contains(s, "ET") && strings.Contains(s, "\xff ") }, "s=\"ET\\xff \""},
		{"a float", []schedule.Input{float(1234.5678)}, nil,
			func(g get) bool { return f64(g, "f") > 1 }, "f=2"},
		{"a fraction", []schedule.Input{float(0.30000000000000004)}, nil,
			func(g get) bool { f := f64(g, "f"); return f > 0 && f < 0.5 }, "f=0.3"},
		{"not a number", []schedule.Input{float(math.NaN())}, nil,
			func(g get) bool { f := f64(g, "f"); return f != f }, "f=math.NaN()"},
		{"elements of slices", []schedule.Input{
			{Name: "len(p.list)", Type: "[]int", Width: 64, Value: 3},
			number("p.list[0]", "int", 64, 5), number("p.list[1]", "int", 64, -40), number("p.list[2]", "int", 64, 6),
		}, nil,
			func(g get) bool {
				for i := range g("len(p.list)") {
					if int64(g(fmt.Sprintf("p.list[%d]", i))) < -9 {
						return true
					}
				}
				return false
			}, "len(p.list)=1 p.list[0]=-10"},
	} {
		in := &Input{Vars: test.in, Seed: test.seed}
		got, tried := simplify(in, test.fails)
		if show(got) != test.want {
			t.Errorf("%s: %s, want %s", test.name, show(got), test.want)
		}
		if tried > 200 {
			t.Errorf("%s: %d inputs were tried", test.name, tried)
		}
	}
}

// listPattern is a list in which two numbers are left.
var listPattern = regexp.MustCompile(`^\[\d+(,\d+)*,[1-9]\d*\]$`)

// seedOf returns the bytes of a seed.
func seedOf(name, value string) run.Input {
	in := run.Input{}
	for _, v := range text(name, value)[1:] {
		in[v.Name] = v.Value
	}
	return in
}

// TestRanks checks that numbers have ranks of their own in the order of their simplicity.
func TestRanks(t *testing.T) {
	bits := func(f float64) uint64 { return math.Float64bits(f) }
	for _, test := range []struct {
		typ    string
		width  uint8
		values []uint64 // the simplest first
	}{
		{"int8", 8, []uint64{0, 1, 0xff, 2, 0xfe, 127, 129, 128}},
		{"int64", 64, []uint64{0, 1, math.MaxUint64, 2, math.MaxInt64, 1<<63 + 1, 1 << 63}},
		{"uint64", 64, []uint64{0, 1, 2, math.MaxInt64, 1 << 63, math.MaxUint64}},
		{"float64", 64, []uint64{bits(0), bits(1), bits(-1), bits(2), bits(1e6), bits(0.5), bits(-0.5), bits(0.25), bits(1e300), bits(math.Copysign(0, -1)), bits(math.Inf(1)), bits(math.Inf(-1)), bits(math.NaN())}},
	} {
		var last uint64
		for i, value := range test.values {
			in := &Input{}
			r := in.rank(&schedule.Input{Name: "x", Type: test.typ, Width: test.width, Value: value}, nil)
			if i == 0 && r != 0 || i > 0 && r <= last {
				t.Errorf("%s: the rank of value %d of the list, %#x, is %d, after %d", test.typ, i, value, r, last)
			}
			last = r
		}
	}
}

// TestSmallest compares what inputs of random conditions are simplified to with all inputs. No
// other value of a single variable may be simpler; mostly, no other input is.
func TestSmallest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const size = 16
	var cases, smallest int
	for range 300 {
		// A condition over two numbers: it holds for some rectangles.
		type rectangle struct{ a, b, c, d uint64 }
		var list []rectangle
		for range 1 + r.IntN(3) {
			a, c := r.Uint64N(size), r.Uint64N(size)
			list = append(list, rectangle{a, a + r.Uint64N(size-a), c, c + r.Uint64N(size-c)})
		}
		fails := func(x, y uint64) bool {
			return slices.ContainsFunc(list, func(r rectangle) bool { return r.a <= x && x <= r.b && r.c <= y && y <= r.d })
		}
		input := func(x, y uint64) *Input {
			return &Input{Vars: []schedule.Input{number("x", "uint8", 8, int64(x)), number("y", "uint8", 8, int64(y))}}
		}
		var least *Input
		for x := range uint64(size) {
			for y := range uint64(size) {
				if c := input(x, y); fails(x, y) && (least == nil || c.Size().Compare(least.Size()) < 0) {
					least = c
				}
			}
		}
		from := list[len(list)-1]
		got, _ := simplify(input(from.b, from.d), func(get func(string) uint64) bool { return fails(get("x"), get("y")) })
		values := got.Values()
		if !fails(values["x"], values["y"]) {
			t.Fatalf("%v: %s does not fail", list, show(got))
		}
		for n := range uint64(size) {
			for _, other := range []*Input{input(n, values["y"]), input(values["x"], n)} {
				v := other.Values()
				if fails(v["x"], v["y"]) && other.Size().Compare(got.Size()) < 0 {
					t.Errorf("%v: %s, and %s is simpler", list, show(got), show(other))
				}
			}
		}
		cases++
		if got.Size().Compare(least.Size()) == 0 {
			smallest++
		}
	}
	t.Logf("%d of %d are the simplest", smallest, cases)
	if smallest*100 < cases*70 {
		t.Errorf("%d of %d are simplified to the simplest, want 70 %%", smallest, cases)
	}
}

func TestFromSeed(t *testing.T) {
	whole := func(value string) run.Input {
		in := seedOf("s", value)
		in["len(s)"] = uint64(len(value))
		return in
	}
	for _, test := range []struct {
		input string
		seeds []string
		want  string // the byte of the seed at each place, - where there is none
	}{
		{"abcdef", nil, "------"},
		{"abXdef", []string{"abcdef"}, "abcdef"},
		{"abXXdef", []string{"abcdef"}, "ab--def"},
		{"abdef", []string{"abcdef"}, "abdef"},
		{"XXXXXX", []string{"abcdef"}, "------"},
		{"abXdef", []string{"XXXXXX", "abcdeX", "abcdef"}, "abcdef"},
		{"", []string{"abcdef"}, ""},
		{"abc", []string{""}, "---"},
	} {
		in := &Input{Vars: text("s", test.input)}
		var seeds []run.Input
		for _, s := range test.seeds {
			seeds = append(seeds, whole(s))
		}
		from := FromSeed(in, seeds)
		var got strings.Builder
		for i := range len(test.input) {
			c, ok := from["s["+strconv.Itoa(i)+"]"]
			if !ok {
				c = '-'
			}
			got.WriteByte(byte(c))
		}
		if got.String() != test.want {
			t.Errorf("FromSeed(%q, %q) = %s, want %s", test.input, test.seeds, got.String(), test.want)
		}
	}
}
