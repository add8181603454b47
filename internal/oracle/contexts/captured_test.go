package contexts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
)

// A capturingProgram writes a test with goroutines that share the variables of its functions:
// captured before and after they are set, in loops, and in functions in others.
type capturingProgram struct {
	*strings.Builder
	*rand.Rand
	n         uint64
	ints      []string // variables in scope
	pointers  []string // to boxes, which may be nil
	variables int
	depth     int // of functions in others
	indent    string
}

func writeCapturingProgram(b *strings.Builder, seed uint64) {
	p := capturingProgram{Builder: b, Rand: rand.New(rand.NewPCG(seed, 13)), n: seed, indent: "\t"}
	p.printf("type box%d struct {\n\tn, m int\n\tnext *box%d\n\tmu sync.Mutex\n}\n\n", p.n, p.n)
	p.printf("func make%d(x int) *box%d {\n", p.n, p.n)
	if p.IntN(2) == 0 {
		p.printf("\tif x > 2 {\n\t\treturn nil\n\t}\n")
	}
	p.printf("\treturn &box%d{n: x}\n}\n\n", p.n)
	p.printf("func work%d(x int, p *box%d) {\n", p.n, p.n)
	p.ints, p.pointers = []string{"x"}, []string{"p"}
	p.statements(2 + p.IntN(4))
	p.use(p.ints, p.pointers)
	p.printf("}\n\n")
	p.printf("func TestCaptured%d(t *testing.T) {\n", p.n)
	p.ints, p.pointers = nil, nil
	p.declare()
	p.declare()
	p.statements(3 + p.IntN(5))
	p.use(p.ints, p.pointers)
	p.printf("}\n\n")
}

func (p *capturingProgram) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// line writes a line.
func (p *capturingProgram) line(format string, args ...any) {
	p.printf("%s%s\n", p.indent, fmt.Sprintf(format, args...))
}

// block writes lines that are indented. What is declared in it is not in scope after it.
func (p *capturingProgram) block(write func()) {
	ints, pointers, indent := p.ints, p.pointers, p.indent
	p.ints, p.pointers = ints[:len(ints):len(ints)], pointers[:len(pointers):len(pointers)]
	p.indent += "\t"
	write()
	p.use(p.ints[len(ints):], p.pointers[len(pointers):])
	p.ints, p.pointers, p.indent = ints, pointers, indent
}

// use writes a use of variables, so that what is read into them is needed until then.
func (p *capturingProgram) use(ints, pointers []string) {
	if len(ints) > 0 {
		p.line("if %s > 100 {", strings.Join(ints, "+"))
		p.line("\truntime.Gosched()")
		p.line("}")
	}
	for _, at := range pointers {
		p.line("if %s != nil && %s.n > 100 {", at, at)
		p.line("\truntime.Gosched()")
		p.line("}")
	}
}

func (p *capturingProgram) statements(n int) {
	for range n {
		p.statement()
	}
}

// number returns an expression.
func (p *capturingProgram) number() string {
	switch {
	case p.IntN(3) == 0 || len(p.ints) == 0:
		return fmt.Sprint(p.IntN(4))
	case p.IntN(3) == 0:
		return p.ints[p.IntN(len(p.ints))] + " + 1"
	}
	return p.ints[p.IntN(len(p.ints))]
}

// pointer returns an expression.
func (p *capturingProgram) pointer() string {
	switch k := p.IntN(6); {
	case k == 0:
		return fmt.Sprintf("make%d(%s)", p.n, p.number())
	case k == 1:
		return "nil"
	case k < 4 && len(p.pointers) > 0:
		return p.pointers[p.IntN(len(p.pointers))]
	}
	return fmt.Sprintf("&box%d{n: %s}", p.n, p.number())
}

// declare writes a declaration, perhaps with no value, or one that is set at once.
func (p *capturingProgram) declare() {
	p.variables++
	name := fmt.Sprint("v", p.variables)
	if p.IntN(2) == 0 {
		switch p.IntN(3) {
		case 0:
			p.line("var %s int", name)
		case 1:
			p.line("var %s int", name)
			p.line("%s = %s", name, p.number())
		default:
			p.line("%s := %s", name, p.number())
		}
		p.ints = append(p.ints, name)
	} else {
		switch p.IntN(4) {
		case 0:
			p.line("var %s *box%d", name, p.n)
		case 1:
			p.line("var %s *box%d", name, p.n)
			p.line("%s = %s", name, p.pointer())
		default:
			p.line("var %s *box%d = %s", name, p.n, p.pointer())
		}
		p.pointers = append(p.pointers, name)
	}
}

// statement writes one that declares, sets or reads variables, or has others in it.
func (p *capturingProgram) statement() {
	variable := func(list []string) string { return list[p.IntN(len(list))] }
	switch k := p.IntN(16); {
	case k < 2:
		p.declare()
	case k < 3 && len(p.ints) > 0:
		p.line("%s = %s", variable(p.ints), p.number())
	case k < 4 && len(p.pointers) > 0:
		p.line("%s = %s", variable(p.pointers), p.pointer())
	case k < 8 && len(p.pointers) > 0:
		at := variable(p.pointers)
		p.line("if %s != nil {", at)
		p.block(func() {
			switch p.IntN(4) {
			case 0:
				p.line("%s.mu.Lock()", at)
				p.line("%s.n++", at)
				p.line("%s.mu.Unlock()", at)
			case 1:
				p.line("%s.next = %s", at, p.pointer())
			case 2:
				if len(p.ints) > 0 {
					p.line("%s = %s.m", variable(p.ints), at)
				}
			default:
				p.line("%s.m = %s", at, p.number())
			}
		})
		p.line("}")
	case k < 9 && len(p.ints) > 0:
		p.line("if %s > %d {", variable(p.ints), p.IntN(3))
		p.block(func() { p.statements(1) })
		p.line("}")
	case k < 11:
		p.line("runtime.Gosched()")
	case p.depth == 3:
		p.line("runtime.Gosched()")
	case k < 12:
		i := fmt.Sprint("i", p.variables)
		p.variables++
		p.line("for %s := range 2 {", i)
		p.depth++
		p.block(func() {
			p.ints = append(p.ints, i)
			p.statements(1 + p.IntN(2))
		})
		p.depth--
		p.line("}")
	case k < 13 && len(p.pointers) > 0 && p.depth < 2:
		p.line("go work%d(%s, %s)", p.n, p.number(), variable(p.pointers))
	default:
		p.line("%sfunc() {", []string{"go ", "go ", "go ", "", "defer "}[p.IntN(5)])
		p.depth++
		p.block(func() {
			if p.IntN(2) == 0 {
				p.declare()
			}
			p.statements(1 + p.IntN(4))
		})
		p.depth--
		p.line("}()")
	}
}

// capturedPrograms have variables that are set once, before a goroutine is started that has
// captured them, that each of two goroutines has made and the other one reads, and that are set in
// one of two goroutines of the same function, and not yet in the other one; channels to which one
// of two has sent.
const capturedPrograms = `
type capturedBox struct {
	n    int
	next *capturedBox
	mu   sync.Mutex
}

func TestCapturedOnce(t *testing.T) {
	var p *capturedBox
	p = &capturedBox{n: 3}
	x := 7
	go func() {
		q := p
		y := x
		runtime.Gosched()
		if q.n > 3 && y > 3 {
			runtime.Gosched()
		}
		func() {
			if p.n > x {
				runtime.Gosched()
			}
		}()
	}()
	runtime.Gosched()
	if p.n > 3 && x > 4 {
		runtime.Gosched()
	}
}

func TestCapturedBoth(t *testing.T) {
	var p, q *capturedBox
	set := make(chan bool, 1)
	p = &capturedBox{n: 3}
	go func() {
		q = &capturedBox{n: 4, next: p}
		x := 5
		set <- true
		p.mu.Lock()
		runtime.Gosched()
		if p.n > x {
			runtime.Gosched()
		}
		p.mu.Unlock()
		func() { x++ }()
	}()
	<-set
	r := q
	r.mu.Lock()
	runtime.Gosched()
	if r.n > 3 && r.next == p {
		runtime.Gosched()
	}
	r.mu.Unlock()
}

func capturedTwice(x int, p *capturedBox) {
	go func() {
		if p != nil && p.n > x {
			runtime.Gosched()
		}
	}()
	if x > 2 {
		runtime.Gosched()
	}
	p = &capturedBox{n: x}
	runtime.Gosched()
	if p.n > 3 {
		runtime.Gosched()
	}
}

func TestCapturedTwice(t *testing.T) {
	go capturedTwice(1, nil)
	capturedTwice(2, nil)
}

func TestCapturedSet(t *testing.T) {
	for i := range 2 {
		var p *capturedBox
		go func() {
			runtime.Gosched()
			if i > 0 && p == nil {
				runtime.Gosched()
			}
			p = &capturedBox{n: i}
			runtime.Gosched()
			func() { p.n++ }()
		}()
	}
	runtime.Gosched()
}

func TestCapturedChannel(t *testing.T) {
	for range 2 {
		go func() {
			c := make(chan int, 1)
			runtime.Gosched()
			c <- 1
			runtime.Gosched()
			if <-c > 1 {
				runtime.Gosched()
			}
		}()
	}
	runtime.Gosched()
}

func TestCapturedLoop(t *testing.T) {
	var last *capturedBox
	for i := range 2 {
		b := &capturedBox{n: i, next: last}
		last = b
		n := 1
		go func() {
			c, m := b, n
			runtime.Gosched()
			if c.n+m > i {
				runtime.Gosched()
			}
		}()
		runtime.Gosched()
		if b.n > n {
			runtime.Gosched()
		}
	}
	runtime.Gosched()
}
`

// TestCaptured checks contexts of goroutines that share captured variables, and what these lead to,
// with the functions that have made them.
func TestCaptured(t *testing.T) {
	var text strings.Builder
	text.WriteString("package captured\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n)\n\n")
	text.WriteString(capturedPrograms)
	for seed := range sample.Of(200, 24, 6) {
		writeCapturingProgram(&text, uint64(seed))
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "captured", map[string]string{"captured_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	contexts := 0
	for i := range f.within {
		target := &f.within[i]
		var list []ssa.Instruction
		for _, fn := range f.calledBy(target) {
			list = append(list, instructions(fn)...)
		}
		tries := 12
		if strings.TrimRight(target.Func.Name(), "0123456789") == target.Func.Name() { // no generated one
			tries = sample.Size(400, 80, 30)
		}
		for range tries {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			for range r.IntN(3) {
				places = append(places, list[r.IntN(len(list))])
			}
			if f.check(t, target, places, r, 4) {
				contexts++
			}
		}
	}
	contexts += f.checkBoth(t, r)
	f.report(t, contexts)
	if f.undecided > 0 {
		t.Errorf("%d states are undecided", f.undecided)
	}
	if contexts < len(f.within) {
		t.Errorf("%d contexts were reached in %d programs", contexts, len(f.within))
	}
}

// checkBoth checks contexts of the two goroutines of TestCapturedBoth, each of which has made what
// the other one reads, so that neither can be prepared before the other one. It returns how many
// runs came to.
func (f *fixture) checkBoth(t *testing.T, r *rand.Rand) (contexts int) {
	both := slices.IndexFunc(f.within, func(target load.Target) bool { return target.Name == "TestCapturedBoth" })
	target := &f.within[both]
	maker := target.Func.AnonFuncs[0]
	var from, to []ssa.Instruction
	for _, at := range instructions(target.Func) {
		call, ok := at.(*ssa.Call)
		switch {
		case at.Parent() == maker:
			to = append(to, at)
		case at.Parent() == target.Func && ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Name() == "Gosched":
			from = append(from, at)
		}
	}
	for _, at := range from {
		for _, other := range to {
			if f.check(t, target, []ssa.Instruction{other, at}, r, 4) {
				contexts++
			}
		}
	}
	return contexts
}
