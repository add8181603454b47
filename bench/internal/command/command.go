package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// An Everyway is a file with the command.
type Everyway string

// Build builds the command of this module in a directory.
func Build(ctx context.Context, dir string) (Everyway, error) {
	file := filepath.Join(dir, "everyway")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", file, "./cmd/everyway").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building everyway: %w\n%s", err, out)
	}
	return Everyway(file), nil
}

// With returns a function that builds the command in a new directory, calls run with both, and removes the directory.
func With(run func(ctx context.Context, e Everyway, work string) error) func(context.Context) error {
	return func(ctx context.Context) error {
		work, err := os.MkdirTemp("", "everyway-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		e, err := Build(ctx, work)
		if err != nil {
			return err
		}
		return run(ctx, e, work)
	}
}

// byTheClock is how many times as long as the processor time that it is given a command may take by
// the clock: it may get little of a busy computer. So long is waited for one that hangs.
const byTheClock = 20

// run runs the command in a directory for some processor time at most, its own and that of the
// commands that it has run, or byTheClock times as long, when it is interrupted. It returns what
// was printed, and the first line that says what went wrong.
func (e Everyway) run(ctx context.Context, dir string, limit time.Duration, args ...string) (out []byte, trouble string, err error) {
	return e.runUntil(ctx, dir, limit, nil, args...)
}

// runUntil is run for a command that is also interrupted when enough returns true for a line that
// it has printed. It may be nil.
func (e Everyway) runUntil(ctx context.Context, dir string, limit time.Duration, enough func(line []byte) bool, args ...string) (out []byte, trouble string, err error) {
	limited, cancel := context.WithTimeout(ctx, byTheClock*limit)
	defer cancel()
	cmd := exec.CommandContext(limited, string(e), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "EVERYWAYCACHE=off", "GOFLAGS=", "GOWORK=off")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	stdout := lines{enough: enough, stop: cancel}
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err = cmd.Start(); err == nil {
		go func() {
			start := time.Now()
			for wait := time.NewTicker(time.Second / 4); limited.Err() == nil; {
				select {
				case <-wait.C:
					if used, ok := consumed(cmd.Process.Pid); used > limit || !ok && time.Since(start) > limit {
						cancel()
					}
				case <-limited.Done():
				}
			}
		}()
		err = cmd.Wait()
	}
	trouble, _, _ = strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	exit := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case stdout.stopped:
		return stdout.text, "", nil
	case limited.Err() != nil:
		return stdout.text, fmt.Sprintf("stopped after %v", limit), nil
	case errors.As(err, &exit) && exit.ExitCode() == 1: // findings
		return stdout.text, "", nil
	case errors.As(err, &exit):
		return stdout.text, trouble, nil
	}
	return stdout.text, "", err
}

// lines keeps what is written to it, and looks at each line until one is enough.
type lines struct {
	text    []byte
	seen    int // bytes, up to the end of a line
	enough  func(line []byte) bool
	stop    func()
	stopped bool
}

// Write implements io.Writer.
func (l *lines) Write(data []byte) (int, error) {
	l.text = append(l.text, data...)
	for l.enough != nil && !l.stopped {
		n := bytes.IndexByte(l.text[l.seen:], '\n')
		if n < 0 {
			break
		}
		line := l.text[l.seen : l.seen+n]
		l.seen += n + 1
		if l.enough(line) {
			l.stopped = true
			l.stop()
		}
	}
	return len(data), nil
}

// A Target is how the search of a target ended.
type Target struct {
	Package, Name string
	Totals        verdict.Totals
	Seconds       float64
	Findings      []Finding
}

// A Finding is one of a search.
type Finding struct {
	Kind, Message, Goroutine, Pos string
	Stack                         []schedule.Frame // innermost first
	Others                        []Finding        // the other access, or the other goroutines
	Input                         []Input
}

// An Input is a variable of the input of a finding.
type Input struct{ Name, Value string }

// Test searches: the arguments are flags and packages. It returns the targets that were searched in the time given.
func (e Everyway) Test(ctx context.Context, dir string, limit time.Duration, args ...string) (targets []Target, trouble string, err error) {
	return e.search(ctx, dir, limit, nil, "test", args)
}

// TestUntil is Test for a search that ends when enough returns true for a finding. It may be nil.
func (e Everyway) TestUntil(ctx context.Context, dir string, limit time.Duration, enough func(*Finding) bool, args ...string) (targets []Target, trouble string, err error) {
	return e.search(ctx, dir, limit, findings(enough), "test", args)
}

// findings returns a function that reads the lines of a search with -json and returns true when a
// finding has been printed of which enough returns true: at the line after it.
func findings(enough func(*Finding) bool) func(line []byte) bool {
	var last *Finding
	return func(line []byte) bool {
		var l report.Line
		if json.Unmarshal(line, &l) != nil {
			return false
		}
		switch l.Event {
		case report.EventFinding:
			last = &Finding{}
			*last = findingOf(&l)
		case report.EventOther:
			if last != nil {
				last.Others = append(last.Others, findingOf(&l))
			}
		case report.EventInput:
			if last != nil {
				last.Input = append(last.Input, Input{l.Name, l.Value})
			}
		default:
			found := last
			last = nil
			return found != nil && enough != nil && enough(found)
		}
		return false
	}
}

// findingOf returns what a line says of a finding.
func findingOf(l *report.Line) Finding {
	return Finding{Kind: l.Kind, Message: l.Message, Goroutine: l.Goroutine, Pos: l.Pos, Stack: l.Stack}
}

// Linear searches whether a type is linearizable: the arguments are flags and a package. It returns
// the bounds that were searched in the time given.
func (e Everyway) Linear(ctx context.Context, dir string, limit time.Duration, args ...string) (targets []Target, trouble string, err error) {
	return e.search(ctx, dir, limit, nil, "linear", args)
}

// search runs a command that searches, until enough returns true for a line; it may be nil.
func (e Everyway) search(ctx context.Context, dir string, limit time.Duration, enough func(line []byte) bool, name string, args []string) (targets []Target, trouble string, err error) {
	out, trouble, err := e.runUntil(ctx, dir, limit, enough, append([]string{name, "-json"}, args...)...)
	if err != nil {
		return nil, "", fmt.Errorf("searching: %w", err)
	}
	targets, err = readTargets(bytes.NewReader(out))
	return targets, trouble, err
}

// readTargets reads what a search with -json prints. Its last line may be cut off.
func readTargets(r io.Reader) (targets []Target, err error) {
	findings := map[[2]string][]Finding{}
	for d := json.NewDecoder(r); ; {
		var l report.Line
		if err := d.Decode(&l); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return targets, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading what everyway prints: %w", err)
		}
		key := [2]string{l.Package, l.Test}
		found := findingOf(&l)
		switch list := findings[key]; l.Event {
		case report.EventFinding:
			findings[key] = append(list, found)
		case report.EventOther:
			if len(list) > 0 {
				last := &list[len(list)-1]
				last.Others = append(last.Others, found)
			}
		case report.EventInput:
			if len(list) > 0 {
				last := &list[len(list)-1]
				last.Input = append(last.Input, Input{l.Name, l.Value})
			}
		}
		switch l.Action {
		case "pass", "fail", "skip":
			if l.Totals != nil { // of a target, not of a package
				targets = append(targets, Target{l.Package, l.Test, *l.Totals, l.Elapsed, findings[key]})
			}
		}
	}
}

// A Recording is a target that was recorded.
type Recording struct {
	Package, Name string // the name has no package
	Goroutines    int
	Cut           string // why the run did not come to its end
	Schedule      string // the file
}

// Record records: the arguments are flags and packages. It returns what was recorded in the time given.
func (e Everyway) Record(ctx context.Context, dir string, limit time.Duration, args ...string) (recordings []Recording, trouble string, err error) {
	out, trouble, err := e.run(ctx, dir, limit, append([]string{"record"}, args...)...)
	if err != nil {
		return nil, "", fmt.Errorf("recording: %w", err)
	}
	return readRecordings(out, dir), trouble, nil
}

var (
	recordedLine = regexp.MustCompile(`^recorded (\S+)\t[\d,]+ events?, ([\d,]+) goroutines?`)
	cutLine      = regexp.MustCompile(`^ +not to its end: (.*)`)
	scheduleLine = regexp.MustCompile(`^ +(\S+\.schedule)$`)
)

// readRecordings reads what everyway record prints in a directory.
func readRecordings(out []byte, dir string) (recordings []Recording) {
	var r Recording
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if m := recordedLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(strings.ReplaceAll(m[2], ",", ""))
			dot := strings.LastIndexByte(m[1], '.')
			r = Recording{Package: m[1][:dot], Name: m[1][dot+1:], Goroutines: n}
		} else if m := cutLine.FindStringSubmatch(line); m != nil {
			r.Cut = m[1]
		} else if m := scheduleLine.FindStringSubmatch(line); m != nil && r.Name != "" {
			r.Schedule = m[1]
			if !filepath.IsAbs(r.Schedule) {
				r.Schedule = filepath.Join(dir, r.Schedule)
			}
			recordings = append(recordings, r)
			r = Recording{}
		}
	}
	return recordings
}

// A Prediction is what a detector finds in a schedule.
type Prediction struct {
	File, Detector, Kind, Certainty string
	Sites                           []Site
	Events                          int64 // of the line that ends a file
	Run, Unconfirmed                string
}

// A Site is an event of a prediction.
type Site struct{ Pos, Op, Func string }

// Race has detectors look at schedules: the arguments are flags and files. The line that ends a file has no detector.
func (e Everyway) Race(ctx context.Context, dir string, limit time.Duration, args ...string) (found []Prediction, trouble string, err error) {
	out, trouble, err := e.run(ctx, dir, limit, append([]string{"race", "-json"}, args...)...)
	if err != nil {
		return nil, "", fmt.Errorf("analysing: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<27)
	for lines.Scan() {
		var p Prediction
		if json.Unmarshal(lines.Bytes(), &p) != nil {
			break // the output was cut off
		}
		found = append(found, p)
	}
	return found, trouble, lines.Err()
}

// A Confirmation is what a native run under the schedule of a run file has shown.
type Confirmation struct {
	Package, Target, Kind, Why string
	Confirmed, Scheduled       bool
	Anyhow                     int // runs without control points that show it as well
}

// Confirm runs the test of a run file natively: the arguments are flags and the file. If that is
// not possible, Why says so.
func (e Everyway) Confirm(ctx context.Context, dir string, limit time.Duration, args ...string) (*Confirmation, error) {
	out, trouble, err := e.run(ctx, dir, limit, append([]string{"confirm", "-json"}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("confirming: %w", err)
	}
	c := new(Confirmation)
	if err := json.Unmarshal(out, c); err != nil {
		c.Why = trouble
	}
	return c, nil
}
