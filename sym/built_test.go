package sym_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/sym"
)

// A record notes the calls that build it.
type record struct{ calls []string }

func newRecord(n int8, s string) (*record, error) {
	if n < 0 {
		return nil, errors.New("negative")
	}
	return &record{[]string{fmt.Sprint("new ", n, " ", s)}}, nil
}

func (r *record) Add(v ...uint8)             { r.calls = append(r.calls, fmt.Sprint("add ", v)) }
func (r *record) Each(f func())              { panic("it has a function as a parameter") }
func (r *record) Set(p struct{ X, Y int16 }) { r.calls = append(r.calls, fmt.Sprint("set ", p)) }
func (r *record) Value(v any)                { r.calls = append(r.calls, fmt.Sprint("value ", v)) }

func TestBuilt(t *testing.T) {
	for _, test := range []struct {
		name, input, want string
		options           []sym.Option
	}{
		{"no call", "r.new.arg1=3 len(r.new.arg2)=1 r.new.arg2[0]=97", "new 3 a", nil},
		{
			"calls", "r.call1=2 r.call1.arg1.X=-1 r.call1.arg1.Y=2 r.call2=1 len(r.call2.arg1)=2 r.call2.arg1[1]=255 r.call3=3 r.call3.arg1=7",
			"new 0 |set {-1 2}|add [0 255]|value 7", nil,
		},
		{"at most", "r.call1=1 r.call2=1 r.call3=1 r.call4=1", "new 0 |add []", []sym.Option{sym.Calls(1)}},
		{"without", "r.call1=1", "new 0 |value 0", []sym.Option{sym.Without("Add", "Set")}},
		{"error", "r.new.arg1=-1", "nil", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("EVERYWAY_INPUT", test.input)
			r := sym.Built[*record]("r", append(test.options, sym.From(newRecord))...)
			got := "nil"
			if r != nil {
				got = strings.Join(r.calls, "|")
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// A folder can be in itself.
type folder struct {
	Name string
	In   []folder
}

// Put is not called, as its parameter has no end.
func (f *folder) Move(to [1]string)     { f.Name = to[0] + "/" + f.Name }
func (f *folder) Put(in folder)         { panic("it has a type that is part of itself as a parameter") }
func (f *folder) Rename(a, b [1]string) { f.Name = a[0] + b[0] }

// A named value has a name, and a constructor that makes none.
type named interface{ Move(to [1]string) }

func TestBuiltParameters(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", "f.call1=2 len(f.call1.arg1[0])=1 f.call1.arg1[0][0]=97 f.call2=1 len(f.call2.arg1[0])=1 f.call2.arg1[0][0]=98")
	if f := sym.Built[*folder]("f"); f.Name != "b/a" {
		t.Errorf("got %q", f.Name)
	}
	if f := sym.Built[named]("f", sym.From(func() named { return nil })); f != nil {
		t.Errorf("got %v of a constructor that returns nothing", f)
	}
}

func TestBuiltWithoutConstructor(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", "r.call1=1")
	if r := sym.Built[*record]("r"); !slices.Equal(r.calls, []string{"add []"}) {
		t.Errorf("of the zero value: %q", r.calls)
	}
	sym.RegisterConstructors(func() *record { return &record{[]string{"registered"}} })
	if r := sym.Built[*record]("r"); !slices.Equal(r.calls, []string{"registered", "add []"}) {
		t.Errorf("of one that is registered: %q", r.calls)
	}
}

func TestRange(t *testing.T) {
	for _, test := range []struct {
		input string
		got   func() any
		want  any
	}{
		{"n=5", func() any { return sym.Range("n", 0, 10) }, 5},
		{"n=11", func() any { return sym.Range("n", 0, 10) }, 0},
		{"n=-3", func() any { return sym.Range("n", int8(-3), 4) }, int8(-3)},
		{"n=5", func() any { return sym.Range("n", int8(-3), 4) }, int8(-3)},
		{"n=-128", func() any { return sym.Range("n", int8(math.MinInt8), math.MaxInt8) }, int8(-128)},
		{"n=-9223372036854775808", func() any { return sym.Range("n", math.MinInt64, math.MaxInt64) }, math.MinInt64},
		{"n=18446744073709551615", func() any { return sym.Range("n", uint64(0), math.MaxUint64) }, uint64(math.MaxUint64)},
		{"", func() any { return sym.Range("n", 7, 7) }, 7},
	} {
		t.Setenv("EVERYWAY_INPUT", test.input)
		if got := test.got(); got != test.want {
			t.Errorf("%s: got %v, want %v", test.input, got, test.want)
		}
	}
}

// Every value of a range is drawn, and no other, whatever the input is.
func TestRangeOfAll(t *testing.T) {
	seen := map[int8]int{}
	for n := -200; n < 200; n++ {
		t.Setenv("EVERYWAY_INPUT", fmt.Sprintf("n=%d", n))
		seen[sym.Range("n", int8(-5), 6)]++
	}
	for v := int8(-5); v <= 6; v++ {
		if seen[v] < 400/12-2 {
			t.Errorf("%d is drawn %d times", v, seen[v])
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d different values, want 12: %v", len(seen), seen)
	}
}

func TestSeed(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", "given=5")
	draw := func(seed string) string {
		t.Setenv("EVERYWAY_SEED", seed)
		var list []any
		for i := range 8 {
			name := fmt.Sprint("v", i)
			list = append(list, sym.Int(name), sym.Bool(name), sym.String(name), sym.Float64(name), sym.Choice(name, 3))
		}
		return fmt.Sprintf("%q", list)
	}
	if draw("1") != draw("1") {
		t.Error("the same seed gives other values")
	}
	different := map[string]bool{}
	for seed := range 50 {
		different[draw(fmt.Sprint(seed))] = true
	}
	if len(different) != 50 {
		t.Errorf("50 seeds give %d different lists", len(different))
	}
	if got := sym.Int("given"); got != 5 {
		t.Errorf("what the list of inputs gives is %d, want 5", got)
	}
}

func TestAssert(t *testing.T) {
	for _, test := range []struct {
		cond bool
		args []any
		want string
	}{
		{true, nil, ""},
		{false, nil, "fatal: sym: the assertion does not hold for this input"},
		{false, []any{"n", 3}, "fatal: n 3"},
	} {
		f := &failer{}
		sym.Assert(f, test.cond, test.args...)
		if f.said != test.want {
			t.Errorf("Assert(%t, %v) says %q, want %q", test.cond, test.args, f.said, test.want)
		}
	}
	f := &failer{}
	if sym.Reachable(f, "there"); f.said != "error: sym: reached there" {
		t.Errorf("Reachable says %q", f.said)
	}
}

type failer struct{ said string }

func (*failer) Helper() {}
func (f *failer) Error(args ...any) {
	f.said = "error: " + strings.TrimSuffix(fmt.Sprintln(args...), "\n")
}
func (f *failer) Fatal(args ...any) {
	f.said = "fatal: " + strings.TrimSuffix(fmt.Sprintln(args...), "\n")
}
