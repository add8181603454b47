package gated

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle/suite"
)

// A Program is a fuzz test, made from a seed.
type Program struct {
	Seed uint64
	body []string // lines of Go
}

// Source returns the fuzz test with a name.
func (p *Program) Source(name string) string {
	return fmt.Sprintf("// seed %d\nfunc %s(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, in uint8) {\n\t%s\n\t})\n}\n", p.Seed, name, strings.Join(p.body, "\n\t"))
}

// prelude declares what programs use, besides the input in and variables c, d, s and x of their own.
const prelude = `
type data struct {
	a, b int
	at   atomic.Int32
	mu   sync.Mutex
	wg   sync.WaitGroup
	m    map[int]int
	s    []int
	e    [3]int

	seen int
}

type node struct {
	a, b int
	next *node
}

type control struct {
	mu, mu2 sync.Mutex
	rw      sync.RWMutex
	passed  atomic.Int32
	begun   atomic.Int32
	ch      chan int
}

func newControl() *control { return &control{ch: make(chan int, 3)} }

func newData() *data { return &data{m: map[int]int{}, s: make([]int, 2, 4)} }

func use(...any) {}

` + suite.Which + `
var (
	_ = which
	_ = time.Now
)
`

// Accesses are statements that access one object: those before the gate, those after it, and others that the
// test itself makes.
type accesses struct{ before, after, others []string }

// objects are the accesses of which a program has one of each.
var objects = []accesses{
	{[]string{"d.a = 1", "use(d.a)"}, []string{"d.a = 1", "use(d.a)", "*d = data{}"}, []string{"d.b = 1", "use(d.b)", "d.a = 1", "use(d.a)"}},
	{[]string{"d.mu = sync.Mutex{}", "*d = data{}"}, []string{"d.mu.Lock()", "d.mu.TryLock()", "use(d.a)"}, []string{"d.b = 1", "use(d.b)", "d.mu.Lock()"}},
	{[]string{"d.mu.Lock()", "d.mu.TryLock()"}, []string{"d.mu = sync.Mutex{}", "*d = data{}"}, []string{"d.b = 1", "use(d.b)"}},
	{[]string{"d.wg = sync.WaitGroup{}"}, []string{"d.wg.Wait()", "d.wg.Add(1)"}, []string{"d.b = 1", "use(d.b)"}},
	{[]string{"d.wg.Add(1)", "d.wg.Add(0)"}, []string{"d.wg = sync.WaitGroup{}", "d.wg.Wait()", "d.wg.Add(1)"}, []string{"d.b = 1", "d.wg.Add(1)"}},
	{[]string{"d.m[1] = 1", "use(d.m[1])", "for range d.m {}"}, []string{"d.m[1] = 1", "use(d.m[1])", "delete(d.m, 1)"}, []string{"d.m[2] = 1", "use(len(d.m))", "d.b = 1"}},
	{[]string{"d.s[0] = 1", "use(d.s[0])"}, []string{"d.s[0] = 1", "use(d.s[0])", "copy(d.s, d.s[1:])", "d.s[1] = 1"}, []string{"d.s[1] = 1", "use(d.s[1])"}},
	{[]string{"d.e[0] = 1", "use(d.e[0])", "d.e[in&1] = 1"}, []string{"use(d.e[in&1])", "use(d.e[in&1^1])", "d.e[in&1^1] = 1", "d.e[0] = 1"}, []string{"use(d.e[0])", "d.e[0] = 1", "use(d.e[in&1])"}},
	{[]string{"s.next.a = 1", "use(s.next.a)", "s.next = &node{}"}, []string{"s.next.a = 1", "use(s.next.a)", "s.next = nil"}, []string{"s.next.b = 1", "use(s.next)", "s.a = 1"}},
	{[]string{"d.at.Store(0)", "d.at.Load()"}, []string{"d.at = atomic.Int32{}", "d.at.Load()", "use(d.a)"}, []string{"d.b = 1", "use(d.b)", "d.at.Load()"}},
	{[]string{"x = 1", "use(x)"}, []string{"x = 1", "use(x)"}, []string{"x = 1", "use(x)", "use(&x)"}},
}

// expose makes that nothing protects all of d: somebody has read a field before somebody else writes it.
var expose = []string{"seen := make(chan int)", "go func(d *data) { seen <- d.seen }(d)", "d.seen = <-seen + 1"}

// locks are the ways in which a statement is made with a lock held: what comes before and after it.
var locks = map[string][2]string{
	"none":   {},
	"lock":   {"c.mu.Lock()", "c.mu.Unlock()"},
	"other":  {"c.mu2.Lock()", "c.mu2.Unlock()"},
	"read":   {"c.rw.RLock()", "c.rw.RUnlock()"},
	"write":  {"c.rw.Lock()", "c.rw.Unlock()"},
	"inside": {"d.mu.Lock()", "d.mu.Unlock()"},
	"try":    {"if c.mu.TryLock() {", "c.mu.Unlock(); }"},
}

// A generator draws the parts of a program.
type generator struct{ *rand.Rand }

// of returns one of some values.
func of[T any](g generator, values ...T) T { return values[g.IntN(len(values))] }

// locked returns lines with one of some locks held, often the same one.
func (g generator) locked(lines []string, names ...string) []string {
	with := locks[of(g, names...)]
	if with[0] == "" {
		return lines
	}
	return join([]string{with[0]}, lines, []string{with[1]})
}

// join returns the lines of all lists.
func join(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// block returns lines between a head and a tail.
func block(head string, lines []string, tail string) []string {
	return join([]string{head}, lines, []string{tail})
}

// Generate returns the program of a seed.
func Generate(seed uint64) *Program {
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	object := of(g, objects...)
	if g.IntN(3) == 0 {
		object = objects[0]
	}
	before, after := of(g, object.before...), of(g, object.after...)
	others := g.locked([]string{of(g, object.others...)}, "none", "lock", "lock", "lock", "other", "write", "inside")
	begin := []string(nil) // which also notes that somebody has begun
	if g.IntN(5) < 2 {
		begin = []string{"c.begun.Add(1)"}
	}
	gate := of(g, "c.passed.Add(1)", "c.passed.Add(1)", "c.passed.Add(1)", "c.ch <- 1")
	through := g.through(gate, g.locked([]string{after}, "none", "none", "lock", "lock", "other", "read", "write", "inside", "try"), begin != nil)
	first := g.first(before, gate, begin)
	p := &Program{Seed: seed, body: []string{"c, d, s := newControl(), newData(), &node{next: &node{}}", "x := 0", "use(c, d, s, &x)"}}
	if g.IntN(2) == 0 {
		p.body = append(p.body, expose...)
	}
	for _, part := range of(g, "fot", "fot", "oft", "ft", "tfo", "fto") {
		switch part {
		case 'f':
			p.body = append(p.body, first...)
		case 'o':
			p.body = append(p.body, others...)
		case 't':
			p.body = append(p.body, through...)
		}
	}
	return p
}

// first returns the goroutines that make the first access, in one of two orders, and pass the gate.
func (g generator) first(access, gate string, begin []string) []string {
	names := []string{"none", "none", "lock", "lock", "read", "write", "inside"}
	if g.IntN(2) == 0 {
		body := g.locked(join(begin, block("if i == 0 {", []string{access}, "}")), names...)
		return block("for i := range 2 {", block("go func(c *control, d *data, s *node, i int) {", append(body, gate), "}(c, d, s, i)"), "}")
	}
	one := g.locked(join(begin, block("if k == 0 {", []string{access}, "}")), names...)
	two := g.locked(join(begin, block("if k == 1 {", []string{access}, "}")), names...)
	body := join([]string{"k := which()"}, one, []string{gate}, two)
	if g.IntN(2) == 0 {
		body = append(body, gate)
	}
	return block("go func(c *control, d *data, s *node) {", body, "}(c, d, s)")
}

// through returns the goroutine, or the timer, that makes the second access if the gate is open.
func (g generator) through(gate string, access []string, begun bool) []string {
	open := of(g, 1, 1, 1, 2)
	body := block(fmt.Sprintf("if c.passed.Load() == %d {", open), access, "}")
	if gate == "c.ch <- 1" {
		body = of(g,
			block("select {", join([]string{"case <-c.ch:"}, access, []string{"default:"}), "}"),
			join([]string{"<-c.ch"}, access),
			block(fmt.Sprintf("if len(c.ch) == %d {", open), join([]string{"<-c.ch"}, access), "}"))
	}
	if begun && g.IntN(5) > 0 {
		body = block("if c.begun.Load() == 2 {", body, "}")
	}
	if g.IntN(5) == 0 {
		return block("time.AfterFunc(0, func() {", body, "})")
	}
	return block("go func(c *control, d *data, s *node) {", body, "}(c, d, s)")
}
