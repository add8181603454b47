package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/bench/shapes/internal/seeds"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A bench measures.
type bench struct {
	budget     time.Duration
	workers    string
	natively   bool
	root, work string // of this module, and for files
	everyway   command.Everyway
	notes      []string // what is not as it should be
}

// A result is of an operation.
type result struct {
	seeds, hidden, found, native int
	time                         time.Duration // to find these
	without                      verdict.Totals
	natively                     bool
}

// cells returns a row of the table.
func (r *result) cells(row *published) []any {
	native := "-"
	if r.natively {
		native = strconv.Itoa(r.native)
	}
	return []any{
		row.container + "." + row.op, r.seeds, r.hidden, r.found, native, row.races[0], row.races[1], row.races[2],
		r.without.Verdict, r.without.Runs, fmt.Sprintf("%d/%d", r.without.Covered, r.without.Branches), table.Short(r.time), row.paths[0], row.paths[1], row.paths[2],
	}
}

// measure searches an operation.
func (b *bench) measure(ctx context.Context, row *published) (*result, error) {
	c := &container{b.root, row.container}
	target, err := b.search(ctx, c, row.op)
	if err != nil {
		return nil, err
	}
	r := &result{without: target.Totals, natively: b.natively}
	for _, f := range target.Findings {
		b.note(c, row.op, "without a seed there is a %s: %s", f.Kind, f.Message)
	}
	list, err := c.seeds(row.op)
	if err != nil {
		return nil, err
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
		found, took, err := b.find(ctx, p, s)
		if err != nil {
			return nil, err
		}
		r.time += took
		if found {
			r.found++
		}
		if found == s.Hidden {
			b.note(c, s.Name, "three keys show it: %v", found)
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

// find searches for the race of a seed: until something is found, and then, if it is something else, for all there is.
func (b *bench) find(ctx context.Context, p *program, s *seeds.Seed) (found bool, took time.Duration, err error) {
	for _, flags := range [][]string{{}, {"-all"}} {
		target, err := b.search(ctx, p.container, s.Op, append(flags, "-overlay="+p.overlay)...)
		if err != nil {
			return false, 0, err
		}
		took += time.Duration(target.Seconds * float64(time.Second))
		for _, f := range target.Findings {
			if f.Kind == string(check.Race) && len(f.Others) == 1 && seeds.RaceOf(p.at(&f), p.at(&f.Others[0])) == s.Race {
				return true, took, nil
			}
		}
		if len(target.Findings) == 0 {
			break
		}
	}
	return false, took, nil
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

// search searches an operation of a container.
func (b *bench) search(ctx context.Context, c *container, op string, flags ...string) (*command.Target, error) {
	out, err := os.MkdirTemp(b.work, "out-") // a search begins with the run files of the one before
	if err != nil {
		return nil, err
	}
	args := append(flags, "-count=1", "-o", out, "-budget", b.budget.String(), "-workers", b.workers, "-run", "^Test"+op+"Default$", c.pattern())
	targets, trouble, err := b.everyway.Test(ctx, b.root, time.Hour, args...)
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, fmt.Errorf("%d targets were searched, want one: %s", len(targets), trouble)
	}
	return &targets[0], nil
}
