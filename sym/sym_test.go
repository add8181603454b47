package sym_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/everyway-go/everyway/sym"
)

func TestEnvironment(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", "n=-3 u=18446744073709551615 len(s)=2 s[0]=104 s[1]=0x69 b=1 c=7")
	if got := sym.Int("n"); got != -3 {
		t.Errorf("Int = %d", got)
	}
	if got := sym.Int8("n"); got != -3 {
		t.Errorf("Int8 = %d", got)
	}
	if got := sym.Uint64("u"); got != 1<<64-1 {
		t.Errorf("Uint64 = %d", got)
	}
	if got := sym.Uint16("u"); got != 1<<16-1 {
		t.Errorf("Uint16 = %d", got)
	}
	t.Setenv("EVERYWAY_INPUT", "f=0x3ff8000000000000 g=0xbf000000 "+os.Getenv("EVERYWAY_INPUT"))
	if got := sym.Float64("f"); got != 1.5 {
		t.Errorf("Float64 = %v", got)
	}
	if got := sym.Float32("g"); got != -0.5 {
		t.Errorf("Float32 = %v", got)
	}
	if got := sym.String("s"); got != "hi" {
		t.Errorf("String = %q", got)
	}
	if got := sym.Bytes("none"); !bytes.Equal(got, nil) {
		t.Errorf("Bytes = %q", got)
	}
	if !sym.Bool("b") || sym.Bool("absent") {
		t.Error("Bool")
	}
	if got := sym.Choice("c", 3); got != 1 {
		t.Errorf("Choice = %d", got)
	}
}

func TestMalformed(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", "n=many")
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	sym.Int("n")
}

func TestAssume(t *testing.T) {
	s := &skipper{}
	sym.Assume(s, true)
	if s.skipped {
		t.Error("skipped although it holds")
	}
	sym.Assume(s, false)
	if !s.skipped {
		t.Error("not skipped")
	}
}

type skipper struct{ skipped bool }

func (s *skipper) Helper()     {}
func (s *skipper) Skip(...any) { s.skipped = true }

// A ring is a structure with what structures can have.
type ring struct {
	first *node
	size  atomic.Int32
	done  atomic.Bool
	head  atomic.Pointer[node]
	root  node
	names []string
	by    map[string]int
	mu    sync.Mutex
}

type node struct {
	next, prev *node
	val        int8
}

func TestAny(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", `r=1 &1.first=2 &1.size=3 &1.done=1 &1.head=2 &1.root.next=2 &1.root.val=-1
		len(&1.names)=2 len(&1.names[1])=2 &1.names[1][0]=104 &1.names[1][1]=105
		&2.next=2 &2.prev=67108865 &2.val=7 n=2`)
	r, n := sym.Any[*ring]("r"), sym.Any[*node]("n")
	switch {
	case r == nil || n == nil || r.first != n || r.head.Load() != n || r.root.next != n:
		t.Errorf("%p %p", r, n)
	case n.next != n || n.prev != &r.root:
		t.Errorf("next %p, prev %p", n.next, n.prev)
	case r.size.Load() != 3 || !r.done.Load() || n.val != 7 || r.root.val != -1 || r.root.prev != nil:
		t.Errorf("%+v", n)
	case !slices.Equal(r.names, []string{"", "hi"}) || r.by != nil || !r.mu.TryLock():
		t.Errorf("%q", r.names)
	}
	if again := sym.Any[*ring]("r"); again == r || again.first == n || again.first.val != 7 {
		t.Errorf("drawn again: %p", again)
	}
	if got := sym.Any[struct {
		a [2]uint8
		c complex128
	}]("none"); got.a != [2]uint8{} || got.c != 0 {
		t.Errorf("%v", got)
	}
}

func TestReferences(t *testing.T) {
	type refs struct {
		m     map[string]int8
		c     chan *node
		done  <-chan int
		f     func(int, string) (bool, *node)
		any   any
		err   error
		again map[string]int8
		empty atomic.Value
		value atomic.Value
	}
	t.Setenv("EVERYWAY_INPUT", `r=7 &7.m=1 len(&1)=1 len(&1.key[0])=1 &1.key[0][0]=97 &1.elem[0]=-3 &7.again=1
		&7.c=2 cap(&2)=2 len(&2)=1 &2[0]=3 &3.val=7 &7.done=4 &4.closed=1
		&7.f=5 &5(1).0=1 &5(1).1=3 &7.any.(type)=1 &7.any.(int)=8
		&7.value.(type)=1 &7.value.(string)=0 len(&7.value.(string))=1 &7.value.(string)[0]=98
		&7.err.(type)=1 &7.err.(*errors.errorString)=6 len(&6.s)=1 &6.s[0]=120`)
	r := sym.Any[*refs]("r")
	if r.empty.Load() != nil || r.value.Load() != "b" {
		t.Errorf("atomic values: %v, %v", r.empty.Load(), r.value.Load())
	}
	if r.m["a"] != -3 || len(r.m) != 1 {
		t.Errorf("map %v", r.m)
	}
	if r.again["b"] = 1; r.m["b"] != 1 {
		t.Error("the maps are not the same")
	}
	if n := <-r.c; n.val != 7 || cap(r.c) != 2 || len(r.c) != 0 {
		t.Errorf("channel: %v, %d of %d", n, len(r.c), cap(r.c))
	}
	if _, ok := <-r.done; ok {
		t.Error("not closed")
	}
	ok, n := r.f(1, "x")
	if !ok || n == nil || n.val != 7 {
		t.Errorf("f(1) = %v, %v", ok, n)
	}
	if ok, n := r.f(2, "x"); ok || n != nil {
		t.Errorf("f(2) = %v, %v", ok, n)
	}
	if ok, again := r.f(1, "x"); !ok || again != n {
		t.Errorf("f(1) = %v, %v again", ok, again)
	}
	if r.any != 8 || r.err == nil || r.err.Error() != "x" {
		t.Errorf("interfaces %v, %v", r.any, r.err)
	}
}

// A forest is a part of itself through slices: with a seed it has an end.
type forest []forest

func TestAnyOfItself(t *testing.T) {
	sizes := map[int]bool{}
	var size func(f forest) int
	size = func(f forest) int {
		n := len(f)
		for _, tree := range f {
			n += size(tree)
		}
		return n
	}
	for seed := range 20 {
		t.Setenv("EVERYWAY_SEED", strconv.Itoa(seed))
		sizes[size(sym.Any[forest]("f"))] = true
	}
	if len(sizes) < 5 {
		t.Errorf("20 seeds give %d sizes", len(sizes))
	}
}

// With a seed, structures have all shapes: lists that end and lists that do not, with objects that
// are shared, and everything else that leads somewhere leads there.
func TestAnySeeded(t *testing.T) {
	type all struct {
		n    *node
		m    map[string]*node
		c    chan int
		f    func(int) *node
		err  error
		any  any
		none interface{ None() }
	}
	seen := map[string]int{}
	note := func(what string, ok bool) {
		if ok {
			seen[what]++
		}
	}
	for seed := range 200 {
		t.Setenv("EVERYWAY_SEED", strconv.Itoa(seed))
		x, again := sym.Any[all]("x"), sym.Any[all]("x")
		met := map[*node]bool{}
		n, other := x.n, again.n
		for ; n != nil && !met[n]; n, other = n.next, other.next {
			met[n] = true
			if other == nil || n.val != other.val {
				t.Fatalf("seed %d gives two lists", seed)
			}
		}
		note("nil", x.n == nil)
		note("ends", x.n != nil && n == nil)
		note("cycle", n != nil)
		note("long", len(met) > 2)
		note("shared", x.n != nil && x.n.next != nil && x.n.next.prev == x.n)
		note("map", len(x.m) > 0)
		note("channel", len(x.c) > 0)
		note("function", x.f != nil && x.f(1) == x.f(1))
		note("error", x.err != nil && x.err.Error() != "")
		note("int", reflect.ValueOf(x.any).Kind() == reflect.Int)
		note("string", reflect.ValueOf(x.any).Kind() == reflect.String)
		if x.none != nil {
			t.Error("an interface that nothing is known to implement")
		}
	}
	for _, what := range []string{"nil", "ends", "cycle", "long", "shared", "map", "channel", "function", "error", "int", "string"} {
		if seen[what] < 5 {
			t.Errorf("%s: %d of 200", what, seen[what])
		}
	}

	// What the list has is not random.
	t.Setenv("EVERYWAY_INPUT", "x.n=1 &1.next=2 &1.prev=0 &2.next=1")
	if x := sym.Any[all]("x"); x.n == nil || x.n.prev != nil || x.n.next == x.n || x.n.next.next != x.n {
		t.Errorf("%+v", x.n)
	}
}
