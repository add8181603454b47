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

// A frameProgram writes a test whose goroutines are in functions that call each other and
// themselves. Its structs are also changed through pointers to their parts and under other names,
// its channels by those to whom they are passed, and something is done between a close and the end
// of the function that a sync.Once calls.
type frameProgram struct {
	*strings.Builder
	*rand.Rand
	n         uint64
	changes   []string // calls that change what o points to
	depth     int
	indent    string
	variables int
	pointers  []string // local variables in scope, and so on
	ints      []string
	channels  []string
}

func writeFrameProgram(b *strings.Builder, seed uint64) {
	p := frameProgram{Builder: b, Rand: rand.New(rand.NewPCG(seed, 17)), n: seed, indent: "\t"}
	n := p.n
	p.printf("type part%d struct {\n\tp *int\n\tn int\n}\n\n", n)
	p.printf("type whole%d struct {\n\tm int\n\tpart%d\n\tq *part%d\n}\n\n", n, n, n)
	p.printf("type renamed%d whole%d\n\n", n, n)
	// Structs with the same fields are taken for one.
	p.printf("type ending%d struct {\n\tonce sync.Once\n\tstop chan int\n\tn%d int\n}\n\n", n, n)
	for _, c := range []struct{ head, call string }{
		{"func (i *part%[1]d) alterPart%[1]d() {\n", "o.alterPart%d()"},
		{"func alterRenamed%[1]d(i *renamed%[1]d) {\n", "alterRenamed%[1]d((*renamed%[1]d)(o))"},
		{"func alterWhole%[1]d(i *whole%[1]d) {\n", "alterWhole%d(o)"},
	} {
		p.printf(c.head, n)
		p.line("%s", [...]string{"i.n++", "i.p = nil", "if i.n > 1 {\n\t\ti.p = nil\n\t}"}[p.IntN(3)])
		p.yield()
		p.printf("}\n\n")
		if p.IntN(3) == 0 {
			p.changes = append(p.changes, fmt.Sprintf(c.call, n))
		}
	}
	if p.IntN(4) == 0 {
		p.changes = append(p.changes, fmt.Sprintf("o.part%[1]d = part%[1]d{n: x}", n))
	}
	p.printf("func new%d(x int) *whole%d {\n", n, n)
	p.line("o := &whole%d{m: x}", n)
	p.yield()
	p.line("o.p, o.q = &x, &part%d{}", n)
	p.yield()
	p.line("return o")
	p.printf("}\n\n")
	p.printf("func pass%d(c chan int, x int) {\n", n)
	for range 1 + p.IntN(2) {
		p.yield()
		switch p.IntN(5) {
		case 0, 1:
			p.line("select {\n\tcase c <- x:\n\tdefault:\n\t}")
		case 2:
			p.line("select {\n\tcase x = <-c:\n\tdefault:\n\t}")
		case 3:
			p.line("if x > 2 {\n\t\tdefer close(c)\n\t\treturn\n\t}")
		}
	}
	p.yield()
	p.line("if x > 100 {")
	p.line("\truntime.Gosched()")
	p.line("}")
	p.printf("}\n\n")
	p.ending()
	p.printf("func work%d(o *whole%d, e *ending%d, x int) {\n", n, n, n)
	p.body(3 + p.IntN(4))
	p.printf("}\n\n")
	p.printf("func TestFrames%d(t *testing.T) {\n", n)
	p.line("o, e, x := new%d(%d), &ending%d{stop: make(chan int)}, %d", n, p.IntN(4), n, p.IntN(4))
	p.line("go work%d(o, e, %d)", n, p.IntN(4))
	p.body(3 + p.IntN(4))
	p.line("_ = x")
	p.printf("}\n\n")
}

func (p *frameProgram) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// line writes a line.
func (p *frameProgram) line(format string, args ...any) {
	p.printf("%s%s\n", p.indent, fmt.Sprintf(format, args...))
}

// yield writes a statement at which another goroutine may go on, or none.
func (p *frameProgram) yield() {
	if p.IntN(3) > 0 {
		p.line("runtime.Gosched()")
	}
}

// ending writes the methods of what ends once.
func (p *frameProgram) ending() {
	p.printf("func (e *ending%d) note%d() {\n", p.n, p.n)
	p.line("runtime.Gosched()")
	p.line("e.n%d++", p.n)
	p.printf("}\n\n")
	p.printf("func (e *ending%d) end%d() {\n", p.n, p.n)
	p.line("e.once.Do(func() {")
	list := []string{"e.note%d()", "e.note%d()", "defer e.note%d()", "runtime.Gosched()"}
	for i := range p.IntN(4) {
		if i == 1 {
			p.line("\t%s", [...]string{"close(e.stop)", "close(e.stop)", "defer close(e.stop)"}[p.IntN(3)])
		}
		if call := list[p.IntN(len(list))]; strings.Contains(call, "%") {
			p.line("\t"+call, p.n)
		} else {
			p.line("\t%s", call)
		}
	}
	p.line("})")
	p.printf("}\n\n")
}

// body writes statements and a use of all that they have read.
func (p *frameProgram) body(n int) {
	p.block(func() { p.statements(n) })
}

// block writes statements. What they declare is not in scope after them.
func (p *frameProgram) block(write func()) {
	pointers, ints, channels := p.pointers, p.ints, p.channels
	p.pointers, p.ints, p.channels = slices.Clone(pointers), slices.Clone(ints), slices.Clone(channels)
	write()
	for _, at := range p.pointers[len(pointers):] {
		p.line("if %s != nil && *%s > 100 {", at, at)
		p.line("\truntime.Gosched()")
		p.line("}")
	}
	for _, at := range p.ints[len(ints):] {
		p.line("if %s > 100 {", at)
		p.line("\truntime.Gosched()")
		p.line("}")
	}
	for _, at := range p.channels[len(channels):] {
		p.line("if len(%s) > 100 {", at)
		p.line("\truntime.Gosched()")
		p.line("}")
	}
	p.pointers, p.ints, p.channels = pointers, ints, channels
}

// inner writes a block that is indented.
func (p *frameProgram) inner() {
	indent := p.indent
	p.indent += "\t"
	p.depth++
	p.block(func() { p.statements(1 + p.IntN(3)) })
	p.depth--
	p.indent = indent
}

func (p *frameProgram) statements(n int) {
	for range n {
		p.yield()
		p.statement()
	}
	p.yield()
}

func (p *frameProgram) variable(of *[]string, format string, args ...any) {
	name := fmt.Sprint("v", p.variables)
	p.variables++
	p.line("%s := %s", name, fmt.Sprintf(format, args...))
	*of = append(*of, name)
}

func (p *frameProgram) statement() {
	const deep = 2
	k := p.IntN(14)
	if p.depth >= deep {
		k = p.IntN(9)
	}
	switch {
	case k < 2:
		p.variable(&p.pointers, "o.p")
	case k == 2:
		p.variable(&p.ints, "%s", [...]string{"o.m", "o.n", fmt.Sprint("e.n", p.n)}[p.IntN(3)])
	case k < 5 && len(p.changes) > 0:
		p.line("%s", p.changes[p.IntN(len(p.changes))])
	case k == 5 && len(p.channels) > 0:
		p.line("pass%d(%s, x)", p.n, p.channels[p.IntN(len(p.channels))])
	case k < 7:
		p.variable(&p.channels, "make(chan int, %d)", 1+p.IntN(2))
		p.line("pass%d(%s, x)", p.n, p.channels[len(p.channels)-1])
	case k == 7:
		p.line("e.end%d()", p.n)
	case k == 8:
		p.line("if x > 1 {")
		p.line("\twork%d(o, e, x-2)", p.n)
		p.line("}")
	case k == 9:
		p.line("defer func() {")
		p.inner()
		p.line("}()")
	case k == 10:
		p.line("for range 2 {")
		p.inner()
		p.line("}")
	case k == 11:
		p.line("if o.m > %d {", p.IntN(3))
		p.inner()
		p.line("}")
	case k == 12:
		p.line("go func() {")
		p.inner()
		p.line("}()")
	default:
		p.line("func() {")
		p.inner()
		p.line("}()")
	}
}

// leadsTo returns the functions of a test's package to which the test leads, in whatever goroutine.
func (f *fixture) leadsTo(target *load.Target) []*ssa.Function {
	list := []*ssa.Function{target.Func}
	add := func(fn *ssa.Function) {
		if fn != nil && fn.Pkg == target.Func.Pkg && !slices.Contains(list, fn) {
			list = append(list, fn)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, inner := range list[i].AnonFuncs {
			add(inner)
		}
		if n := f.analysis.Calls().Of(list[i]); n != nil {
			for _, s := range n.Sites {
				for _, c := range s.Callees() {
					add(c.Body)
				}
			}
		}
	}
	return list
}

// stackOf returns a stack of which the innermost frame is at an instruction: with no callers, or
// with some of the calls that name the function.
func stackOf(at ssa.Instruction, calls map[*ssa.Function][]ssa.Instruction, r *rand.Rand) []ssa.Instruction {
	const most = 4
	stack := []ssa.Instruction{at}
	for len(stack) < most && r.IntN(3) > 0 {
		by := calls[stack[len(stack)-1].Parent()]
		if len(by) == 0 {
			break
		}
		stack = append(stack, by[r.IntN(len(by))])
	}
	return stack
}

// framePrograms are the smallest programs of the kind that a frameProgram writes of which contexts
// have been wrong.
const framePrograms = `
type frameField struct {
	p *int
	n int
}

func (f *frameField) alter() { f.p = nil }

type frameWhole struct {
	frameField
	m int
}

func workParts(o *frameWhole) {
	p := o.p
	runtime.Gosched()
	if o.p == nil || p == nil {
		runtime.Gosched()
	}
}

func TestFramesParts(t *testing.T) {
	x := 3
	o := &frameWhole{frameField: frameField{p: &x}}
	go workParts(o)
	runtime.Gosched()
	o.alter()
	runtime.Gosched()
}

func workStored(o *frameWhole) {
	p := o.p
	runtime.Gosched()
	if o.p == nil || p == nil {
		runtime.Gosched()
	}
}

func TestFramesStored(t *testing.T) {
	x := 3
	o := &frameWhole{m: x}
	o.p = &x
	go workStored(o)
	runtime.Gosched()
	o.frameField = frameField{n: x}
	runtime.Gosched()
}

type frameRenamed frameOther

type frameOther struct {
	p *int
	n int
}

func workRenamed(o *frameOther) {
	p := o.p
	runtime.Gosched()
	if o.p == nil || p == nil {
		runtime.Gosched()
	}
}

func alterRenamed(o *frameRenamed) { o.p = nil }

func TestFramesRenamed(t *testing.T) {
	x := 3
	o := &frameOther{p: &x}
	go workRenamed(o)
	runtime.Gosched()
	alterRenamed((*frameRenamed)(o))
	runtime.Gosched()
}

func passFrames(c chan int) {
	runtime.Gosched()
	c <- 1
	runtime.Gosched()
	if len(c) > 0 {
		runtime.Gosched()
	}
}

func TestFramesPassed(t *testing.T) {
	c := make(chan int, 2)
	passFrames(c)
	runtime.Gosched()
	if len(c) > 1 {
		runtime.Gosched()
	}
}

type frameEnding struct {
	once  sync.Once
	stop  chan int
	count int
}

func (e *frameEnding) note() {
	runtime.Gosched()
	e.count++
}

func (e *frameEnding) end() {
	e.once.Do(func() {
		close(e.stop)
		e.note()
	})
}

func TestFramesEnding(t *testing.T) {
	e := &frameEnding{stop: make(chan int)}
	go e.end()
	runtime.Gosched()
	<-e.stop
}
`

// TestFrames checks contexts of goroutines whose frames are in functions that call each other, with
// callers that are known and others that are not.
func TestFrames(t *testing.T) {
	var text strings.Builder
	text.WriteString("package frames\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n)\n\n")
	text.WriteString(framePrograms)
	for seed := range sample.Of(200, 16, 4) {
		writeFrameProgram(&text, uint64(seed))
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "frames", map[string]string{"frames_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	f.unlocked = true
	r := rand.New(rand.NewPCG(1, 1))
	contexts := 0
	for i := range f.within {
		target := &f.within[i]
		var list []ssa.Instruction
		calls := make(map[*ssa.Function][]ssa.Instruction)
		for _, fn := range f.leadsTo(target) {
			for _, at := range instructions(fn) {
				if at.Parent() != fn || strings.HasPrefix(fn.Name(), "alter") { // which would begin with a pointer to a part
					continue
				}
				list = append(list, at)
				if call, ok := at.(*ssa.Call); ok && call.Call.StaticCallee() != nil {
					calls[call.Call.StaticCallee()] = append(calls[call.Call.StaticCallee()], at)
				}
			}
		}
		if strings.TrimRight(target.Func.Name(), "0123456789") == target.Func.Name() { // no generated one
			for _, at := range list {
				if f.check(t, target, []ssa.Instruction{at}, r, 8) {
					contexts++
				}
			}
		}
		for range 30 {
			var stacks [][]ssa.Instruction
			for range 1 + r.IntN(3) {
				stacks = append(stacks, stackOf(list[r.IntN(len(list))], calls, r))
			}
			if f.checkStacks(t, target, stacks, r, 4) {
				contexts++
			}
		}
	}
	f.report(t, contexts)
	if contexts < len(f.within) {
		t.Errorf("%d contexts were reached in %d programs", contexts, len(f.within))
	}
}
