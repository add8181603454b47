package coveringtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator makes programs without races that draw the inputs x, y and z, each of 0, 1 and 2.
// What they synchronise depends on inputs through registers, memory, calls, channels and atomic
// variables.
type generator struct {
	*rand.Rand
	text  strings.Builder
	depth int
	fresh int
}

// Generate returns the program of a seed. It ends, with exit code 0 or by a panic with the message
// "early", which what is done once may repeat.
func Generate(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
	g.text.WriteString(`package main

import (
	"sync"
	"sync/atomic"

	"github.com/everyway-go/everyway/sym"
)

type pair struct{ a, b int }

var (
	m0, m1, m2 sync.Mutex
	rw         sync.RWMutex
	wg         sync.WaitGroup
	once       sync.Once
	shared     [3]int // with m0
	table      = map[int]int{}
	current    = &pair{}
	count      atomic.Int64
	ch         = make(chan int, 100)
	names      sync.Map
	pairs      = sync.Pool{New: func() any { return new(pair) }}
	gate       = sync.NewCond(&m2)
	phase      int // with m2
)

var (
	first = sync.OnceFunc(func() {
		m1.Lock()
		count.Add(1)
		m1.Unlock()
	})
	begun = sync.OnceValue(func() int {
		m0.Lock()
		defer m0.Unlock()
		return (shared[0] + current.a) % 3
	})
	counted = sync.OnceValues(func() (int, bool) {
		n := int(count.Load())
		return n % 3, n > begun()
	})
)

func set(p *int, v int) { *p = v }

func use(m *sync.Mutex) {
	m.Lock()
	m.Unlock()
}

func pick(a, b int, c bool) int {
	if c {
		return a
	}
	return b
}

func (p *pair) swap() { p.a, p.b = p.b, p.a }

func main() {
	x, y, z := sym.Range("x", 0, 2), sym.Range("y", 0, 2), sym.Range("z", 0, 2)
	_, _, _ = x, y, z
`)
	// Some have workers that wait for what function main says to all of them, which some do longer than others.
	workers, gated := 2, g.IntN(2) == 0
	if gated {
		workers = 3
	}
	for i := range workers {
		g.line(1, "wg.Add(1)")
		g.line(1, "go work%d(x, y, z)", i)
	}
	g.body(1, 3)
	if gated {
		for range 2 {
			g.line(1, "m2.Lock()\n\tphase++\n\tgate.Broadcast()\n\tm2.Unlock()")
			g.statements(1, g.IntN(2))
		}
	}
	g.line(1, "wg.Wait()")
	g.text.WriteString("}\n")
	for i := range workers {
		fmt.Fprintf(&g.text, "\nfunc work%d(x, y, z int) {\n\tdefer wg.Done()\n", i)
		if !gated {
			g.body(1, 4)
		} else {
			g.body(1, 1)
			g.line(1, "m2.Lock()\n\tfor phase < %s {\n\t\tgate.Wait()\n\t}\n\tm2.Unlock()", []string{g.input(), "1", "2"}[g.IntN(3)])
			g.statements(1, 2)
		}
		g.text.WriteString("}\n")
	}
	return g.text.String()
}

func (g *generator) line(indent int, format string, args ...any) {
	g.text.WriteString(strings.Repeat("\t", indent))
	fmt.Fprintf(&g.text, format+"\n", args...)
}

// body writes statements with variables of their own.
func (g *generator) body(indent, n int) {
	g.line(indent, "u, v := %s, 0", g.input())
	g.line(indent, "local := [3]int{0, %s, 2}", g.input())
	g.line(indent, "_, _, _ = u, v, local")
	g.statements(indent, n)
}

func (g *generator) statements(indent, n int) {
	for range n {
		g.statement(indent)
	}
}

func (g *generator) input() string { return []string{"x", "y", "z"}[g.IntN(3)] }
func (g *generator) local() string { return []string{"u", "v"}[g.IntN(2)] }

func (g *generator) expr() string {
	switch g.IntN(6) {
	case 0:
		return g.input()
	case 1:
		return fmt.Sprint(g.IntN(3))
	case 2:
		return fmt.Sprintf("(%s + %s) %% 3", g.local(), g.input())
	case 3:
		if g.IntN(2) == 0 {
			return "local[" + g.input() + "]"
		}
		return fmt.Sprintf("local[%s%%3]", g.local())
	case 4:
		return fmt.Sprintf("pick(%s, %s, %s)", g.local(), g.input(), g.cond())
	}
	return g.local()
}

func (g *generator) cond() string {
	a := []string{g.local(), g.input(), "local[" + fmt.Sprint(g.IntN(3)) + "]"}[g.IntN(3)]
	return fmt.Sprintf("%s %s %d", a, []string{"==", "<", ">", "!="}[g.IntN(4)], g.IntN(3))
}

func (g *generator) statement(indent int) {
	g.depth++
	defer func() { g.depth-- }()
	k := g.IntN(23)
	if g.depth > 3 {
		k = g.IntN(9)
	}
	switch k {
	case 0:
		g.line(indent, "%s = %s", g.local(), g.expr())
	case 1:
		g.line(indent, "set(&%s, %s)", []string{"u", "v", "local[1]"}[g.IntN(3)], g.expr())
	case 2:
		m := g.IntN(3)
		if g.IntN(3) == 0 {
			// The same operations are on one lock or another one.
			g.line(indent, "if %s {\n\tuse(&m%d)\n} else {\n\tuse(&m%d)\n}", g.cond(), m, (m+1)%3)
			return
		}
		g.line(indent, "m%d.Lock()", m)
		g.line(indent, "m%d.Unlock()", m)
	case 3, 4:
		g.line(indent, "m0.Lock()")
		switch g.IntN(4) {
		case 0:
			g.line(indent, "shared[%d] = %s", g.IntN(3), g.expr())
		case 1:
			g.line(indent, "table[%s] += %s", g.expr(), g.expr())
		case 2:
			g.line(indent, "current.a, current.b = %s, %s", g.expr(), g.expr())
			g.line(indent, "if %s {", g.cond())
			g.line(indent+1, "current = &pair{b: %s}", g.expr())
			g.line(indent, "}")
		case 3:
			g.line(indent, "current.swap()")
		}
		to := g.local()
		switch g.IntN(3) {
		case 0:
			g.line(indent, "%s = shared[%d]", to, g.IntN(3))
		case 1:
			g.line(indent, "%s = table[%s]", to, g.expr())
		case 2:
			g.line(indent, "%s = current.a", to)
		}
		g.line(indent, "m0.Unlock()")
	case 5:
		g.line(indent, "count.Add(int64(%s))", g.expr())
		if g.IntN(2) == 0 {
			g.line(indent, "%s = int(count.Load())", g.local())
		}
	case 6:
		g.line(indent, "ch <- %s", g.expr())
		if g.IntN(2) == 0 {
			g.line(indent, "select {")
			g.line(indent, "case %s = <-ch:", g.local())
			g.line(indent, "default:")
			g.line(indent, "}")
		}
	case 7:
		g.line(indent, "rw.RLock()")
		g.line(indent, "rw.RUnlock()")
	case 8:
		if g.IntN(3) == 0 {
			g.line(indent, "if %s {", g.cond())
			g.line(indent+1, "panic(%q)", "early")
			g.line(indent, "}")
			return
		}
		g.line(indent, "local[%s%%3] = %s", g.local(), g.expr())
	case 9, 10, 11:
		g.line(indent, "if %s {", g.cond())
		g.statements(indent+1, 1+g.IntN(2))
		if g.IntN(2) == 0 {
			g.line(indent, "} else {")
			g.statements(indent+1, 1+g.IntN(2))
		}
		g.line(indent, "}")
	case 12:
		g.fresh++
		i := fmt.Sprintf("i%d", g.fresh)
		g.line(indent, "for %s := 0; %s < %s; %s++ {", i, i, g.input(), i)
		g.statements(indent+1, 1+g.IntN(2))
		g.line(indent, "}")
	case 13:
		g.fresh++
		f := fmt.Sprintf("f%d", g.fresh)
		g.line(indent, "%s := func() {", f)
		g.statements(indent+1, 1)
		g.line(indent, "}")
		g.line(indent, "if %s {", g.cond())
		g.line(indent+1, "%s = func() {", f)
		g.statements(indent+2, 1)
		g.line(indent+1, "}")
		g.line(indent, "}")
		g.line(indent, "%s()", f)
	case 14:
		g.line(indent, "switch %s {", g.expr())
		for c := range 2 {
			g.line(indent, "case %d:", c)
			g.statements(indent+1, 1)
		}
		g.line(indent, "}")
	case 15:
		g.line(indent, "once.Do(func() {")
		g.statements(indent+1, 1)
		g.line(indent, "})")
	case 16:
		g.line(indent, "ch <- %s", g.expr())
		g.fresh++
		w, ok := fmt.Sprintf("w%d", g.fresh), fmt.Sprintf("ok%d", g.fresh)
		g.line(indent, "%s, %s := <-ch", w, ok)
		g.statements(indent, g.IntN(2))
		g.line(indent, "if %s {", ok)
		g.statements(indent+1, 1)
		if g.IntN(2) == 0 {
			g.line(indent+1, "%s += %s", g.local(), w)
		}
		g.line(indent, "}")
		g.line(indent, "_ = %s", w)
	case 17:
		g.fresh++
		c := fmt.Sprintf("c%d", g.fresh)
		g.line(indent, "%s := make(chan int, 3)", c)
		g.line(indent, "func() {")
		g.line(indent+1, "defer close(%s)", c)
		g.line(indent+1, "for range %s {", g.input())
		g.line(indent+2, "%s <- %s", c, g.expr())
		g.line(indent+1, "}")
		g.line(indent, "}()")
		if g.IntN(2) == 0 {
			g.line(indent, "for range %s {", c)
			g.line(indent, "}")
			break
		}
		g.line(indent, "for w := range %s {", c)
		g.line(indent+1, "%s = w", g.local())
		g.statements(indent+1, g.IntN(2))
		g.line(indent, "}")
	case 18:
		g.line(indent, "for range %s {", []string{g.input(), "local[:" + g.input() + "]", "2"}[g.IntN(3)])
		g.statements(indent+1, 1)
		g.line(indent, "}")
	case 19:
		switch g.IntN(3) {
		case 0:
			g.line(indent, "first()")
		case 1:
			g.line(indent, "%s = begun()", g.local())
		case 2:
			g.fresh++
			w, ok := fmt.Sprintf("w%d", g.fresh), fmt.Sprintf("ok%d", g.fresh)
			g.line(indent, "if %s, %s := counted(); %s {", w, ok, ok)
			g.line(indent+1, "%s = %s", g.local(), w)
			g.statements(indent+1, 1)
			g.line(indent, "}")
		}
	case 20:
		g.fresh++
		f := fmt.Sprintf("f%d", g.fresh)
		g.line(indent, "%s := sync.OnceFunc(func() {", f)
		g.statements(indent+1, 1)
		g.line(indent, "})")
		g.line(indent, "if %s {", g.cond())
		g.line(indent+1, "%s()", f)
		g.line(indent, "}")
		g.line(indent, "%s()", f)
	case 21:
		g.mapped(indent)
	case 22:
		g.fresh++
		p := fmt.Sprintf("p%d", g.fresh)
		g.line(indent, "%s := pairs.Get().(*pair)", p)
		g.line(indent, "%s.a, %s.b = %s, %s", p, p, g.expr(), g.expr())
		g.statements(indent, 1)
		g.line(indent, "%s = %s.a", g.local(), p)
		g.line(indent, "pairs.Put(%s)", p)
	}
}

// mapped writes what uses the sync.Map, which may decide what is next.
func (g *generator) mapped(indent int) {
	key := g.expr()
	switch g.IntN(5) {
	case 0:
		g.line(indent, "names.Store(%s, %s)", key, g.expr())
		return
	case 1:
		g.line(indent, "names.Delete(%s)", key)
		return
	case 2:
		g.fresh++
		w, ok := fmt.Sprintf("w%d", g.fresh), fmt.Sprintf("ok%d", g.fresh)
		g.line(indent, "if %s, %s := names.%s(%s); %s {", w, ok, []string{"Load", "LoadAndDelete"}[g.IntN(2)], key, ok)
		g.line(indent+1, "%s = %s.(int)", g.local(), w)
	case 3:
		g.line(indent, "if _, loaded := names.LoadOrStore(%s, %s); !loaded {", key, g.expr())
	case 4:
		g.line(indent, "if names.CompareAndSwap(%s, %s, %s) {", key, g.expr(), g.expr())
	}
	g.statements(indent+1, 1)
	g.line(indent, "}")
}
