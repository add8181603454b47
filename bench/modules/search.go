package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/modules"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A result is what was measured of a module.
type result struct {
	Module   string    `json:"-"`
	Why      string    `json:",omitempty"` // why it was not searched
	Targets  []target  `json:",omitempty"`
	Stopped  bool      `json:",omitempty"` // the time for the module was over
	Everyway process   // the search
	Test     process   // go test
	Race     process   // go test -race
	Failures []failure `json:",omitempty"`
}

// A target is how the search of a target ended.
type target struct {
	Name    string // with its package, relative to the module
	Verdict verdict.Verdict
	Runs    int
	Seconds float64
	Open    []string `json:",omitempty"`
}

// A failure is a finding of the search.
type failure struct {
	Target string // as in target
	Kind   string
	Text   string
	Pos    string
}

// A process is what a command took.
type process struct {
	Seconds float64
	MB      int    // of memory, at most
	Status  string `json:",omitempty"` // when it did not succeed
}

// measure searches a module, in a copy in dir, and runs its tests natively.
func (o options) measure(ctx context.Context, m modules.Module, dir string) (r result, err error) {
	if r.Why, err = m.Fetch(ctx, dir); err != nil || r.Why != "" {
		return r, err
	}
	// What both sides compile is compiled before the time is taken.
	if out, err := modules.GoCommand(ctx, dir, "test", "-run=^$", "./...").CombinedOutput(); err != nil && ctx.Err() != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	if r.Test, _, err = o.run(ctx, modules.GoCommand(ctx, dir, "test", "-short", "-count=1", "./...")); err != nil {
		return r, err
	}
	if out, err := modules.GoCommand(ctx, dir, "test", "-race", "-run=^$", "./...").CombinedOutput(); err != nil && ctx.Err() != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	if r.Race, _, err = o.run(ctx, modules.GoCommand(ctx, dir, "test", "-race", "-short", "-count=1", "./...")); err != nil {
		return r, err
	}
	search := modules.GoCommand(ctx, dir)
	search.Path, search.Args = o.everyway, []string{
		o.everyway, "test", "-json", "-short", "-count=1", "-budget", o.budget.String(), "-workers", fmt.Sprint(o.workers), "-clock", o.clock, "./...",
	}
	var out []byte
	if r.Everyway, out, err = o.run(ctx, search); err != nil {
		return r, err
	}
	r.Stopped = r.Everyway.Status == stopped
	if err := r.read(out, m); err != nil {
		return r, err
	}
	if len(r.Targets) == 0 && r.Everyway.Status != "" {
		r.Why = r.Everyway.Status
	}
	return r, nil
}

// stopped is the status of a process that was stopped because its time was over.
const stopped = "stopped"

// run runs a command for the time that a module has. It returns what it took, and what it
// has printed.
func (o options) run(ctx context.Context, cmd *exec.Cmd) (process, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, o.total)
	defer cancel()
	timed := exec.CommandContext(ctx, cmd.Path, cmd.Args[1:]...)
	timed.Dir, timed.Env = cmd.Dir, cmd.Env
	timed.Cancel = func() error { return interrupt(timed.Process) }
	timed.WaitDelay = 20 * time.Second
	var stdout, stderr bytes.Buffer
	timed.Stdout, timed.Stderr = &stdout, &stderr
	start := time.Now()
	err := timed.Run()
	p := process{Seconds: time.Since(start).Seconds()}
	if timed.ProcessState != nil {
		p.MB = int(command.Peak(timed.ProcessState) >> 20)
	}
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		p.Status = stopped
	case ctx.Err() != nil:
		return p, nil, ctx.Err()
	case errors.As(err, &exit):
		p.Status = fmt.Sprintf("exit code %d", exit.ExitCode())
		if stderr.Len() > 0 {
			p.Status = modules.FirstLine(stderr.String())
		}
	case err != nil:
		return p, nil, fmt.Errorf("running %s: %w", timed.Args[0], err)
	}
	return p, stdout.Bytes(), nil
}

// read reads what a search with -json has printed.
func (r *result) read(out []byte, m modules.Module) error {
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l report.Line
		if err := d.Decode(&l); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading what everyway prints: %w", err)
		}
		name := m.Target(l.Package, l.Test)
		if l.Event == report.EventFinding {
			r.Failures = append(r.Failures, failure{name, l.Kind, modules.Summary(l.Message), l.Pos})
		}
		switch l.Action {
		case "pass", "fail", "skip":
			if t := l.Totals; t != nil { // of a target, not of a package
				r.Targets = append(r.Targets, target{name, t.Verdict, t.Runs, l.Elapsed, t.Open})
			}
		}
	}
}

var (
	position = regexp.MustCompile(`^[^ ]+\.go:\d+(:\d+)?: `)
	details  = regexp.MustCompile(`(;|, |\().*| at [^ ]+\.go:.*`)
	numbers  = regexp.MustCompile(`\d[\d_,.]*`)
)

// cause returns what reasons for which targets stay open have in common: a reason without
// its position, calls and numbers.
func cause(reason string) string {
	reason, _, _ = strings.Cut(reason, "\n") // without the calls
	reason = position.ReplaceAllString(reason, "")
	if strings.HasPrefix(reason, "the budget of ") {
		return "the budget is spent"
	}
	reason = details.ReplaceAllString(reason, "")
	return strings.TrimSpace(numbers.ReplaceAllString(reason, "N"))
}

// count returns how many targets have a verdict.
func (r *result) count(v verdict.Verdict) int {
	n := 0
	for _, t := range r.Targets {
		if t.Verdict == v {
			n++
		}
	}
	return n
}

// longest returns the time of the target that took most, in seconds.
func (r *result) longest() float64 {
	most := 0.0
	for _, t := range r.Targets {
		most = math.Max(most, t.Seconds)
	}
	return most
}

// unrun returns how many open targets were not run once.
func (r *result) unrun() int {
	n := 0
	for _, t := range r.Targets {
		if t.Verdict == verdict.Open && t.Runs == 0 {
			n++
		}
	}
	return n
}

// line sums up a module.
func (r *result) line() string {
	if r.Why != "" {
		return fmt.Sprintf("%s: not searched: %s", r.Module, r.Why)
	}
	return fmt.Sprintf("%s: %d targets, %d hold, %d open, %d fail, %d skipped; %.1fs, %d MB; longest target %.1fs; go test %.1fs, -race %.1fs",
		r.Module, len(r.Targets), r.count(verdict.Holds), r.count(verdict.Open), r.count(verdict.Fails), r.count(verdict.Skipped),
		r.Everyway.Seconds, r.Everyway.MB, r.longest(), r.Test.Seconds, r.Race.Seconds)
}
