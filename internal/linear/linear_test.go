package linear

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// container has a type with methods of all kinds of parameters and results.
const container = `package box

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

type Item struct{ N int }

type Cmp interface{ Less(a, b int) bool }

type Natural struct{}

type Hooked struct{}

type Hooks struct{ Removed func(int) }

func (h *Hooked) Set(hooks Hooks) {}

func (Natural) Less(a, b int) bool { return a < b }

type Options struct {
	Size   int
	Loader io.Reader
	name   string
}

type Box[K comparable, V any] struct{ m map[K]V }

func New[K comparable, V any](o Options) (*Box[K, V], error) { return nil, errors.New("none") }
func NewBy[V any](c Cmp, less func(a, b string) bool, options ...func(*Options)) *Box[string, V] { return nil }
func NewNotify[K comparable, V any](removed func(K, V)) *Box[K, V] { return nil }
func NewFrom[K comparable, V any](r io.Reader) *Box[K, V] { return nil }
func newHidden[K comparable, V any]() *Box[K, V] { return nil }
func NewPair[K comparable, V any]() (*Box[K, V], int) { return nil, 0 }

func (b *Box[K, V]) Set(k K, v V)                                     {}
func (b *Box[K, V]) Get(k K) (V, bool)                                { return b.m[k], false }
func (b *Box[K, V]) Three(a, b2, c bool)                              {}
func (b *Box[K, V]) Add(ks ...K) int                                  { return 0 }
func (b *Box[K, V]) All() iter.Seq2[K, V]                             { return nil }
func (b *Box[K, V]) Keys() iter.Seq[K]                                { return nil }
func (b *Box[K, V]) Range(f func(K, V) bool)                          {}
func (b *Box[K, V]) Update(k K, f func(old V, ok bool) (V, error))    {}
func (b *Box[K, V]) Put(i *Item) *Item                                { return i }
func (b *Box[K, V]) Merge(other *Box[K, V])                           {}
func (b *Box[K, V]) Wait(ctx context.Context, d time.Duration) error  { return nil }
func (b *Box[K, V]) Notify(c chan<- K)                                {}
func (b *Box[K, V]) Fail(err error, x any)                            {}
func (b *Box[K, V]) Lists(s []K, m map[K]V, p *int, a [2]K)           {}
func (b *Box[K, V]) ReadFrom(r io.Reader) (int64, error)              { return 0, nil }
func (b *Box[K, V]) hidden()                                          {}

type closed struct{ n int }

func (c *closed) Inc() int { c.n++; return c.n }

type sized struct{ n int }

func (s *sized) Size() int { return s.n }

func newSized(n int) *sized { return &sized{n} }

type Model struct {
	Init func() any
	Step func(state, input, output any) (bool, any)
}

var model Model

var unfinished struct {
	Init func() []any
	Step func(state, input, output any) []any
}

type None struct{}

func (n *None) Read(r io.Reader) {}
`

var (
	fset    = token.NewFileSet()
	sources = importer.ForCompiler(fset, "source", nil)
)

// check type-checks files of a package.
func check(t *testing.T, path string, imports map[string]*types.Package, texts map[string]string) *types.Package {
	t.Helper()
	var files []*ast.File
	for name, text := range texts {
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	cfg := types.Config{Importer: importing{imports}}
	pkg, err := cfg.Check(path, fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

type importing struct{ own map[string]*types.Package }

func (i importing) Import(path string) (*types.Package, error) {
	if p := i.own[path]; p != nil {
		return p, nil
	}
	return sources.Import(path)
}

func TestFind(t *testing.T) {
	box := check(t, "example.com/box", nil, map[string]string{"box.go": container})
	for _, test := range []struct {
		typ         string
		opts        Options
		want, makes string
		left        string
	}{
		{
			typ: "*Box[string,int]", opts: Options{},
			want: `Add(|"a"|"a", "b"), All(), Fail(errors.New("a")|nil, 1|2), Get("a"|"b"), Keys(), Lists([]string{}|[]string{"a", "b"}, map[string]int{"a": 1}, &1|&2, [2]string{}), ` +
				`Merge(y), Notify(make(chan<- string, 2)), Put(p1|p2), Range(func → false|func → true), Set("a"|"b", 1|2), Three(false|true, false|true, false|true) (4 of 8), ` +
				`Update("a"|"b", func → 1, errors.New("a")|func → 1, nil|func → 2, errors.New("a")) (4 of 6), Wait(context.Background(), 1|2)`,
			makes: `New[string, int](Options{}) New[string, int](Options{Size: 1}) NewBy[int](Natural{}, <) NewNotify[string, int](func)`,
			left:  "NewFrom: parameter r: nothing is known to implement io.Reader: give values with -values; ReadFrom: parameter r: nothing is known to implement io.Reader: give values with -values",
		},
		{
			typ: "*Box[string,int]", opts: Options{Run: regexp.MustCompile("^(Set|Get)$"), Skip: regexp.MustCompile("Get"), New: regexp.MustCompile("By"), Values: Values{{For: "Set.v", Exprs: []string{"7", "8", "9"}}, {For: "string", Exprs: []string{`"x"`}}}},
			want:  `Set("x", 7|8|9)`,
			makes: "NewBy[int](Natural{}, <)",
		},
		{typ: "*closed", want: "Inc()", makes: "new(closed)"},
		{typ: "*Hooked", want: "Set(Hooks{}|Hooks{Removed: func})", makes: "new(Hooked)"},
		{typ: "*sized", want: "Size()", makes: "newSized(1) newSized(2)"},
		{typ: "*Box[string,int]", opts: Options{Run: regexp.MustCompile("^Get$"), New: regexp.MustCompile("New(By)?$|Hidden"), Model: "model"}, want: `Get("a"|"b")`, makes: "New[string, int](Options{}) New[string, int](Options{Size: 1}) NewBy[int](Natural{}, <)"},
		{typ: "*Box[K]", want: "error: type *Box[K] of package example.com/box: undefined: K"},
		{typ: "io.Reader", want: "error: type io.Reader of package example.com/box: undefined: io"},
		{typ: "int", want: "error: type int is not declared in package example.com/box"},
		{typ: "None", want: "error: type None has no exported methods; *None has some"},
		{typ: "*None", want: "error: no method of *None can be called (Read: parameter r: nothing is known to implement io.Reader: give values with -values)"},
		{typ: "*Box[string,int]", opts: Options{New: regexp.MustCompile("From")}, want: "error: no function of package example.com/box that returns a *Box[string,int] and whose parameters can be given values matches From (NewFrom: parameter r: nothing is known to implement io.Reader: give values with -values)"},
		{typ: "*closed", opts: Options{Values: Values{{For: "nothing"}}}, want: "error: -values nothing: no such type in package example.com/box"},
		{typ: "*closed", opts: Options{Model: "Natural"}, want: "error: -model Natural has type example.com/box.Natural: name a variable that is a porcupine.Model"},
		{typ: "*closed", opts: Options{Model: "Model"}, want: "error: -model Model has type example.com/box.Model: name a variable that is a porcupine.Model"},
		{typ: "*closed", opts: Options{Model: "unfinished"}, want: "error: -model unfinished has type struct{Init func() []any; Step func(state any, input any, output any) []any}, whose Step returns one result, and no method ToModel: name a variable that is a porcupine.NondeterministicModel"},
	} {
		t.Run(test.typ, func(t *testing.T) {
			s, err := Find(fset, box, nil, test.typ, test.opts)
			if err != nil {
				if got := "error: " + err.Error(); got != test.want {
					t.Errorf("got  %s\nwant %s", got, test.want)
				}
				return
			}
			got, _, _ := strings.Cut(s.Describe(), " on ")
			if got != test.want {
				t.Errorf("calls are\n%s\nwant\n%s", got, test.want)
			}
			var makes, left []string
			for _, m := range s.Makes {
				makes = append(makes, m.Name)
			}
			if got := strings.Join(makes, " "); got != test.makes {
				t.Errorf("constructors are %s\nwant %s", got, test.makes)
			}
			for _, l := range s.Left {
				left = append(left, l.Name+": "+l.Why)
			}
			if got := strings.Join(left, "; "); got != test.left {
				t.Errorf("left out are %s\nwant %s", got, test.left)
			}
			compiles(t, s, box)
		})
	}
}

// compiles checks that the tests of a subject are Go.
func compiles(t *testing.T, s *Subject, pkg *types.Package) {
	t.Helper()
	files, err := s.Source([]Bound{{Goroutines: 2, Calls: 2}, {Alone: 1, Goroutines: 3, Calls: 1}}, 3, &History{Calls: []int{0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, text := range files {
		texts[name] = string(text)
	}
	path := pkg.Path() + "_test"
	if s.Package() == pkg.Name() {
		path, texts["box.go"] = pkg.Path(), container
	}
	tests := check(t, path, map[string]*types.Package{pkg.Path(): pkg}, texts)
	var targets []string
	for _, name := range tests.Scope().Names() {
		if strings.HasPrefix(name, "Fuzz") {
			targets = append(targets, name)
		}
	}
	if want := []string{"FuzzLinear1plus3x1", "FuzzLinear2x2", "FuzzLinearAgain", "FuzzLinearAlone"}; !slices.Equal(targets, want) {
		t.Errorf("targets are %v, want %v", targets, want)
	}
}

// Only the calls that make histories are where the type is declared: all else is where it is in the
// file, so that what happens there is not taken for statements of the package.
func TestPositions(t *testing.T) {
	box := check(t, "example.com/box", nil, map[string]string{"box.go": container})
	s, err := Find(fset, box, nil, "*closed", Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := s.Source([]Bound{{Goroutines: 2, Calls: 1}, {Goroutines: 2, Calls: 2}}, 3, &History{Calls: []int{0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "dir/"+TestFile, files[TestFile], parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if at := fset.Position(n.Lparen); at.Filename != "dir/"+TestFile {
				if calls++; at.String() != "dir/"+s.position {
					t.Errorf("a call is at %v, want %s", at, s.position)
				}
			}
		case ast.Stmt, ast.Decl:
			if at, is := fset.Position(n.Pos()), fset.PositionFor(n.Pos(), false); at != is {
				t.Errorf("what is at %v has the position %v", is, at)
			}
		}
		return true
	})
	if calls != 4 { // two bounds, calls that are made alone, and those of a history
		t.Errorf("%d calls are where the type is", calls)
	}
}

func TestParseBound(t *testing.T) {
	for text, want := range map[string]string{
		"2x2": "2 goroutines × 2 calls", "1+2x1": "2 goroutines × 1 call after 1 call", "0+3x2": "3 goroutines × 2 calls", "2x2/2": "2 goroutines × 2 calls, of any 2 methods,", "2x2/0": "error", "2x2/": "error", "2+2x3": "2 goroutines × 3 calls after 2 calls",
		"1x2": "error", "2x0": "error", "2": "error", "x": "error", "2x2x2": "error", "-1+2x2": "error", "4x4": "error", "": "error",
	} {
		b, err := ParseBound(text)
		got := b.Sentence()
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: got %s, want %s (%v)", text, got, want, err)
		}
	}
}

// The driver, which is copied and imports nothing of this package, waits as long as Patience says.
func TestPatience(t *testing.T) {
	text, err := driver.ReadFile("driver/driver.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "const linearPatience = time.Hour\n") || Patience != time.Hour {
		t.Error("Patience is not what the driver waits")
	}
	if text, err = driver.ReadFile("driver/state.go"); err != nil || !strings.Contains(string(text), "const linearStates = \""+statesLine+"\"\n") {
		t.Errorf("the driver prints another line: %v", err)
	}
}

func TestDistinct(t *testing.T) {
	for _, test := range []struct {
		methods int
		want    string
	}{{1, "2x2 1+2x2 3x2"}, {2, "2x2 1+2x2 3x2"}, {3, "2x2/2 1+2x2/2 2x2 3x2/2"}} {
		var bounds []Bound
		for _, text := range []string{"2x2/2", "1+2x2/2", "2x2", "3x2/2"} {
			b, err := ParseBound(text)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != text {
				t.Errorf("%s is written as %s", text, b)
			}
			bounds = append(bounds, b)
		}
		var got []string
		for _, b := range Distinct(bounds, test.methods) {
			got = append(got, b.String())
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%d methods: %s, want %s", test.methods, got, test.want)
		}
	}
}

// The bounds of which the orders are known are those of TestOrdersOf in package driver. TestParts
// checks that each set of as many methods as a bound allows is in one part, and that there are not
// too many of these.
func TestParts(t *testing.T) {
	for _, test := range []struct {
		methods int
		bound   Bound
		sets    int
	}{
		{3, Bound{Goroutines: 2, Calls: 2}, 0},
		{3, Bound{Goroutines: 2, Calls: 2, Methods: 1}, 3},
		{3, Bound{Goroutines: 2, Calls: 2, Methods: 2}, 6},
		{10, Bound{Goroutines: 2, Calls: 2, Methods: 2}, 55},
		{10, Bound{Goroutines: 2, Calls: 2, Methods: 3}, 175},
	} {
		s := &Subject{}
		for i := range test.methods {
			method := string(rune('A' + i))
			s.Calls = append(s.Calls, Call{Method: method}, Call{Method: method})
		}
		parts := s.Parts(test.bound)
		seen, names := map[string]bool{}, map[string]bool{}
		for _, part := range parts {
			names[part.Target] = true
			for _, set := range part.Sets {
				if seen[strings.Join(set, " ")] = true; len(set) > test.bound.Methods || !slices.IsSorted(set) {
					t.Errorf("%d methods, %s: there is the set %s", test.methods, test.bound, set)
				}
			}
		}
		if len(seen) != test.sets || len(names) != len(parts) || len(parts) > maxParts || len(parts) == 0 {
			t.Errorf("%d methods, %s: %d parts with %d names and %d sets, want %d", test.methods, test.bound, len(parts), len(names), len(seen), test.sets)
		}
	}
}

func TestOrdersKnown(t *testing.T) {
	for text, want := range map[string]bool{"2x1": true, "2x2": true, "1+2x3": true, "2x4": false, "3x1": true, "4x1": true, "5x1": false, "3x2": false} {
		b, err := ParseBound(text)
		if err != nil || b.ordersKnown() != want || len(b.orders(b.ordersKnown())) != map[bool]int{true: 1, false: 2*b.Goroutines*b.Calls - 1}[want] {
			t.Errorf("%s: %t, %v, %v", text, b.ordersKnown(), b.orders(want), err)
		}
	}
}

func TestReadStates(t *testing.T) {
	for text, want := range map[string]string{
		"first\neveryway linear states: 0 1 0,2,3\nlast\n": "[{0 []} {1 []} {0 [2 3]}] false",
		"everyway linear states: 0 0,1 ...\n":              "[{0 []} {0 [1]}] true",
		"everyway linear states: 0,x\n":                    "error", "nothing": "error",
	} {
		starts, more, err := ReadStates(text)
		got := fmt.Sprint(starts, more)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: got %s, want %s (%v)", text, got, want, err)
		}
	}
}

func TestHistory(t *testing.T) {
	b := Bound{Alone: 1, Goroutines: 2, Calls: 2}
	input := map[string]uint64{"start": 1, "before1": 4, "goroutine1call1": 5, "goroutine2call1": 6, "goroutine1call2": 7, "goroutine2call2": 8}
	if h := (&Subject{}).History(b, input); h.Make != 1 || !slices.Equal(h.Calls, []int{4, 5, 6, 7, 8}) {
		t.Errorf("got %+v", h)
	}
	s := &Subject{Starts: []Start{{0, nil}, {3, []int{1, 2}}}}
	for range 2 {
		if h := s.History(b, input); h.Make != 3 || !slices.Equal(h.Calls, []int{1, 2, 4, 5, 6, 7, 8}) {
			t.Errorf("got %+v", h)
		}
	}
}

func FuzzValues(f *testing.F) {
	for _, text := range []string{"int=1,2", `string="a,b",` + "`c,`", "S=S{1, 2},S{}", "Push.v='\\'',2", "x=", "=1", "f=(", `s="`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v Values
		if err := v.Set(text); err != nil {
			return
		}
		if len(v) != 1 || v[0].For == "" || len(v[0].Exprs) == 0 || slices.Contains(v[0].Exprs, "") {
			t.Errorf("%q gives %+v", text, v)
		}
		name, list, _ := strings.Cut(text, "=")
		if without := func(s string) string { return strings.ReplaceAll(strings.Join(strings.Fields(s), ""), ",", "") }; name != v[0].For || without(strings.Join(v[0].Exprs, "")) != without(list) {
			t.Errorf("%q loses something: %+v", text, v)
		}
	})
}
