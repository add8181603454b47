package edges

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle/interrupted"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
	"github.com/everyway-go/everyway/internal/vm"
)

// Bounds of the searches of a program.
const (
	maxRuns      = 5_000
	maxOrders    = 2_000 // runs in every order
	maxDecisions = 200   // of a run: one that goes round is given up then
)

// searches are the searches by states that are compared, with what they leave out.
var searches = []struct {
	name        string
	options     stateful.Options
	interrupted bool // also broken off and resumed
}{
	{"knowledge", stateful.Options{ForgetKnowledge: true}, false},
	{"all", stateful.Options{ForgetKnowledge: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true}, true},
	{"all but knowledge", stateful.Options{Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true}, true},
	{"none", stateful.Options{}, false},
}

// counts are what is known of programs that have been compared, besides their results.
type counts struct {
	racy   int // those with a race
	orders int // those that were also run in every order
}

// Compare compares what the searches find in the programs of some seeds.
func Compare(ctx context.Context, seeds []uint64) (*suite.Results, error) {
	r, _, err := compareSeeds(ctx, seeds)
	return r, err
}

// compareSeeds is Compare with counts.
func compareSeeds(ctx context.Context, seeds []uint64) (*suite.Results, *counts, error) {
	r, c := &suite.Results{Programs: len(seeds)}, &counts{}
	var programs []*Program
	for _, seed := range seeds {
		programs = append(programs, Generate(seed))
	}
	different, err := compare(ctx, programs, r, c)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range programs {
		what := different[i]
		for what != "" {
			less := p.smaller()
			d, err := compare(ctx, less, &suite.Results{}, &counts{})
			if err != nil {
				return nil, nil, err
			}
			k := slices.IndexFunc(d, func(what string) bool { return what != "" })
			if k < 0 {
				r.Differences = append(r.Differences, suite.Difference{Seed: p.Seed, What: what, Source: p.Source("P")})
				break
			}
			p, what = less[k], d[k]
		}
	}
	return r, c, nil
}

// compare says how the searches of each of some programs differ, "" if they do not.
func compare(ctx context.Context, programs []*Program, r *suite.Results, c *counts) ([]string, error) {
	dir, err := os.MkdirTemp("", "edges")
	if err != nil {
		return nil, fmt.Errorf("making a suite: %w", err)
	}
	defer os.RemoveAll(dir)
	var b strings.Builder
	b.WriteString("package edges\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"sync/atomic\"\n\t\"testing\"\n\t\"time\"\n)\n" + prelude)
	for i, p := range programs {
		b.WriteString("\n" + p.Source(fmt.Sprint("P", i)))
	}
	if err := suite.Write(dir, "edges", map[string]string{"edges_test.go": b.String()}); err != nil {
		return nil, err
	}
	s, err := suite.Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	s.Settings = run.Settings{Limits: run.Limits{Instructions: 1e6, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: maxDecisions}}
	different := make([]string, len(programs))
	for i, p := range programs {
		name := fmt.Sprint("TestP", i)
		if p.hasInput() {
			name = fmt.Sprint("FuzzP", i)
		}
		m, err := s.Machine(ctx, name, discard{})
		if err != nil {
			return nil, err
		}
		if different[i], err = compareOne(ctx, m, p, r, c); err != nil {
			return nil, fmt.Errorf("the program of seed %d: %w\n%s", p.Seed, err, p.Source("P"))
		}
	}
	return different, nil
}

// discard is where programs print.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// compareOne compares the searches of a program.
func compareOne(ctx context.Context, m *vm.Machine, p *Program, r *suite.Results, c *counts) (string, error) {
	var all, open []*found
	var names []string
	add := func(name string, f *found, err error) error {
		switch {
		case errors.Is(err, errTooMany):
			return nil
		case err != nil:
			return err
		case len(f.status) > 0:
			open = append(open, f)
		default:
			all, names = append(all, f), append(names, name)
		}
		r.Runs += f.runs
		return nil
	}
	for _, s := range searches {
		o := s.options
		o.Names = m.Names
		f, err := search(ctx, m, stateful.New(o))
		if err := add(s.name, f, err); err != nil {
			return "", err
		}
		if s.interrupted {
			f, err := search(ctx, m, interrupted.New(func() strategy.Resumable { return stateful.New(o) }, p.Seed, 8))
			if err := add(s.name+", interrupted", f, err); err != nil {
				return "", err
			}
		}
	}
	f, err := search(ctx, m, hyperconcolic.New(hyperconcolic.Options{Names: m.Names}))
	if err := add("classes", f, err); err != nil {
		return "", err
	}
	if !p.hasInput() {
		f, err := everyOrder(ctx, m)
		if err == nil {
			c.orders++
		}
		if err := add("every order", f, err); err != nil {
			return "", err
		}
	}
	if len(all) < 3 {
		reasons := []string{errTooMany.Error()}
		for _, f := range open {
			reasons = append(reasons, f.status...)
		}
		r.Leave(reasons[len(reasons)-1])
		return "", nil
	}
	for _, f := range open {
		if !f.isWithin(all[0]) {
			return "a search that is not done has found more than one that is", nil
		}
	}
	for i := range all[1:] {
		if d := all[i].difference(m, all[i+1]); d != "" {
			return fmt.Sprintf("%s, %s: %s", names[i], names[i+1], d), nil
		}
	}
	r.Compared++
	if len(all[0].races) > 0 {
		c.racy++
	}
	return "", nil
}
