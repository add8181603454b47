package edges

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle/suite"
)

// A Program is a test, made from a seed. It is a fuzz test with one input if it has an access at an index that
// depends on it.
type Program struct {
	Seed  uint64
	parts [][]string // lines of Go, of which each part can be left out
}

// Source returns the test with a name, without the word Test or Fuzz that it begins with.
func (p *Program) Source(name string) string {
	var lines []string
	for _, part := range p.parts {
		lines = append(lines, part...)
	}
	body := strings.Join(lines, "\n\t")
	head, end := fmt.Sprintf("func Test%s(t *testing.T) {", name), "}"
	if p.hasInput() {
		head, end = fmt.Sprintf("func Fuzz%s(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, in uint8) {", name), "\t})\n}"
	}
	return fmt.Sprintf("// seed %d\n%s\n\t%s\n\t%s\n%s\n", p.Seed, head, declarations, body, end)
}

// hasInput reports whether the program has an input.
func (p *Program) hasInput() bool {
	for _, part := range p.parts {
		for _, line := range part {
			if strings.Contains(line, "in&") {
				return true
			}
		}
	}
	return false
}

// smaller returns programs with one part less, or with one statement less in a part.
func (p *Program) smaller() []*Program {
	var list []*Program
	for i := range p.parts {
		list = append(list, &Program{Seed: p.Seed, parts: slices.Concat(p.parts[:i], p.parts[i+1:])})
	}
	for i, part := range p.parts {
		for k, line := range part {
			if strings.HasSuffix(line, "{") || strings.HasPrefix(line, "}") || strings.Contains(line, ":= which()") {
				continue
			}
			q := &Program{Seed: p.Seed, parts: slices.Clone(p.parts)}
			q.parts[i] = slices.Concat(part[:k], part[k+1:])
			list = append(list, q)
		}
	}
	return list
}

// declarations begins each program.
const declarations = "c, d := newControl(), newData()\n\tuse(c, d)"

// prelude declares what programs use.
const prelude = `
type pair struct{ a, b int }

type data struct {
	a, b int
	p    pair
	e    [4]int
	s    []int
	m    map[int]int
	next *pair
	any  any
	text string
	mu   sync.Mutex
	at   atomic.Int32
	wg   sync.WaitGroup
}

// A control has what goroutines synchronise with. The gates n and o count those that have come to a place.
type control struct {
	x, y, n, o atomic.Int32
	flag, stop atomic.Bool
	ptr        atomic.Pointer[data]
	mu, mu2    sync.Mutex
	rw         sync.RWMutex
	wg         sync.WaitGroup
	once       sync.Once
	cond       *sync.Cond
	ch, full   chan int
	big        chan int
	un         chan int
	ptrs       chan *data
	end        chan int
	gate       chan int // its length says how many have passed
	timer      *time.Timer
	z          int // guarded by mu
}

func newControl() *control {
	c := &control{ch: make(chan int, 1), full: make(chan int, 1), big: make(chan int, 3), un: make(chan int), ptrs: make(chan *data, 1), end: make(chan int), gate: make(chan int, 8)}
	c.cond = sync.NewCond(&c.mu2)
	c.full <- 0
	return c
}

func newData() *data {
	return &data{s: make([]int, 3, 4), m: map[int]int{1: 0, 2: 0}, next: &pair{}}
}

func use(...any) {}

` + suite.Which + `
var (
	_ = which
	_ = runtime.Gosched
	_ = time.Now
)
`

// An object is accessed by statements of two groups: one of each often makes a race, and others need not.
type object struct{ first, second []string }

// objects are what programs access. All that is written has been there before.
var objects = []object{
	{[]string{"d.a = 0", "use(d.a)"}, []string{"d.a = 0", "use(d.a)", "d.b = 0"}},
	{[]string{"d.a = 0", "use(d.a)"}, []string{"d.a = 0", "use(d.a)"}},
	{[]string{"d.p.a = 0", "d.p.b = 0", "use(d.p.b)", "d.p = pair{}"}, []string{"d.p = pair{}", "use(d.p)", "d.p.b = 0", "use(d.p.b)"}},
	{[]string{"d.e[0] = 0", "d.e[3] = 0", "use(d.e[2])", "d.e = [4]int{}"}, []string{"d.e = [4]int{}", "use(d.e)", "use(d.e[3])", "d.e[2] = 0", "clear(d.e[1:3])"}},
	{[]string{"d.s[0] = 0", "d.s[2] = 0", "use(d.s[1])", "d.s = append(d.s[:2], 0)"}, []string{"d.s[2] = 0", "use(d.s[0])", "copy(d.s, d.s[1:])", "clear(d.s)", "use(append(d.s[:1], 0))", "use(len(d.s))"}},
	{[]string{"d.m[1] = 0", "use(d.m[1])", "for range d.m {}"}, []string{"d.m[2] = 0", "use(d.m[1])", "use(len(d.m))", "d.m[1] = 0"}},
	{[]string{"d.next.a = 0", "use(d.next.b)", "d.next = d.next"}, []string{"d.next.a = 0", "*d.next = pair{}", "use(*d.next)", "use(d.next.b)", "func(q *pair) { q.a = 0 }(d.next)"}},
	{[]string{"d.any = nil", "use(d.any)", "d.text = \"\""}, []string{"d.any = nil", "use(d.text)", "d.text = \"\"", "use(d.any)"}},
	{[]string{"d.mu.Lock(); d.mu.Unlock()", "d.mu = sync.Mutex{}"}, []string{"d.mu = sync.Mutex{}", "d.mu.Lock(); d.mu.Unlock()"}},
	{[]string{"d.at.Load()", "d.at.Store(0)", "d.at = atomic.Int32{}"}, []string{"d.at = atomic.Int32{}", "d.at.Load()", "d.at.Add(0)", "d.at.CompareAndSwap(1, 0)"}},
	{[]string{"d.wg.Add(1); d.wg.Done()", "d.wg.Wait()"}, []string{"d.wg.Wait()", "d.wg.Add(1); d.wg.Done()", "d.wg = sync.WaitGroup{}"}},
	{[]string{"d.e[in&3] = 0", "use(d.e[in&1])", "d.e[1] = 0"}, []string{"use(d.e[in&1])", "d.e[in&3] = 0", "d.e[0] = 0", "use(d.e[1])"}},
	{[]string{"d.a = 0; d.b = 0", "use(d.a, d.b)", "d.b = 0"}, []string{"d.b = 0", "use(d.a)", "d.a = 0; d.b = 0"}},
}

// An edge is a way to pass on what is known: by a release of somebody, to those who acquire it. What comes then is put
// where BODY is. In between others may do something that adds to what is there, replaces or removes it.
type edge struct{ release, acquire, between []string }

// edges are the ways to pass on what is known.
var edges = []edge{
	{
		[]string{"c.x.Store(1)", "c.x.Add(1)", "c.x.CompareAndSwap(0, 1)", "c.x.Swap(1)"},
		[]string{"c.x.Load(); BODY", "if c.x.Load() > 0 { BODY }", "if c.x.Swap(1) == 1 { BODY }", "if c.x.CompareAndSwap(1, 1) { BODY }", "c.x.Add(1); BODY", "c.x.Store(1); BODY"},
		[]string{"c.x.Store(1)", "c.x.Store(2)", "c.x.Add(1)", "c.x.CompareAndSwap(0, 2)", "c.x.Load()"},
	},
	{
		[]string{"c.flag.Store(true)", "c.flag.Swap(true)", "c.flag.CompareAndSwap(false, true)"},
		[]string{"for !c.flag.Load() { runtime.Gosched() }; BODY", "for range 2 { if c.flag.Load() { break } }; BODY", "if c.flag.Load() { BODY }"},
		[]string{"c.flag.Store(true)", "c.flag.Store(false)", "c.flag.CompareAndSwap(false, true)"},
	},
	{
		[]string{"c.mu.Lock(); c.z = 1; c.mu.Unlock()", "c.mu.Lock(); c.mu.Unlock()", "if c.mu.TryLock() { c.mu.Unlock() }"},
		[]string{"c.mu.Lock(); c.mu.Unlock(); BODY", "c.mu.Lock(); z := c.z; c.mu.Unlock(); if z == 1 { BODY }", "if c.mu.TryLock() { c.mu.Unlock(); BODY }", "c.mu.Lock(); BODY; c.mu.Unlock()"},
		[]string{"c.mu.Lock(); c.mu.Unlock()", "c.mu.Lock(); c.z = 1; c.mu.Unlock()", "if c.mu.TryLock() { c.mu.Unlock() }"},
	},
	{
		[]string{"c.rw.Lock(); c.rw.Unlock()", "c.rw.RLock(); c.rw.RUnlock()", "c.rw.RLock(); c.rw.RUnlock()"},
		[]string{"c.rw.RLock(); c.rw.RUnlock(); BODY", "c.rw.Lock(); c.rw.Unlock(); BODY", "c.rw.RLock(); BODY; c.rw.RUnlock()", "if c.rw.TryLock() { c.rw.Unlock(); BODY }", "if c.rw.TryRLock() { c.rw.RUnlock(); BODY }"},
		[]string{"c.rw.RLock(); c.rw.RUnlock()", "c.rw.Lock(); c.rw.Unlock()"},
	},
	{
		[]string{"c.ch <- 0", "select { case c.ch <- 0: default: }"},
		[]string{"<-c.ch; BODY", "select { case <-c.ch: BODY; default: }", "if len(c.ch) == 1 { <-c.ch; BODY }", "select { case c.ch <- 0: default: BODY }"},
		[]string{"select { case <-c.ch: default: }", "select { case c.ch <- 0: default: }", "<-c.ch; c.ch <- 0"},
	},
	{
		[]string{"c.big <- 0"},
		[]string{"<-c.big; BODY", "<-c.big; <-c.big; BODY", "select { case <-c.big: BODY; default: }", "if len(c.big) == 2 { <-c.big; BODY }", "for len(c.big) > 0 { <-c.big }; BODY"},
		[]string{"c.big <- 0", "<-c.big", "close(c.big)", "for len(c.big) > 0 { <-c.big }; close(c.big)", "<-c.big; c.big <- 0"},
	},
	{
		[]string{"<-c.full"},
		[]string{"c.full <- 0; BODY", "select { case c.full <- 0: BODY; default: }"},
		[]string{"c.full <- 0; <-c.full", "select { case <-c.full: default: }", "select { case c.full <- 0: default: }"},
	},
	{
		[]string{"c.un <- 0", "<-c.un", "select { case c.un <- 0: default: }"},
		[]string{"<-c.un; BODY", "c.un <- 0; BODY", "select { case <-c.un: BODY; case <-c.ch: }", "select { case <-c.un: BODY; default: }"},
		[]string{"c.un <- 0", "<-c.un"},
	},
	{
		[]string{"c.once.Do(func() { close(c.end) })"},
		[]string{"<-c.end; BODY", "select { case <-c.end: BODY; default: }", "c.once.Do(func() { close(c.end) }); BODY"},
		[]string{"c.once.Do(func() { close(c.end) })", "<-c.end"},
	},
	{
		[]string{"c.once.Do(func() { })"},
		[]string{"c.once.Do(func() { }); BODY", "c.once.Do(func() { BODY })"},
		[]string{"c.once.Do(func() { })"},
	},
	{
		[]string{"c.wg.Done()"},
		[]string{"c.wg.Wait(); BODY"},
		[]string{"c.wg.Add(1); c.wg.Done()", "c.wg.Wait()"},
	},
	{
		[]string{"c.cond.Signal()", "c.cond.Broadcast()", "c.mu2.Lock(); c.cond.Signal(); c.mu2.Unlock()"},
		[]string{"c.mu2.Lock(); c.cond.Wait(); c.mu2.Unlock(); BODY", "c.mu2.Lock(); c.mu2.Unlock(); BODY"},
		[]string{"c.cond.Signal()", "c.cond.Broadcast()"},
	},
	{
		[]string{"c.ptr.Store(d)", "c.ptr.CompareAndSwap(nil, d)"},
		[]string{"if d := c.ptr.Load(); d != nil { use(d); BODY }", "if d := c.ptr.Swap(nil); d != nil { use(d); BODY }"},
		[]string{"c.ptr.Store(d)", "c.ptr.CompareAndSwap(d, nil)", "c.ptr.Load()"},
	},
	{
		[]string{"c.ptrs <- d"},
		[]string{"d := <-c.ptrs; use(d); BODY", "select { case d := <-c.ptrs: use(d); BODY; default: }"},
		[]string{"select { case d := <-c.ptrs: c.ptrs <- d; default: }", "select { case c.ptrs <- d: default: }"},
	},
	{
		[]string{"time.AfterFunc(1, func() { c.y.Store(1) })", "time.AfterFunc(1, func() { c.ch <- 0 })", "c.timer.Reset(1)"},
		[]string{"if c.y.Load() == 1 { BODY }", "<-c.ch; BODY", "<-c.timer.C; BODY", "time.Sleep(2); BODY"},
		[]string{"c.y.Store(1)", "c.timer.Reset(1)", "c.timer.Stop()"},
	},
}

// needs are declarations that are made if a program uses what they declare.
var needs = []struct{ word, line string }{
	{"c.timer", "c.timer = time.NewTimer(time.Hour)"},
	{"c.wg.Done", "c.wg.Add(DONES)"},
}

// A generator draws the parts of a program.
type generator struct {
	*rand.Rand
	object  object
	gate    gate
	inOrder bool // the goroutines come in the order in which they are made: each waits for the gate, or does nothing
	passed  int  // number of those that have passed the gate then
}

// of returns one of some values.
func of[T any](g *generator, values ...T) T { return values[g.IntN(len(values))] }

// chance reports true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// A gate says how goroutines find out how many have passed: from the length of a channel, from which they learn nothing
// else, or from an atomic variable, from which they learn what those have known. It may be that they do not find out.
type gate struct{ pass, passed string }

// gates are the kinds of gates.
var gates = []gate{
	{"c.gate <- 0", "len(c.gate)"},
	{"c.gate <- 0", "len(c.gate)"},
	{"c.gate <- 0", "len(c.gate)"},
	{"c.gate <- 0", "len(c.gate)"},
	{"c.n.Add(1)", "c.n.Load()"},
	{"", ""},
}

// Generate returns the program of a seed.
func Generate(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.object, g.gate = of(g, objects...), of(g, gates...)
	g.inOrder = g.gate.pass != "" && !g.chance(5)
	p := &Program{Seed: seed}
	if g.chance(5) { // main accesses the object before there are others
		p.parts = append(p.parts, []string{of(g, g.object.second...)})
	}
	at := edges[g.IntN(len(edges))]
	first := g.first(at)
	var rest [][]string
	if g.chance(6) {
		p.parts = append(p.parts, g.round()...)
		return p
	}
	for g.IntN(5) < 2 && len(rest) < 3 {
		switch s := of(g, at.between...); {
		case g.chance(3): // what is known is passed on
			next := edges[g.IntN(len(edges))]
			s = g.after(at, of(g, next.release...))
			at = next
			rest = append(rest, g.goroutine(g.behind(s), false))
		case g.chance(3): // by two that do not wait for each other
			rest = append(rest, append(append([]string{"for range 2 {"}, g.goroutine(g.behind(s), true)...), "}"))
			g.passed++
		default:
			rest = append(rest, g.goroutine(g.behind(s), false))
		}
	}
	rest = append(rest, g.last(at))
	if g.chance(4) {
		rest = append(rest, g.last(of(g, at, edges[g.IntN(len(edges))])))
	}
	if g.chance(3) {
		g.Shuffle(len(rest), func(i, k int) { rest[i], rest[k] = rest[k], rest[i] })
	}
	if g.chance(2) { // somebody else can always do something, so that there is always a choice
		rest = append(rest, []string{"go func() { " + of(g, "c.o.Load()", "c.o.Store(0)", "c.o.Add(0)") + " }()"})
	}
	if g.chance(3) {
		p.parts = append(append(p.parts, rest...), first...)
	} else {
		p.parts = append(append(p.parts, first...), rest...)
	}
	text := p.Source("")
	for _, n := range needs {
		if k := strings.Count(text, n.word); k > 0 {
			p.parts = append([][]string{{strings.Replace(n.line, "DONES", fmt.Sprint(k), 1)}}, p.parts...)
		}
	}
	return p
}

// after returns a statement that acquires what an edge passes on, and does something then.
func (g *generator) after(e edge, body string) string {
	how := e.acquire[0]
	if g.chance(2) {
		how = of(g, e.acquire...)
	}
	return strings.Replace(how, "BODY", body, 1)
}

// behind returns a statement that is made when those before have passed the gate, and that passes it then.
func (g *generator) behind(s string) []string {
	switch {
	case g.inOrder:
		s = fmt.Sprintf("if %s == %d { %s; %s }", g.gate.passed, g.passed, s, g.gate.pass)
		g.passed++
	case g.gate.pass != "" && g.chance(2):
		s = fmt.Sprintf("if %s == %d { %s }", g.gate.passed, of(g, 1, 1, 2), s)
	case g.gate.pass != "" && g.chance(2):
		s += "; " + g.gate.pass
	}
	return []string{s}
}

// rounds are what is done again and again, and leads back to the state before.
var rounds = []string{
	"c.ch <- 0; <-c.ch", "c.ch <- 0; c.o.Load(); <-c.ch", "c.flag.Store(true); c.flag.Store(false)", "c.mu.Lock(); c.mu.Unlock()",
	"c.y.Store(c.x.Load()); c.x.Store(0)", "select { case v := <-c.big: c.big <- v; default: }", "if c.mu.TryLock() { c.mu.Unlock() }",
}

// round returns the parts of a program in which a goroutine goes round, so that there are cycles of
// states, until another one stops it, somewhere or at one place only. Whether there is an access
// depends on how far it is then.
func (g *generator) round() [][]string {
	what, access := of(g, rounds...), of(g, g.object.second...)
	loop := fmt.Sprintf("for !c.stop.Load() { %s }; %s", what, access)
	if g.chance(2) {
		loop = fmt.Sprintf("for { select { case <-c.un: %s; return; default: }; %s }", access, what)
	}
	seen := of(g, "len(c.ch) == 1", "len(c.ch) == 0", "c.flag.Load()", "!c.mu.TryLock()", "c.y.Load() == 0", "c.x.Load() == 0")
	first := []string{"k := which(); use(k)", fmt.Sprintf("if %s && k == %d { %s }", seen, g.IntN(2), of(g, g.object.first...))}
	if g.chance(3) {
		first = append(first, of(g, "c.x.Store(0)", "c.mu.Lock(); c.mu.Unlock()"))
	}
	parts := [][]string{g.goroutine([]string{loop}, true), g.goroutine(first, true)}
	if g.chance(3) {
		parts = append(parts, g.goroutine([]string{fmt.Sprintf("if %s { %s }", of(g, "len(c.ch) == 1", "c.flag.Load()", "c.y.Load() == 0"), of(g, g.object.second...))}, true))
	}
	if strings.Contains(loop, "<-c.un") {
		return append(parts, []string{"c.un <- 0"})
	}
	return append(parts, []string{"c.stop.Store(true)"})
}

// goroutine returns a part in which a goroutine executes statements. It may be main.
func (g *generator) goroutine(body []string, own bool) []string {
	if !own && g.chance(5) {
		return append(append([]string{"{"}, body...), "}")
	}
	all := append([]string{"go func() {"}, body...)
	return append(all, "}()")
}

// first returns the parts in which somebody accesses the object or not, and passes on what it knows.
func (g *generator) first(e edge) [][]string {
	access, release, pass := of(g, g.object.first...), of(g, e.release...), g.gate.pass
	here := of(g, 0, 1, 1)
	when := func(variable string, is int, do string) string {
		return fmt.Sprintf("if %s == %d { %s }", variable, is, do)
	}
	one := func(body ...string) [][]string {
		g.passed = 1
		body = nonempty(append([]string{"k := which(); use(k)"}, body...))
		if g.chance(6) {
			body = append(body, "<-c.end") // it does not end
		}
		return [][]string{g.goroutine(body, false)}
	}
	alike := func(head string, body ...string) [][]string {
		g.passed = 2
		lines := append([]string{head, "go func() {"}, nonempty(body)...)
		return [][]string{append(lines, "}()", "}")}
	}
	switch g.IntN(10) {
	case 9: // in one of three ways, of which two come to the same state at once
		g.passed = 1
		set := of(g, "c.x.Store(int32(min(k, 1)))", "if k == 0 { c.ch <- 0 }", "c.flag.Store(k > 0)")
		rest := g.goroutine([]string{"k := which(); if k == 1 { k += which() }", when("k", 2, access), set, pass}, false)
		reset := map[byte]string{'x': "c.x.Store(0)", 'c': "select { case <-c.ch: default: }", 'f': "c.flag.Store(false)"}[strings.TrimPrefix(set, "if k == 0 { ")[2]]
		return [][]string{rest, g.goroutine(g.behind(reset), true)}
	case 0, 1: // one of two that are alike accesses it; k is who
		if g.chance(2) {
			return alike("for i := range 2 {", release, when("i", here, access), pass)
		}
		return alike("for i := range 2 {", when("i", here, access), release, pass)
	case 2: // the one that comes first
		return alike("for range 2 {", when("c.o.Add(1)", 1+here, access), release, pass)
	case 3: // before or after
		return one(when("k", here, access), release, when("k", 1-here, access), pass)
	case 4: // in one of two ways
		release, other := when("k", here, release), when("k", 1-here, of(g, e.release...))
		if g.chance(2) {
			return one(release, access, other, pass)
		}
		return one(access, release, other, pass)
	case 5: // one thing or another
		return one(when("k", here, access), when("k", 1-here, of(g, g.object.first...)), release, pass)
	case 6: // several accesses, with a release between, and what others have left
		return one(of(g, g.object.first...), of(g, e.between...), when("k", here, access), release, pass)
	case 7: // after all
		return one(release, when("k", here, access), pass)
	}
	return one(when("k", here, access), release, pass)
}

// last returns a part in which somebody may learn of the first access, and accesses the object.
func (g *generator) last(e edge) []string {
	access := of(g, g.object.second...)
	learn := g.after(e, "")
	var body string
	switch g.IntN(9) {
	case 0:
		body = g.after(e, access+"; "+of(g, g.object.second...))
	case 1:
		body = access
	case 2: // by a goroutine that is started before, or after
		body = of(g, "go func() { "+access+" }(); "+learn, g.after(e, "go func() { "+access+" }()"))
	case 3: // or by a timer
		set := "time.AfterFunc(1, func() { " + access + " })"
		body = of(g, set+"; "+learn, g.after(e, set), set+"; "+learn+"; time.AfterFunc(1, func() { })", "time.AfterFunc(1, func() { }); "+learn+"; "+set)
	case 4: // or when one has sent
		set := of(g, "t := time.After(1)", "t := time.NewTimer(1).C")
		body = of(g, set+"; "+learn+"; <-t; "+access, "done := make(chan int, 1); "+learn+"; go func() { <-done; "+access+" }(); done <- 0", set+"; go func() { <-t; "+access+" }(); "+learn)
	default:
		body = g.after(e, access)
	}
	body = strings.ReplaceAll(body, "; ;", ";")
	switch {
	case g.inOrder && !g.chance(8):
		body = fmt.Sprintf("if %s == %d { %s }", g.gate.passed, g.passed, body)
	case g.gate.pass != "" && g.chance(2):
		body = fmt.Sprintf("if %s == %d { %s }", g.gate.passed, of(g, 1, 1, 2), body)
	}
	if g.chance(8) {
		body = access + "; " + body
	}
	if g.chance(8) {
		return append(append([]string{"for range 2 {"}, g.goroutine([]string{body}, true)...), "}")
	}
	return g.goroutine([]string{body}, false)
}

// nonempty returns the lines that are not empty.
func nonempty(lines []string) []string {
	var list []string
	for _, line := range lines {
		if line != "" {
			list = append(list, line)
		}
	}
	return list
}
