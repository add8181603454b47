package debugger

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/schedule"
)

// A Debugger is at a point of a run. It is not safe for concurrent use.
type Debugger struct {
	Session *inspect.Session
	// Goroutine is the selected one, and Frame the index of the selected of its calls.
	Goroutine int32
	Frame     int

	breakpoints []*Breakpoint
	last        int // number of the last breakpoint that was made
	first       int // the point at which the run starts: the first line outside the standard library
	lines       map[string]map[int]bool
	interrupted func() bool
}

// A Direction says whether to go forwards or backwards in the run.
type Direction int

// The directions.
const (
	Forwards  Direction = 1
	Backwards Direction = -1
)

// A Stop says why the debugger has stopped where it is.
type Stop struct {
	// Reason is a word: "step", "breakpoint", "watch", "end", "start", "finding", "interrupted",
	// "ended" if the goroutine takes no more steps.
	Reason string
	// Text says more; it may be empty.
	Text string
	// Breakpoints are the numbers of those that were hit.
	Breakpoints []int
}

// New returns a debugger at the point at which a session stands. While interrupted returns true, it goes no further;
// it may be nil.
func New(s *inspect.Session, interrupted func() bool) *Debugger {
	d := &Debugger{Session: s, interrupted: interrupted}
	for i := range s.Len() {
		if p := s.Point(i); p.Kind == inspect.Line {
			d.first = i
			break
		}
	}
	d.arrive()
	return d
}

// GotoStart goes to where the run starts: to its first line outside the standard library.
func (d *Debugger) GotoStart() error { return d.Goto(d.first) }

// arrive selects the goroutine that the point is of, and the call in which it has come to a line, or its innermost one
// outside the standard library.
func (d *Debugger) arrive() {
	p := d.Session.Point(d.Session.At())
	if p.Goroutine >= 0 {
		d.Goroutine = p.Goroutine
	}
	d.Frame = 0
	if p.Kind != inspect.Line {
		d.Frame = inspect.SourceFrame(d.Session.Frames(d.Goroutine))
	}
}

// Goto goes to a point of the run.
func (d *Debugger) Goto(i int) error {
	if err := d.Session.Goto(i); err != nil {
		return err
	}
	d.arrive()
	return nil
}

// GotoFinding goes to the point at which the finding of the run shows.
func (d *Debugger) GotoFinding() (Stop, error) {
	f := d.Session.Finding()
	if f == nil {
		return Stop{}, fmt.Errorf("nothing is wrong with this run")
	}
	if err := d.Goto(d.Session.FindingAt()); err != nil {
		return Stop{}, err
	}
	if g, err := d.Session.Lookup(f.Goroutine); err == nil && d.Session.Point(d.Session.At()).Goroutine < 0 {
		d.Select(g)
	}
	return Stop{Reason: "finding", Text: FindingText(f)}, nil
}

// FindingText says what a finding is.
func FindingText(f *schedule.Finding) string {
	return f.Kind + ": " + strings.TrimPrefix(f.Message, f.Kind+": ")
}

// Select selects a goroutine. It reports whether that has been started.
func (d *Debugger) Select(g int32) bool {
	if _, ok := d.Session.Goroutine(g); !ok {
		return false
	}
	d.Goroutine = g
	d.Frame = inspect.SourceFrame(d.Session.Frames(g))
	return true
}

// Current returns the selected call; ok is false if the selected goroutine has none.
func (d *Debugger) Current() (f inspect.Frame, ok bool) {
	frames := d.Session.Frames(d.Goroutine)
	if d.Frame < 0 || d.Frame >= len(frames) {
		return inspect.Frame{}, false
	}
	return frames[d.Frame], true
}

// A Mode says how far a step goes.
type Mode int

// The modes.
const (
	Into  Mode = iota // to the next line of the goroutine, wherever it is
	Over              // to the next line that is not in a call
	Out               // to the next line after the function has returned
	Point             // to the next point of the run, of whatever goroutine
)

// Step takes a step of the selected goroutine. Others take theirs meanwhile, as the schedule has it, and their
// breakpoints stop it. Of the steps of the schedule, only Point stops at those.
func (d *Debugger) Step(mode Mode, dir Direction) (Stop, error) {
	s := d.Session
	g, depth := d.Goroutine, int32(1<<30)
	if frames := s.Frames(g); len(frames) > 0 {
		depth = d.depth(g)
	}
	goal := func(i int) bool {
		p := s.Point(i)
		if mode == Point {
			return p.Kind != inspect.Step || d.inSource(p)
		}
		if p.Kind != inspect.Line || p.Goroutine != g {
			return false
		}
		switch mode {
		case Over:
			return p.Depth <= depth
		case Out:
			return p.Depth < depth
		}
		return true
	}
	return d.run(dir, mode != Point, goal)
}

// depth returns how many calls a goroutine is in, by the last of its points that has been reached.
func (d *Debugger) depth(g int32) int32 {
	for i := d.Session.At(); i >= 0; i-- {
		if p := d.Session.Point(i); p.Goroutine == g && p.Kind == inspect.Line {
			return p.Depth
		}
	}
	return 1 << 30
}

// inSource reports whether a point is in code outside the standard library.
func (d *Debugger) inSource(p inspect.Point) bool {
	l := d.Session.Location(p)
	return l.File != "" && !l.Standard
}

// Continue goes on to the next point at which a breakpoint is hit, or to the end of the run; backwards, to the one
// before, or to the start.
func (d *Debugger) Continue(dir Direction) (Stop, error) {
	return d.run(dir, false, func(int) bool { return false })
}

// run goes on until goal holds of a point, or a breakpoint is hit. If steps is set, the goal is a point of the
// selected goroutine.
func (d *Debugger) run(dir Direction, steps bool, goal func(i int) bool) (Stop, error) {
	s := d.Session
	g := d.Goroutine
	end := s.Len() - 1
	if dir == Backwards {
		end = d.first
	}
	if s.At() == end || dir == Backwards && s.At() < end {
		return d.limit(dir), nil
	}
	from := s.At()
	at, stop, err := d.search(from, dir, goal)
	if err != nil {
		return Stop{}, err
	}
	switch {
	case at >= 0:
	case steps && dir == Backwards:
		at, stop = from, Stop{Reason: "ended", Text: "goroutine " + s.Name(g) + " begins here"}
	default:
		at, stop = end, d.limit(dir)
		if steps && !d.moves(g, from, dir) {
			stop.Text = "goroutine " + s.Name(g) + " goes no further; " + stop.Text
		}
	}
	return stop, d.Goto(at)
}

// moves reports whether a goroutine has another point.
func (d *Debugger) moves(g int32, from int, dir Direction) bool {
	for i := from + int(dir); 0 <= i && i < d.Session.Len(); i += int(dir) {
		if d.Session.Point(i).Goroutine == g {
			return true
		}
	}
	return false
}

// limit says that the run goes no further.
func (d *Debugger) limit(dir Direction) Stop {
	if dir == Backwards {
		return Stop{Reason: "start", Text: "the start of the run"}
	}
	text := "the end of the run"
	if d.Session.Truncated() {
		text = "the run goes on, but has too many lines to be shown"
	}
	return Stop{Reason: "end", Text: text}
}

// SourceLines returns the lines of a file of the program at which statements begin, nil if the file is not part of it.
// The file is a path, of which the last elements suffice.
func (d *Debugger) SourceLines(name string) (file string, lines map[int]bool, err error) {
	if d.lines == nil {
		d.lines = d.Session.SourceLines()
	}
	if lines := d.lines[name]; lines != nil {
		return name, lines, nil
	}
	var found []string
	suffix := "/" + strings.TrimPrefix(filepath.ToSlash(name), "./")
	for file := range d.lines {
		if strings.HasSuffix(filepath.ToSlash(file), suffix) {
			found = append(found, file)
		}
	}
	slices.Sort(found)
	switch len(found) {
	case 0:
		return "", nil, fmt.Errorf("no file %s in the program", name)
	case 1:
		return found[0], d.lines[found[0]], nil
	}
	return "", nil, fmt.Errorf("%s is ambiguous: %s", name, strings.Join(found, ", "))
}

// Nearest returns the nearest lines before and after a line at which statements begin, 0 for none.
func Nearest(lines map[int]bool, line int) (before, after int) {
	for l := range lines {
		if l <= line && l > before {
			before = l
		}
		if l >= line && (after == 0 || l < after) {
			after = l
		}
	}
	return before, after
}

// Switch lets a goroutine take the next step instead of the one that takes it, see [inspect.Session.Switch].
func (d *Debugger) Switch(g int32) error {
	if err := d.Session.Switch(g); err != nil {
		return err
	}
	d.recount()
	return nil
}

// Return comes back from Switch.
func (d *Debugger) Return() error {
	if err := d.Session.Return(); err != nil {
		return err
	}
	d.recount()
	d.arrive()
	return nil
}

// recount counts the points at which breakpoints stop in another run.
func (d *Debugger) recount() {
	for _, b := range d.breakpoints {
		if b.watch == nil {
			b.Reached = d.count(b.hits)
		}
	}
}
