package library

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Options say how much is checked.
type Options struct {
	Bytes  int         // the most bytes that the texts of a program have together
	Runs   int         // the most runs of a search
	Inputs int         // the most inputs that are compared for a search
	Merge  run.Merging // which branches are merged
	Seed   uint64      // of the choice of inputs
}

// A Checker compares programs in the machine with native ones.
type Checker struct {
	options  Options
	programs []*Program
	machine  *machine
	native   *native
}

// NewChecker writes the programs to an empty directory, compiles them and boots a machine.
func NewChecker(ctx context.Context, dir string, programs []*Program, o Options) (*Checker, error) {
	files, err := source(programs)
	if err != nil {
		return nil, err
	}
	if err := suite.Write(dir, "library", files); err != nil {
		return nil, err
	}
	native, err := newNative(ctx, dir)
	if err != nil {
		return nil, err
	}
	machine, err := newMachine(ctx, dir)
	if err != nil {
		return nil, errors.Join(err, native.close())
	}
	return &Checker{o, programs, machine, native}, nil
}

// Close ends the native process.
func (c *Checker) Close() error { return c.native.close() }

// A Report says how the comparison of a program ended.
type Report struct {
	Searches    int // one for each combination of lengths of the texts
	Unfinished  int // searches that reached the bound of runs
	Paths       int
	Inputs      int // evaluated, on paths that the native result was compared with
	Differences []string
	Open        map[string]int // number of searches that gave a reason for not being complete
}

// Check compares program i.
func (c *Checker) Check(ctx context.Context, i int) (*Report, error) {
	p := c.programs[i]
	r := &Report{Open: map[string]int{}}
	for _, shape := range p.shapes(c.options.Bytes) {
		if err := c.checkShape(ctx, r, i, shape); err != nil {
			return nil, fmt.Errorf("%s, shape %v: %w", p, shape, err)
		}
	}
	return r, nil
}

// shapes returns the combinations of lengths of the texts of p, -1 for its words.
func (p *Program) shapes(most int) [][]int {
	list := [][]int{nil}
	for _, v := range p.vars {
		var longer [][]int
		for _, shape := range list {
			if !v.text {
				longer = append(longer, append(slices.Clip(shape), -1))
				continue
			}
			used := 0
			for _, n := range shape {
				used += max(n, 0)
			}
			for n := range most - used + 1 {
				longer = append(longer, append(slices.Clip(shape), n))
			}
		}
		list = longer
	}
	return list
}

// domains returns the domains of the variables of p for texts of the given lengths.
func (p *Program) domains(shape []int) []domain {
	bytes := 0
	for _, n := range shape {
		bytes += max(n, 0)
	}
	var list []domain
	for _, v := range p.vars {
		switch {
		case !v.text:
			list = append(list, wordDomains[v.name])
		case bytes <= 1:
			list = append(list, allBytes)
		case bytes == 2:
			list = append(list, bytesOf("0"+p.bytes+manyBytes))
		default:
			list = append(list, bytesOf("0"+p.bytes+fewBytes))
		}
	}
	return list
}

// A slot is an input of a shape.
type slot struct {
	name   string
	domain *domain
}

// slots returns the inputs of a shape in the order in which they are drawn.
func slots(shape []int, domains []domain) []slot {
	var list []slot
	for i, n := range shape {
		if n < 0 {
			list = append(list, slot{inputName(i, -1), &domains[i]})
		}
		for k := range n {
			list = append(list, slot{inputName(i, k), &domains[i]})
		}
	}
	return list
}

// inputs returns all combinations of values of the slots or, if they are more than limit, as
// many at random.
func inputs(slots []slot, limit int, seed uint64) [][]uint64 {
	total := 1
	for _, s := range slots {
		if total *= len(s.domain.values); total > limit {
			break
		}
	}
	list := make([][]uint64, 0, min(total, limit))
	if total > limit {
		r := rand.New(rand.NewPCG(seed, uint64(len(slots))))
		for range limit {
			input := make([]uint64, len(slots))
			for k, s := range slots {
				input[k] = s.domain.values[r.IntN(len(s.domain.values))]
			}
			list = append(list, input)
		}
		return list
	}
	for n := range total {
		input := make([]uint64, len(slots))
		for k, s := range slots {
			input[k] = s.domain.values[n%len(s.domain.values)]
			n /= len(s.domain.values)
		}
		list = append(list, input)
	}
	return list
}

// checkShape compares a program for texts of the given lengths.
func (c *Checker) checkShape(ctx context.Context, r *Report, i int, shape []int) error {
	p := c.programs[i]
	domains := p.domains(shape)
	found, err := c.machine.search(ctx, p, i, shape, domains, c.options.Merge, c.options.Runs)
	if err != nil {
		return err
	}
	r.Searches++
	r.Paths += len(found.runs)
	if !found.finished {
		r.Unfinished++
	}
	for _, why := range found.open {
		r.Open[why]++
		if why == strategy.Elsewhere {
			r.Differences = append(r.Differences, fmt.Sprintf("shape %v: %s", shape, why))
		}
	}
	slots := slots(shape, domains)
	all := inputs(slots, c.options.Inputs, c.options.Seed)
	want, err := c.native.results(i, shape, all)
	if err != nil {
		return err
	}
	exhaustive := found.finished && len(found.open) == 0
	r.Inputs += len(all)
	differences := 0
	for k, input := range all {
		for _, how := range found.compare(slots, input, want[k], exhaustive) {
			if differences++; differences <= maxDifferences {
				r.Differences = append(r.Differences, fmt.Sprintf("%s: %s", describe(shape, input), how))
			}
		}
	}
	if differences > maxDifferences {
		r.Differences = append(r.Differences, fmt.Sprintf("and %d more", differences-maxDifferences))
	}
	return nil
}

// maxDifferences bounds those of a search that are described.
const maxDifferences = 3

// compare evaluates the paths on an input. If the search was exhaustive, the input must be on
// one of them; in any case on no more than one under each schedule, and the result there must
// be the native one.
func (f *paths) compare(slots []slot, input, want []uint64, exhaustive bool) (differences []string) {
	values := make(map[expr.ID]uint64, len(slots))
	for k, s := range slots {
		values[f.arena.Var(s.name, uint8(s.domain.kind.Bits()))] = input[k]
	}
	e := expr.NewEvaluator(f.arena)
	e.Start(func(v expr.ID) uint64 { return values[v] })
	var on []*path
	for i := range f.runs {
		p := &f.runs[i]
		if !slices.ContainsFunc(p.conditions, func(c expr.ID) bool { return e.Eval(c) == 0 }) {
			on = append(on, p)
		}
	}
	if len(on) == 0 && exhaustive {
		differences = append(differences, fmt.Sprintf("the search has no path for it; natively %s", showWords(want)))
	}
	for i, p := range on {
		for _, q := range on[:i] {
			if slices.Equal(p.decisions, q.decisions) {
				differences = append(differences, "two runs have paths for it")
			}
		}
		got := make([]uint64, len(p.result))
		for k, w := range p.result {
			got[k] = w.value
			if w.sym != expr.None {
				got[k] = e.Eval(w.sym)
			}
		}
		if !slices.Equal(got, want) {
			differences = append(differences, fmt.Sprintf("the result is %s, natively %s", showWords(got), showWords(want)))
		}
	}
	return differences
}

// describe describes an input.
func describe(shape []int, input []uint64) string {
	var parts []string
	for _, n := range shape {
		if n < 0 {
			parts = append(parts, fmt.Sprintf("%d", int64(input[0])))
			input = input[1:]
			continue
		}
		var b []byte
		for _, v := range input[:n] {
			b = append(b, byte(v))
		}
		parts = append(parts, fmt.Sprintf("%q", b))
		input = input[n:]
	}
	return strings.Join(parts, " ")
}

// showWords describes a result: words in hexadecimal, sequences of characters as text.
func showWords(list []uint64) string {
	var b strings.Builder
	for i := 0; i < len(list); {
		n := i
		for n < len(list) && 0x20 <= list[n] && list[n] < 0x7f {
			n++
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if n > i+1 {
			text := make([]byte, 0, n-i)
			for _, v := range list[i:n] {
				text = append(text, byte(v))
			}
			fmt.Fprintf(&b, "%q", text)
			i = n
			continue
		}
		fmt.Fprintf(&b, "%x", list[i])
		i++
	}
	return b.String()
}
