package summaries

import (
	"context"
	"fmt"
	"sync"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/vm/summary"
)

// A Library has the summaries of functions. It implements walk.Source.
type Library struct {
	cache cache.Cache

	mu     sync.Mutex
	places map[cache.Key]*place
	counts Counts
}

// A place is where a tree is kept. Its lock is held while the tree is made, so that it is made
// once, and others meanwhile.
type place struct {
	sync.Mutex
	entry *entry // not changed in place
}

// Counts say how summaries have come about.
type Counts struct {
	Built, Nodes, Queries int // trees that were made, and what that took
	Loaded                int // trees that the cache has had
}

// An entry is a tree with what it follows from.
type entry struct {
	Callees []callee
	Tree    *summary.Tree // nil for none that is worth walking
}

// A callee is a function that was asked for when a tree was made: callee Index of the function with the key Of.
type callee struct {
	Of    cache.Key
	Index int32
	Key   cache.Key // zero if its calls are not part of a tree
}

// NewLibrary returns a library that keeps trees in a cache.
func NewLibrary(c cache.Cache) *Library {
	return &Library{cache: c, places: make(map[cache.Key]*place)}
}

// Counts returns how the trees have come about.
func (l *Library) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

// budget is the work of the solver for a side of a condition. What is not refuted stays in the
// tree, where it does no harm.
const budget = 20_000

// Tree implements walk.Source. It does not depend on what is in the cache.
func (l *Library) Tree(f *code.Func, pc int32, link func(f *code.Func, i int32) *code.Func) *summary.Tree {
	b := &building{link: link, keys: make(map[*code.Func]cache.Key), functions: make(map[cache.Key]*code.Func)}
	h := cache.NewHash("summary")
	if executable, err := cache.Executable(); err == nil {
		h.Key(executable)
	}
	h.Text(fmt.Sprintf("%d %+v", pc, summary.DefaultLimits))
	h.Key(b.key(f))
	key := h.Sum()
	at := l.place(key)
	at.Lock()
	defer at.Unlock()
	if e := at.entry; e != nil && b.holds(e) {
		return e.Tree
	}
	e := new(entry)
	if l.cache.Get(key, e) && b.holds(e) && (e.Tree == nil || summary.Check(e.Tree, f) == nil) {
		l.count(Counts{Loaded: 1})
		at.entry = e
		return e.Tree
	}
	e = new(entry)
	b.entry, b.arena = e, expr.NewArena()
	b.solver = solve.New(b.arena, solve.Options{Budget: budget})
	t := summary.Build(b, b.arena, f, pc, summary.DefaultLimits)
	l.count(Counts{Built: 1, Nodes: t.Size.Nodes, Queries: t.Size.Queries})
	if t.Worth() {
		e.Tree = t
	}
	at.entry = e
	_ = l.cache.Put(key, e) // it is made again then
	return e.Tree
}

// place returns where the tree with a key is kept.
func (l *Library) place(key cache.Key) *place {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.places[key]
	if at == nil {
		at = new(place)
		l.places[key] = at
	}
	return at
}

// count adds to the counts.
func (l *Library) count(c Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Built += c.Built
	l.counts.Nodes += c.Nodes
	l.counts.Queries += c.Queries
	l.counts.Loaded += c.Loaded
}

// A building implements summary.Program.
type building struct {
	link      func(f *code.Func, i int32) *code.Func
	keys      map[*code.Func]cache.Key
	functions map[cache.Key]*code.Func
	entry     *entry
	arena     *expr.Arena
	solver    *solve.Solver
}

// holds reports whether the functions that an entry follows from are those of the program.
func (b *building) holds(e *entry) bool {
	for _, c := range e.Callees {
		f := b.functions[c.Of]
		if f == nil || int(c.Index) >= len(f.Callees) || b.callee(f, c.Index) != c.Key {
			return false
		}
	}
	return true
}

// callee returns the key of a callee, zero if it is not to be part of a tree.
func (b *building) callee(f *code.Func, i int32) cache.Key {
	if to := b.link(f, i); to != nil {
		return b.key(to)
	}
	return cache.Key{}
}

// Callee implements summary.Program.
func (b *building) Callee(f *code.Func, i int32) *code.Func {
	key := b.callee(f, i)
	b.entry.Callees = append(b.entry.Callees, callee{b.key(f), i, key})
	return b.functions[key]
}

// Refutes implements summary.Program.
func (b *building) Refutes(conj []expr.ID) bool {
	r, err := b.solver.Satisfiable(context.Background(), conj)
	return err == nil && r == solve.Unsat
}

// key returns a hash of what a tree depends on in a function.
func (b *building) key(f *code.Func) cache.Key {
	if k, ok := b.keys[f]; ok {
		return k
	}
	h := cache.NewHash("function")
	h.Text(f.Name)
	h.Text(fmt.Sprint(f.Params, f.Results, f.Regs, f.Recover, f.Code))
	for _, t := range f.Types {
		h.Text(fmt.Sprint(t, t.Words, t.Size))
	}
	for i := range f.Consts {
		c := &f.Consts[i]
		h.Text(fmt.Sprint(c.Kind, c.Bits, c.Text, c.Func, c.Global))
	}
	k := h.Sum()
	b.keys[f], b.functions[k] = k, f
	return k
}
