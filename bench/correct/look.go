package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/modules"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A result is what there is to say of a subject.
type result struct {
	Subject    modules.Module `json:"-"`
	Why        string         `json:",omitempty"` // why it was not looked at
	Machine    schedules      // of runs in the machine
	Native     schedules      // of native runs
	Concurrent int            // targets that start goroutines
	Searched   map[verdict.Verdict]int
	Runs       int
	Findings   []finding `json:",omitempty"`
}

// schedules says how schedules were analysed.
type schedules struct {
	Recorded, Analysed int
	Events             int64
	Trouble            string `json:",omitempty"`
}

// A finding is one of a search or of a detector.
type finding struct{ Target, By, Kind, Text, Pos string }

// standard reports whether a subject is a package of the standard library.
func standard(m modules.Module) bool { return m.Version == "std" }

// look looks at a subject, in a copy in dir.
func (o options) look(ctx context.Context, m modules.Module, dir string) (r result, err error) {
	pattern := "./..."
	if standard(m) {
		pattern = m.Path
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return r, err
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module correct\n\ngo "+strings.TrimPrefix(runtime.Version(), "go")+"\n"), 0o666); err != nil {
			return r, err
		}
	} else if r.Why, err = m.Fetch(ctx, dir); err != nil || r.Why != "" {
		return r, err
	}
	recorded, trouble, err := o.everyway.Record(ctx, dir, o.step, "-short", "-memory", "2GiB", pattern)
	if err != nil {
		return r, err
	}
	if len(recorded) == 0 {
		r.Why = trouble
		return r, nil
	}
	r.Machine.Trouble = trouble
	if err := o.analyse(ctx, m, dir, recorded, "schedule", &r.Machine, &r); err != nil {
		return r, err
	}
	chosen := choose(recorded, o.targets)
	for _, t := range recorded {
		if t.Goroutines > 1 {
			r.Concurrent++
		}
	}
	if len(chosen) == 0 {
		return r, nil
	}
	if err := o.search(ctx, m, dir, pattern, chosen, &r); err != nil {
		return r, err
	}
	// The native schedules replace the others.
	recorded, r.Native.Trouble, err = o.everyway.Record(ctx, dir, o.step, "-native", "-short", "-timeout", "30s", "-run", names(chosen), pattern)
	if err != nil {
		return r, err
	}
	err = o.analyse(ctx, m, dir, recorded, "native schedule", &r.Native, &r)
	return r, err
}

// choose returns n targets of those that start goroutines, from all parts of the list.
func choose(recorded []command.Recording, n int) []command.Recording {
	concurrent := slices.DeleteFunc(slices.Clone(recorded), func(r command.Recording) bool { return r.Goroutines < 2 })
	if len(concurrent) <= n {
		return concurrent
	}
	var chosen []command.Recording
	for i := range n {
		chosen = append(chosen, concurrent[i*len(concurrent)/n])
	}
	return chosen
}

// names returns a regular expression that matches the names of targets.
func names(targets []command.Recording) string {
	var quoted []string
	for _, t := range targets {
		quoted = append(quoted, regexp.QuoteMeta(t.Name))
	}
	slices.Sort(quoted)
	return "^(" + strings.Join(slices.Compact(quoted), "|") + ")$"
}

// analyse has the default detectors look at schedules, each by a process of its own.
func (o options) analyse(ctx context.Context, m modules.Module, dir string, recorded []command.Recording, by string, s *schedules, r *result) error {
	s.Recorded = len(recorded)
	for _, rec := range recorded {
		found, _, err := o.everyway.Race(ctx, dir, o.analysis, "-memory", "2GiB", rec.Schedule)
		if err != nil {
			return err
		}
		for _, p := range found {
			if p.Detector == "" {
				s.Analysed++
				s.Events += p.Events
				continue
			}
			f := finding{Target: m.Target(rec.Package, rec.Name), By: by, Kind: p.Kind, Text: p.Certainty + " by " + p.Detector}
			var at []string
			for _, site := range p.Sites {
				at = append(at, site.Pos)
			}
			f.Pos = strings.Join(at, ", ")
			r.Findings = append(r.Findings, f)
		}
		if err := os.Remove(rec.Schedule); err != nil {
			return err
		}
	}
	return nil
}

// search searches targets.
func (o options) search(ctx context.Context, m modules.Module, dir, pattern string, chosen []command.Recording, r *result) error {
	// Targets of the same name in other packages are searched as well.
	limit := o.step + 2*time.Duration(len(chosen))*o.budget
	targets, trouble, err := o.everyway.Test(ctx, dir, limit, "-short", "-count=1", "-budget", o.budget.String(), "-workers", "1", "-memory", "2GiB", "-run", names(chosen), pattern)
	if err != nil {
		return err
	}
	r.Searched = map[verdict.Verdict]int{}
	for _, t := range targets {
		r.Searched[t.Totals.Verdict]++
		r.Runs += t.Totals.Runs
		for _, f := range t.Findings {
			r.Findings = append(r.Findings, finding{m.Target(t.Package, t.Name), "search", string(f.Kind), modules.Summary(f.Message), f.Pos})
		}
	}
	if len(targets) == 0 {
		r.Findings = append(r.Findings, finding{"", "search", "fault", trouble, ""})
	}
	return nil
}

// line sums up a subject.
func (r *result) line() string {
	if r.Why != "" {
		return fmt.Sprintf("%v: not looked at: %s", r.Subject, r.Why)
	}
	return fmt.Sprintf("%v: %d recorded, %d analysed (%d events), %d concurrent; searched %v in %d runs; native %d recorded, %d analysed (%d events)",
		r.Subject, r.Machine.Recorded, r.Machine.Analysed, r.Machine.Events, r.Concurrent, r.Searched, r.Runs, r.Native.Recorded, r.Native.Analysed, r.Native.Events)
}
