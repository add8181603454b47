package linearity

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/load"
)

// doing has types whose calls do things.
const doing = `package doing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
	"unsafe"

	"example.com/m/other"
)

var (
	errNone  = errors.New("none")
	limit    = 3
	count    int
	pool     sync.Pool
	compare  = func(a, b int) bool { return a < b }
	made     = make_()
	table    = map[int]int{}
	unused   = map[int]int{}
)

func make_() func() int { n := 0; return func() int { n++; return n } }

type Plain struct{ mu sync.Mutex; m map[string]int }

func (p *Plain) Call() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m == nil || len(p.m) > limit || compare(1, 2) {
		return fmt.Errorf("%w: %v", errNone, p)
	}
	return nil
}

type Starts struct{}
func (*Starts) Call() { helper() }
func helper() { go func() {}() }

type Group struct{ wg sync.WaitGroup }
func (g *Group) Call() { g.wg.Go(func() {}) }

type Counts struct{}
func (*Counts) Call() { count++ }

type Reads struct{}
func (*Reads) Call() int { return count }

type Pools struct{}
func (*Pools) Call() { pool.Put(1) }

type Tables struct{}
func (*Tables) Call() int { return table[1] }

type Closures struct{}
func (*Closures) Call() int { return made() }

type Later struct{}
func (*Later) Call() { time.AfterFunc(1, func() {}) }

type Waits struct{}
func (*Waits) Call() { <-time.After(1) }

type Ends struct{}
func (*Ends) Call() { _, end := context.WithTimeout(context.Background(), 1); end() }

type Outside struct{}
func (*Outside) Call() { os.Remove("x") }

type doer interface{ do() }
type one struct{}
func (one) do() { count = 1 }

type Dynamic struct{ d doer }
func (d *Dynamic) Call() { d.d.do() }

type Value struct{ f func() }
func (v *Value) Call() { v.f = helper }

type Others struct{}
func (*Others) Call() { other.Set() }

type Unsafe struct{ p *int }
func (u *Unsafe) Call() { _ = unsafe.Pointer(u.p) }

type Generic[T any] struct{ v T }
func (g *Generic[T]) Call() { g.set() }
func (g *Generic[T]) set() { var v T; g.v = v; other.Nothing[T]() }
`

// sorting has methods that the standard library calls.
const sorting = `package sorting

import "sort"

var compared int

type Sorts struct{ list }
func (s *Sorts) Call() { sort.Sort(s.list) }
type list []int
func (l list) Len() int { return len(l) }
func (l list) Less(a, b int) bool { compared++; return l[a] < l[b] }
func (l list) Swap(a, b int) {}
`

func TestContained(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n", "doing.go": doing, "sorting/sorting.go": sorting,
		"other/other.go": "package other\n\nvar state []int\n\nfunc Set() { state = nil }\n\nfunc Nothing[T any]() {}\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	what := func(pattern string, types map[string]string) (*load.Result, *load.Package) {
		cfg, err := program.LoadConfig(t.Context(), dir, []string{pattern}, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		r, err := load.Load(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range types {
			t.Run(name, func(t *testing.T) { checkContained(t, r, name, want) })
		}
		return r, r.Packages[0]
	}
	what("./sorting", map[string]string{"Sorts": "sorting.compared"})
	r, pkg := what(".", map[string]string{
		"Plain": "", "Starts": "starts goroutines", "Group": "sync.Go", "Counts": "doing.count", "Reads": "doing.count", "Pools": "doing.pool", "Tables": "doing.table", "Closures": "doing.made",
		"Later": "time.AfterFunc", "Waits": "time.After", "Ends": "context.WithTimeout", "Outside": "os.Remove", "Dynamic": "doing.count",
		"Value": "starts goroutines", "Others": "other.state", "Unsafe": "", "Generic": "",
	})
	if _, seen := contain(r, pkg, nil); !slices.Equal(seen, []string{"example.com/m/other", "example.com/m"}) {
		t.Errorf("packages %v", seen)
	}
}

func TestConstantValues(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	pkg.Scope().Insert(types.NewVar(0, pkg, "shared", types.Typ[types.Int]))
	pkg.Scope().Insert(types.NewFunc(0, pkg, "work", types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	pkg.Scope().Insert(types.NewTypeName(0, pkg, "T", types.Typ[types.Int]))
	for text, want := range map[string]bool{
		"1": true, "-1": true, `"a"`: true, "true": true, "1 + 2": true, "T{}": true, "T{N: 1, S: []int{2}}": true, "other.Options[int]{N: 2}": true, `map[string]int{"a": 1}`: true,
		"shared": false, "work": false, "f(1)": false, "&T{}": false, "T{N: shared}": false, "[]int{f()}": false, "other.Default": false, "func() {}": false, "shared[0]": false, "1 +": false,
	} {
		if got := constantValues(pkg, linear.Values{{For: "x", Exprs: []string{text}}}); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// checkContained checks what the method Call of a type does besides changing its value.
func checkContained(t *testing.T, r *load.Result, name, want string) {
	var roots []*types.Func
	for m := range r.Packages[0].Types.Scope().Lookup(name).Type().(*types.Named).Methods() {
		if m.Name() == "Call" {
			roots = append(roots, m)
		}
	}
	c := &containment{}
	c.look(r, r.Packages[0], roots)
	if (c.why == "") != (want == "") || !strings.Contains(c.why, want) {
		t.Errorf("got %q, want %q", c.why, want)
	}
	if c.hidden != (name == "Unsafe") {
		t.Errorf("hidden: %t", c.hidden)
	}
}
