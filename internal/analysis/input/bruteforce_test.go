package input

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/schedule"
)

// A statement is one of a random program. Registers and cells hold bytes.
type statement struct {
	op       string // read, write, branch, lock, unlock or element
	cell     int    // of memory; of an element, the input that is the index
	constant uint8  // written, added or compared with
	from     source // of what is written
}

// A source says what is written: a constant, or the register, or an input, and what is added.
type source struct {
	register bool
	input    int // -1 if it is none
}

// A program is what goroutines do.
type program struct {
	goroutines [][]statement
	inputs     int
}

const inputValues = 4

func randomProgram(r *rand.Rand, arrays bool) *program {
	p := &program{inputs: 1 + r.IntN(2)}
	for range 2 + r.IntN(2) {
		var list []statement
		locked := false
		for len(list) < 3+r.IntN(4) {
			s := statement{cell: r.IntN(2), constant: uint8(r.IntN(4)), from: source{register: r.IntN(3) == 0, input: -1}}
			if r.IntN(3) == 0 {
				s.from.input = r.IntN(p.inputs)
			}
			switch n := r.IntN(10); {
			case n < 3:
				s.op = "read"
			case n < 6:
				s.op = "write"
			case n < 8:
				s.op = "branch"
			case arrays && n < 9:
				s.op, s.cell = "element", r.IntN(p.inputs)
			default:
				s.op = "lock"
				if locked {
					s.op = "unlock"
				}
				locked = !locked
			}
			list = append(list, s)
		}
		if locked {
			list = append(list, statement{op: "unlock"})
		}
		p.goroutines = append(p.goroutines, list)
	}
	return p
}

// A machine is a program that runs.
type machine struct {
	*program
	input  [2]uint8
	at     [3]int
	memory [2]uint8
	regs   [3]uint8
	owner  int // 1 + the goroutine that holds the lock
}

// written returns what a statement of a goroutine writes.
func (m *machine) written(g int, s *statement) uint8 {
	v := s.constant
	if s.from.register {
		v += m.regs[g]
	}
	if s.from.input >= 0 {
		v += m.input[s.from.input]
	}
	return v
}

// step takes the next statement of a goroutine. It returns which way a branch goes, and whether the
// goroutine can go on.
func (m *machine) step(g int) (truth, ok bool) {
	s := &m.goroutines[g][m.at[g]]
	switch s.op {
	case "read":
		m.regs[g] = m.memory[s.cell]
	case "write":
		m.memory[s.cell] = m.written(g, s)
	case "branch":
		truth = m.compared(g, s) < s.constant
	case "lock":
		if m.owner != 0 {
			return false, false
		}
		m.owner = g + 1
	case "unlock":
		m.owner = 0
	}
	m.at[g]++
	return truth, true
}

// compared returns what a branch compares.
func (m *machine) compared(g int, s *statement) uint8 {
	if s.from.input >= 0 {
		return m.input[s.from.input]
	}
	return m.regs[g]
}

// A position is a statement of a goroutine.
type position struct{ g, at int }

// record runs the program in a random order. It returns the schedule, which way branches went, and
// the numbers of the events of accesses.
func (p *program) record(r *rand.Rand) (text string, truths map[position]bool, numbers map[int64]position) {
	m := &machine{program: p}
	var b strings.Builder
	events, locals := int64(1), 0 // the first goroutine begins
	emit := func(g int, format string, args ...any) {
		fmt.Fprintf(&b, "g%d %s\n", g, fmt.Sprintf(format, args...))
		events++
	}
	define := func(g int, format string, args ...any) string {
		locals++
		emit(g, format, append([]any{locals}, args...)...)
		return fmt.Sprintf("v%d", locals)
	}
	emit(0, "new o1 memory 0 - 0 -")
	emit(0, "new o2 memory 0 - 0 -")
	var inputs []string
	for i := range p.inputs {
		m.input[i] = uint8(r.IntN(inputValues))
		in := define(0, "symbol v%d u8:%d i%d", m.input[i], i)
		inputs = append(inputs, in)
		most := define(0, "let v%d u8:%d", inputValues)
		locals++
		emit(0, "binopr ult %s %s v%d", in, most, locals)
		emit(0, "assume v%d true", locals)
	}
	emit(0, "write o1.0 u8:0 -")
	emit(0, "write o1.1 u8:0 -")
	for g := 1; g < len(p.goroutines); g++ {
		emit(0, "fork g%d -", g)
		emit(g, "begin")
	}
	truths, numbers = map[position]bool{}, map[int64]position{}
	regs := make([]string, len(p.goroutines))
	for {
		var ready []int
		for g := range p.goroutines {
			if m.at[g] < len(p.goroutines[g]) && !(p.goroutines[g][m.at[g]].op == "lock" && m.owner != 0) {
				ready = append(ready, g)
			}
		}
		if len(ready) == 0 {
			return b.String(), truths, numbers
		}
		g := ready[r.IntN(len(ready))]
		s := &p.goroutines[g][m.at[g]]
		at := position{g, m.at[g]}
		sum := func() string { // the symbolic value that is written
			v := "-"
			for i, part := range []string{regs[g], ""} {
				if i == 0 && !s.from.register {
					continue
				}
				if i == 1 {
					if s.from.input < 0 {
						continue
					}
					part = inputs[s.from.input]
				}
				if part == "" {
					continue
				}
				if v == "-" {
					v = define(g, "let v%d u8:%d", s.constant)
				}
				locals++
				emit(g, "binopr add %s %s v%d", v, part, locals)
				v = fmt.Sprintf("v%d", locals)
			}
			return v
		}
		switch s.op {
		case "read":
			numbers[events] = at
			regs[g] = define(g, "read o1.%[2]d u8:%[3]d v%[1]d", s.cell, m.memory[s.cell])
		case "write":
			v := sum()
			numbers[events] = at
			emit(g, "write o1.%d u8:%d %s", s.cell, m.written(g, s), v)
		case "element":
			numbers[events] = at
			fmt.Fprintf(&b, "@depends <%s>\n", inputs[s.cell])
			emit(g, "write o2.%d u8:1 -", m.input[s.cell])
		case "branch":
			v := regs[g]
			if s.from.input >= 0 {
				v = inputs[s.from.input]
			}
			if v != "" {
				c := define(g, "let v%d u8:%d", s.constant)
				locals++
				emit(g, "binopr ult %s %s v%d", v, c, locals)
				emit(g, "branch v%d %t", locals, m.compared(g, s) < s.constant)
			}
		case "lock":
			emit(g, "acq o1.9 mutex")
		case "unlock":
			emit(g, "rel o1.9")
		}
		truth, _ := m.step(g)
		truths[at] = truth
	}
}

// races returns the pairs of accesses that are next at the same time for some input, in some order
// in which branches go as they went.
func (p *program) races(truths map[position]bool) map[[2]position]bool {
	found := map[[2]position]bool{}
	seen := map[machine]bool{}
	var explore func(m machine)
	explore = func(m machine) {
		if seen[m] {
			return
		}
		seen[m] = true
		for g := range p.goroutines {
			if m.at[g] == len(p.goroutines[g]) {
				continue
			}
			for h := range g {
				if m.at[h] < len(p.goroutines[h]) && m.conflict(g, h) {
					found[[2]position{{h, m.at[h]}, {g, m.at[g]}}] = true
				}
			}
			next := m
			at := position{g, m.at[g]}
			if truth, ok := next.step(g); ok && truth == truths[at] {
				explore(next)
			}
		}
	}
	for i := range inputValues * inputValues {
		if p.inputs == 1 && i >= inputValues {
			break
		}
		explore(machine{program: p, input: [2]uint8{uint8(i % inputValues), uint8(i / inputValues)}})
	}
	return found
}

// conflict reports whether the next statements of two goroutines access the same cell, and one writes.
func (m *machine) conflict(g, h int) bool {
	s, t := &m.goroutines[g][m.at[g]], &m.goroutines[h][m.at[h]]
	if s.op == "element" && t.op == "element" {
		return m.input[s.cell] == m.input[t.cell]
	}
	memory := func(s *statement) bool { return s.op == "read" || s.op == "write" }
	return memory(s) && memory(t) && s.cell == t.cell && (s.op == "write" || t.op == "write")
}

// findPairs returns all pairs of events that the detector reports.
func findPairs(t *testing.T, text string, window int) map[[2]int64]*analysis.Finding {
	r, err := schedule.NewReader(strings.NewReader(analysistest.Text(text)), "test.schedule")
	if err != nil {
		t.Fatal(err)
	}
	found := map[[2]int64]*analysis.Finding{}
	state := schedule.NewState(r.Table())
	d := newDetector(analysis.Config{State: state, Table: r.Table(), Limits: analysis.Limits{Window: window}, Report: func(f *analysis.Finding) {
		found[[2]int64{f.Sites[0].Order, f.Sites[1].Order}] = f
	}})
	for e, err := range r.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if err := state.Next(e); err != nil {
			t.Fatal(err)
		}
		if err := d.Event(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestBruteForce compares what is found in one run of random programs with a search of all inputs
// and orders. What is found in narrow windows is to be true, too.
func TestBruteForce(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 150
	}
	r := rand.New(rand.NewPCG(31, 32))
	races, missed, others := 0, 0, 0
	for i := range n {
		arrays := i%2 == 1
		p := randomProgram(r, arrays)
		text, truths, numbers := p.record(r)
		want := p.races(truths)
		found := map[[2]position]bool{}
		window := 1000
		if i%4 < 2 {
			window = 3 + r.IntN(10)
		}
		for pair, f := range findPairs(t, text, window) {
			a, b := numbers[pair[0]], numbers[pair[1]]
			if a.g > b.g {
				a, b = b, a
			}
			found[[2]position{a, b}] = true
			if !want[[2]position{a, b}] {
				t.Errorf("%v and %v are no race: %+v", a, b, f)
			}
			if len(f.Inputs) > 0 {
				others++
			}
		}
		for pair := range want {
			if !found[pair] && window == 1000 {
				missed++
				if !arrays {
					t.Errorf("the race of %v and %v is not found", pair[0], pair[1])
				}
			}
		}
		races += len(want)
		if t.Failed() {
			t.Fatalf("%v\n%s", p.goroutines, text)
		}
	}
	t.Logf("%d races in %d programs, %d of them missed, %d with another input", races, n, missed, others)
	if others == 0 || missed > races/10 {
		t.Errorf("%d races, %d of them missed, %d with another input", races, missed, others)
	}
}
