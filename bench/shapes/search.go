package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/bench/shapes/internal/seeds"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A bench measures.
type bench struct {
	budget     time.Duration
	workers    string
	runs       string
	objects    string
	natively   bool
	verbose    bool
	root, work string // of this module, and for files
	everyway   command.Everyway
	notes      []string // what is not as it should be
	shown      []string // the shapes in which races were found
}

// A result is of an operation.
type result struct {
	seeds, hidden, native int
	natively              bool
	in                    [2]searched // by the index of shapes
}

// shapes are the ends of the names of tests: in three keys, and in every shape.
var shapes = [2]string{"Default", "Any"}

// searched is what was found in a shape, or in every shape.
type searched struct {
	found   int            // seeds
	time    time.Duration  // of the processors, to find these and to look for the others
	without verdict.Totals // of the search without a seed
}

// cells returns a row of the table.
func (r *result) cells(row *published) []any {
	native := "-"
	if r.natively {
		native = strconv.Itoa(r.native)
	}
	return []any{
		row.container + "." + row.op, r.seeds, r.seeds - r.hidden, r.in[0].found, r.in[1].found, native, row.races[0], row.races[1], row.races[2],
		table.Short(r.in[0].time), table.Short(r.in[1].time),
		r.in[0].cell(), r.in[1].cell(), r.in[1].alone(), row.paths[0], row.paths[1], row.paths[2],
	}
}

// cell says how the search without a seed has ended.
func (s *searched) cell() string {
	return fmt.Sprintf("%s, %d runs, %d/%d", s.without.Verdict, s.without.Runs, s.without.Covered, s.without.Branches)
}

// alone says how many paths were run of goroutines that run alone.
func (s *searched) alone() string {
	a := s.without.Alone
	if a == nil {
		return "-"
	}
	return fmt.Sprintf("%d, %d pairs", a.Paths, a.Combinations)
}

// races prints the table of races.
func (b *bench) races(ctx context.Context, match *regexp.Regexp) error {
	t := table.New(os.Stdout, "operation", "seeds", "not hidden", "three keys", "any shape", "native", "AFL++", "Cloud9", "SSRD",
		"time", "any shape", "without seeds", "any shape", "paths", "AFL++", "Cloud9", "SSRD")
	for _, row := range table44 {
		c := &container{b.root, row.container}
		list, err := c.seeds(row.op)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(s seeds.Seed) bool { return !match.MatchString(c.name + "." + s.Name) })
		if len(list) == 0 {
			continue
		}
		r, err := b.measure(ctx, c, row.op, list)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", row.container, row.op, err)
		}
		t.Row(r.cells(&row)...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	slices.Sort(b.shown)
	different := slices.Compact(slices.Clone(b.shown))
	fmt.Printf("\n%d races were found in %d different shapes:\n", len(b.shown), len(different))
	for _, shape := range different {
		fmt.Println("   ", shape)
	}
	return nil
}

// measure searches an operation, without a seed and with each.
func (b *bench) measure(ctx context.Context, c *container, op string, list []seeds.Seed) (*result, error) {
	r := &result{natively: b.natively}
	for i, shape := range shapes {
		target, err := b.search(ctx, c, op+shape, nil)
		if err != nil {
			return nil, err
		}
		r.in[i].without = target.Totals
		for _, f := range target.Findings {
			b.note(c, op+shape, "without a seed there is a %s: %s", f.Kind, f.Message)
		}
	}
	for i := range list {
		s := &list[i]
		r.seeds++
		if s.Hidden {
			r.hidden++
		}
		p, err := c.with(s, b.work, slices.Clone)
		if err != nil {
			return nil, err
		}
		for i, shape := range shapes {
			f, took, err := b.find(ctx, p, s, shape)
			if err != nil {
				return nil, err
			}
			r.in[i].time += took
			if f != nil {
				r.in[i].found++
			}
			if shape == "Any" && f != nil {
				b.shown = append(b.shown, shapeOf(c, f))
			}
			if b.verbose {
				fmt.Fprintf(os.Stderr, "%s.%s in %s: found: %v, %s\n", c.name, s.Name, shape, f != nil, table.Short(took))
			}
			if (f != nil) == (s.Hidden && shape == "Default") {
				b.note(c, s.Name, "in %s: found: %v", shape, f != nil)
			}
		}
		if !b.natively {
			continue
		}
		if p, err = c.with(s, b.work, yielding); err != nil {
			return nil, err
		}
		races, err := p.native(ctx, s.Race)
		if err != nil {
			return nil, err
		}
		if races[s.Race] {
			r.native++
		} else {
			b.note(c, s.Name, "the race detector shows %d other races", len(races))
		}
	}
	return r, nil
}

// note notes what is not as it should be.
func (b *bench) note(c *container, what, format string, args ...any) {
	b.notes = append(b.notes, c.name+"."+what+": "+fmt.Sprintf(format, args...))
}

// find searches for the race of a seed, and ends when it is found.
func (b *bench) find(ctx context.Context, p *program, s *seeds.Seed, shape string) (found *command.Finding, took time.Duration, err error) {
	start := cputime.Children()
	is := func(f *command.Finding) bool {
		return f.Kind == string(check.Race) && len(f.Others) == 1 && seeds.RaceOf(p.at(f), p.at(&f.Others[0])) == s.Race
	}
	target, err := b.search(ctx, p.container, s.Op+shape, is, "-all", "-overlay="+p.overlay)
	if err != nil {
		return nil, 0, err
	}
	took = cputime.Children() - start
	for i := range target.Findings {
		if is(&target.Findings[i]) {
			return &target.Findings[i], took, nil
		}
	}
	return nil, took, nil
}

// at returns the innermost line of the program in the stack of a finding.
func (p *program) at(f *command.Finding) seeds.Line {
	for _, frame := range f.Stack {
		name, rest, _ := strings.Cut(frame.Pos, ":")
		if filepath.Join(p.root, name) == p.file() {
			line, _, _ := strings.Cut(rest, ":")
			n, _ := strconv.Atoi(line)
			return p.lines[n]
		}
	}
	return seeds.Line{}
}

// shapeOf returns the pointers of the input of a finding.
func shapeOf(c *container, f *command.Finding) string {
	shape := c.name + ":"
	for _, v := range f.Input {
		if v.Value == "nil" || strings.HasPrefix(v.Value, "&") {
			shape += " " + v.Name + "=" + v.Value
		}
	}
	return shape
}

// search searches a test of a container, until enough returns true for a finding; it may be nil.
func (b *bench) search(ctx context.Context, c *container, test string, enough func(*command.Finding) bool, flags ...string) (*command.Target, error) {
	out, err := os.MkdirTemp(b.work, "out-") // a search begins with the run files of the one before
	if err != nil {
		return nil, err
	}
	args := append(flags, "-count=1", "-o", out, "-budget", b.budget.String(), "-runs", b.runs, "-workers", b.workers, "-run", "^Test"+test+"$", "-maxobjects", b.objects, c.pattern())
	targets, trouble, err := b.everyway.TestUntil(ctx, b.root, time.Hour, enough, args...)
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, fmt.Errorf("%d targets were searched, want one: %s", len(targets), trouble)
	}
	return &targets[0], nil
}
