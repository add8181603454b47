package debugger

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/schedule"
)

// A Breakpoint stops the run at some of its points.
type Breakpoint struct {
	Number int
	Text   string // what it is, such as addall.go:39
	// Reached is how many points of the run it stops at, -1 if that is not known before.
	Reached   int
	Condition string
	// File and Line are where a breakpoint on a line is.
	File string
	Line int

	hits  func(i int) bool
	watch *watch
}

// A watch follows the value of an expression in a call.
type watch struct {
	Watched
	known bool
	last  string
}

// Watched says what a watch follows.
type Watched struct {
	Expr      string `json:"expr"`
	Goroutine int32  `json:"goroutine"`
	Depth     int    `json:"depth"` // number of calls that the call is in, itself included
	Func      string `json:"func"`  // of the call
}

// Breakpoints returns the breakpoints, in the order in which they were made.
func (d *Debugger) Breakpoints() []*Breakpoint { return d.breakpoints }

// Clear removes a breakpoint. It reports whether there was one with that number.
func (d *Debugger) Clear(number int) bool {
	n := len(d.breakpoints)
	d.breakpoints = slices.DeleteFunc(d.breakpoints, func(b *Breakpoint) bool { return b.Number == number })
	return len(d.breakpoints) < n
}

// add adds a breakpoint.
func (d *Debugger) add(b *Breakpoint) *Breakpoint {
	d.last++
	b.Number = d.last
	if b.watch == nil {
		b.Reached = d.count(b.hits)
	}
	d.breakpoints = append(d.breakpoints, b)
	return b
}

func (d *Debugger) count(hits func(int) bool) (n int) {
	for i := range d.Session.Len() {
		if hits(i) {
			n++
		}
	}
	return n
}

// BreakLine makes a breakpoint on a line. The file is a path, of which the last elements suffice.
// If no statement begins at the line, the error names the nearest lines.
func (d *Debugger) BreakLine(name string, line int, condition string) (*Breakpoint, error) {
	file, lines, err := d.SourceLines(name)
	if err != nil {
		return nil, err
	}
	if !lines[line] {
		before, after := Nearest(lines, line)
		near := "the nearest that has is " + strconv.Itoa(max(before, after))
		if before > 0 && after > 0 {
			near = fmt.Sprintf("the nearest that have are %d and %d", before, after)
		}
		return nil, fmt.Errorf("%s:%d has no code; %s", filepath.Base(file), line, near)
	}
	return d.add(&Breakpoint{
		Text: filepath.Base(file) + ":" + strconv.Itoa(line), Condition: condition, File: file, Line: line,
		hits: func(i int) bool {
			p := d.Session.Point(i)
			if p.Kind != inspect.Line {
				return false
			}
			l := d.Session.Location(p)
			return l.Line == line && l.File == file
		},
	}), nil
}

// BreakFunction makes a breakpoint on the first line of a function: pkg.F, pkg.T.M or pkg.(*T).M, or the last parts of
// such a name.
func (d *Debugger) BreakFunction(name, condition string) (*Breakpoint, error) {
	match := func(fn string) bool { return matches(fn, name) }
	if !slices.ContainsFunc(d.Session.Functions(), match) {
		return nil, fmt.Errorf("no function %s has been called in this run", name)
	}
	hits := func(i int) bool {
		p := d.Session.Point(i)
		return p.Entered && match(d.Session.Location(p).Func)
	}
	return d.add(&Breakpoint{Text: name, Condition: condition, hits: hits}), nil
}

// matches reports whether name is a function's name or the last parts of it. Parentheses and stars do not count.
func matches(fn, name string) bool {
	plain := strings.NewReplacer("(", "", ")", "", "*", "")
	fn, name = plain.Replace(fn), plain.Replace(name)
	return fn == name || strings.HasSuffix(fn, "."+name) || strings.HasSuffix(fn, "/"+name)
}

// BreakGoroutine makes a breakpoint that stops when a goroutine goes on after another one.
func (d *Debugger) BreakGoroutine(g int32) *Breakpoint {
	return d.add(&Breakpoint{Text: "goroutine " + d.Session.Name(g), hits: func(i int) bool {
		return d.Session.Point(i).Goroutine == g && (i == 0 || d.Session.Point(i-1).Goroutine != g)
	}})
}

// BreakLock makes a breakpoint that stops before a mutex is locked or unlocked: that which an expression in the
// selected call is, or any if the expression is empty.
func (d *Debugger) BreakLock(expr string) (*Breakpoint, error) {
	on := func(inspect.Point) bool { return true }
	text := "lock"
	if expr != "" {
		f, ok := d.Current()
		if !ok {
			return nil, fmt.Errorf("goroutine %s is in no call", d.Session.Name(d.Goroutine))
		}
		v, err := d.Session.Eval(f, expr)
		if err != nil {
			return nil, err
		}
		on, ok = d.Session.OnLock(v)
		if !ok {
			return nil, fmt.Errorf("%s is no mutex: it is of type %s", expr, v.Type)
		}
		text += " " + expr
	}
	return d.add(&Breakpoint{Text: text, hits: func(i int) bool {
		p := d.Session.Point(i)
		if p.Kind != inspect.Step {
			return false
		}
		switch p.Op {
		case schedule.Lock, schedule.Unlock, schedule.RLock, schedule.RUnlock, schedule.LockIntent:
			return on(p)
		}
		return false
	}}), nil
}

// Watch makes a breakpoint that stops when the value of an expression in the selected call has changed.
func (d *Debugger) Watch(expr string) (*Breakpoint, error) {
	f, ok := d.Current()
	if !ok {
		return nil, fmt.Errorf("goroutine %s is in no call", d.Session.Name(d.Goroutine))
	}
	if _, err := d.Session.Eval(f, expr); err != nil {
		return nil, err
	}
	return d.WatchIn(d.Watched(f, expr)), nil
}

// Watched says what is followed to watch an expression in a call.
func (d *Debugger) Watched(f inspect.Frame, expr string) Watched {
	return Watched{Expr: expr, Goroutine: f.Goroutine, Depth: len(d.Session.Frames(f.Goroutine)) - f.Index, Func: f.Func}
}

// WatchIn is Watch for an expression in a call that need not be active now.
func (d *Debugger) WatchIn(w Watched) *Breakpoint {
	return d.add(&Breakpoint{Text: "watch " + w.Expr, Reached: -1, watch: &watch{Watched: w}})
}

// value returns the value that a watch has at the point at which the session stands; known is false if its call is not
// active.
func (d *Debugger) value(w *watch) (text string, known bool) {
	frames := d.Session.Frames(w.Goroutine)
	i := len(frames) - w.Depth
	if i < 0 || frames[i].Func != w.Func {
		return "", false
	}
	v, err := d.Session.Eval(frames[i], w.Expr)
	if err != nil || v.Missing() != "" {
		return "", false
	}
	return v.String(), true
}

// visits reports whether a search has to go to the points on its way.
func (d *Debugger) visits() bool {
	return slices.ContainsFunc(d.breakpoints, func(b *Breakpoint) bool { return b.watch != nil })
}

// search returns the next point after from at which goal holds or a breakpoint is hit, -1 if there is none.
func (d *Debugger) search(from int, dir Direction, goal func(int) bool) (int, Stop, error) {
	if d.visits() {
		return d.searchWatching(from, dir, goal)
	}
	for i := from + int(dir); d.first <= i && i < d.Session.Len(); i += int(dir) {
		if d.interrupted != nil && i%1024 == 0 && d.interrupted() {
			return i, Stop{Reason: "interrupted"}, nil
		}
		stop, err := d.hit(i)
		if err != nil {
			return 0, Stop{}, err
		}
		if len(stop.Breakpoints) > 0 {
			return i, stop, nil
		}
		if goal(i) {
			return i, Stop{Reason: "step"}, nil
		}
	}
	return -1, Stop{}, nil
}

// hit returns which breakpoints without watched expressions stop at a point. It goes there if they have conditions.
func (d *Debugger) hit(i int) (stop Stop, err error) {
	for _, b := range d.breakpoints {
		if b.watch != nil || !b.hits(i) {
			continue
		}
		if b.Condition != "" {
			if err := d.Session.Goto(i); err != nil {
				return stop, err
			}
			if !d.holds(b.Condition) {
				continue
			}
		}
		stop.Reason = "breakpoint"
		stop.Breakpoints = append(stop.Breakpoints, b.Number)
	}
	return stop, nil
}

// holds reports whether a condition holds at the point at which the session stands. One that cannot be evaluated
// counts as one that does: the run stops, and the user sees why.
func (d *Debugger) holds(condition string) bool {
	p := d.Session.Point(d.Session.At())
	frames := d.Session.Frames(p.Goroutine)
	if len(frames) == 0 {
		return true
	}
	v, err := d.Session.Eval(frames[inspect.SourceFrame(frames)], condition)
	return err != nil || v.String() == "true"
}

// stretch is the number of points that are gone through forwards to find the last one of them backwards.
const stretch = 2048

// searchWatching is search that goes to every point on the way, to see whether watched expressions change there.
func (d *Debugger) searchWatching(from int, dir Direction, goal func(int) bool) (int, Stop, error) {
	if dir == Forwards {
		return d.watchThrough(from, d.Session.Len()-1, goal, true)
	}
	for hi := from; hi > d.first; {
		lo := max(d.first, hi-stretch)
		at, stop, err := d.watchThrough(lo, hi, goal, false)
		if err != nil || at >= 0 || stop.Reason != "" {
			return at, stop, err
		}
		hi = lo
	}
	return -1, Stop{}, nil
}

// watchThrough goes through the points from lo to hi, and returns the first after lo at which to
// stop or, if first is not set, the last before hi. A change is noticed at the point after it;
// backwards, it is the point before it at which to stop.
func (d *Debugger) watchThrough(lo, hi int, goal func(int) bool, first bool) (int, Stop, error) {
	at, found := -1, Stop{}
	for i := lo; i <= hi; i++ {
		if d.interrupted != nil && d.interrupted() {
			return i, Stop{Reason: "interrupted"}, nil
		}
		if err := d.Session.Goto(i); err != nil {
			return 0, Stop{}, err
		}
		var changed Stop
		for _, b := range d.breakpoints {
			w := b.watch
			if w == nil {
				continue
			}
			now, known := d.value(w)
			if i > lo && known && w.known && now != w.last {
				changed.Reason = "watch"
				changed.Breakpoints = append(changed.Breakpoints, b.Number)
				changed.Text = strings.TrimPrefix(changed.Text+"; ", "; ") + fmt.Sprintf("%s: %s -> %s", w.Expr, w.last, now)
			}
			if known || i == lo {
				w.last, w.known = now, known
			}
		}
		if changed.Reason != "" {
			if first {
				return i, changed, nil
			}
			if i-1 < hi && i > lo {
				at, found = i-1, changed
			}
		}
		if i == lo && first || i == hi && !first {
			continue
		}
		stop, err := d.hit(i)
		if err != nil {
			return 0, Stop{}, err
		}
		if len(stop.Breakpoints) == 0 && goal(i) {
			stop = Stop{Reason: "step"}
		}
		if stop.Reason == "" {
			continue
		}
		if first {
			return i, stop, nil
		}
		at, found = i, stop
	}
	return at, found, nil
}
