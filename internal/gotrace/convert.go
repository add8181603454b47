package gotrace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/everyway-go/everyway/schedule"
)

// Is reports whether a file that begins with some bytes is a trace of the Go runtime. Sixteen bytes are enough.
func Is(first []byte) bool {
	return bytes.HasPrefix(first, []byte("go 1.")) && bytes.Contains(first[:min(len(first), 16)], []byte(" trace\x00"))
}

// An Error says that a file is no trace, or not a whole one.
type Error struct {
	File string
	Err  error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: no whole trace of the Go runtime: %v", e.File, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Convert reads a trace, and writes the schedule of what it says. Errors name the file; what is wrong with it is
// an *Error. Files in and below dir are named relative to it.
func Convert(ctx context.Context, from io.Reader, file, dir string, to io.Writer, as schedule.Encoding) error {
	r, err := trace.NewReader(from)
	if err != nil {
		return &Error{file, err}
	}
	table := schedule.NewTable()
	w, err := schedule.NewWriter(to, as, table, schedule.Property{Name: schedule.ToolProperty, Value: "runtime/trace"})
	if err != nil {
		return err
	}
	c := &converter{
		w: w, table: table, dir: dir, goroutines: make(map[trace.GoID]*goroutine),
		kinds: make(map[string]schedule.ObjectID), index: make([]int64, 1), next: 1, nextObject: 1,
	}
	if err := c.emit(schedule.Event{Op: schedule.Start}); err != nil {
		return err
	}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e, err := readEvent(r)
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return &Error{file, err}
		}
		if err := c.event(&e); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	if c.next == 1 {
		return &Error{file, errors.New("there is no goroutine in it")}
	}
	if err := c.finish(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return w.Close()
}

// readEvent reads an event. The reader panics at some files that are no traces.
func readEvent(r *trace.Reader) (e trace.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("an event cannot be read: %v", p)
		}
	}()
	return r.ReadEvent()
}

// A converter writes a schedule.
type converter struct {
	w          *schedule.Writer
	table      *schedule.Table
	dir        string
	goroutines map[trace.GoID]*goroutine
	order      []*goroutine                 // as they were started
	kinds      map[string]schedule.ObjectID // of what goroutines wait for
	index      []int64                      // by goroutine of the schedule: of its next event
	next       schedule.GoroutineID
	nextObject schedule.ObjectID
}

// A goroutine is one of the trace.
type goroutine struct {
	id      schedule.GoroutineID
	system  bool // it is the runtime's: it is left out
	begun   bool
	ended   bool
	wait    string // what it waits for, empty if it does not or that is left out
	asleep  bool
	woken   bool // what it waited for has come
	cell    schedule.Cell
	since   trace.Time
	time    int64 // of its last event
	blocked schedule.LocationID
}

// event takes an event into account.
func (c *converter) event(e *trace.Event) error {
	if e.Kind() != trace.EventStateTransition {
		return nil
	}
	t := e.StateTransition()
	if t.Resource.Kind != trace.ResourceGoroutine {
		return nil
	}
	id := t.Resource.Goroutine()
	from, to := t.Goroutine()
	g := c.goroutines[id]
	if g == nil {
		var err error
		if g, err = c.start(e, id, from, t.Stack); err != nil {
			return err
		}
		if from == trace.GoNotExist {
			return nil
		}
	}
	if g.system {
		return nil
	}
	switch {
	case to == trace.GoWaiting:
		return c.block(e, g, t)
	case from == trace.GoWaiting:
		return c.unblock(e, g)
	case to == trace.GoRunning:
		return c.resume(e, g)
	case to == trace.GoNotExist:
		if err := c.resume(e, g); err != nil {
			return err
		}
		g.ended = true
		return c.by(e, g, schedule.Event{Op: schedule.End})
	}
	return nil
}

// start notes that a goroutine is there.
func (c *converter) start(e *trace.Event, id trace.GoID, from trace.GoState, stack trace.Stack) (*goroutine, error) {
	g := &goroutine{id: c.next}
	c.goroutines[id] = g
	creator := c.goroutines[e.Goroutine()]
	if from != trace.GoNotExist {
		creator = nil // it was there before
	}
	if g.system = isSystem(stack); g.system {
		return g, nil
	}
	name, err := c.table.NameID(strconv.FormatInt(int64(id), 10))
	if err != nil {
		return nil, err
	}
	fork := schedule.Event{Op: schedule.Spawn, Child: c.next, Name: name}
	c.next++
	c.index = append(c.index, 0)
	c.order = append(c.order, g)
	if creator == nil || creator.system {
		return g, c.emit(fork)
	}
	if fork.Location, err = c.location(e.Stack()); err != nil {
		return nil, err
	}
	return g, c.by(e, creator, fork)
}

// isSystem reports whether a goroutine is the runtime's, by the function that it begins with.
func isSystem(stack trace.Stack) bool {
	first := ""
	for f := range stack.Frames() {
		first = f.Func
	}
	return strings.HasPrefix(first, "runtime.") && first != "runtime.main" ||
		strings.HasPrefix(first, "runtime/trace.") || strings.HasPrefix(first, "os/release.")
}

// begin writes the first event of a goroutine, if it has not been written.
func (c *converter) begin(g *goroutine, t trace.Time) error {
	if g.begun {
		return nil
	}
	g.begun = true
	return c.at(g, t, schedule.Event{Op: schedule.Start})
}

// block notes that a goroutine blocks. It is written when it is known who ends that.
func (c *converter) block(e *trace.Event, g *goroutine, t trace.StateTransition) (err error) {
	if g.wait != "" || g.asleep {
		return nil
	}
	g.since, g.woken = e.Time(), false
	g.asleep = t.Reason == "sleep"
	g.wait = waitOf(t.Reason, t.Stack)
	g.blocked, err = c.location(t.Stack)
	return err
}

// unblock notes that a goroutine can go on, and who is the reason.
func (c *converter) unblock(e *trace.Event, g *goroutine) (err error) {
	if g.wait == "" || g.woken {
		return nil
	}
	if err := c.waits(g); err != nil {
		return err
	}
	if err := c.at(g, g.since, schedule.Event{Op: schedule.Yield, Location: g.blocked}); err != nil {
		return err
	}
	g.woken = true
	release := schedule.Event{Op: schedule.SemRelease, Object: g.cell.Object, Offset: g.cell.Offset}
	by := c.goroutines[e.Goroutine()]
	if by == nil || by.system || by.ended || by == g {
		return c.emit(release)
	}
	if release.Location, err = c.location(e.Stack()); err != nil {
		return err
	}
	return c.by(e, by, release)
}

// waits gives a goroutine that waits its semaphore, and begins it.
func (c *converter) waits(g *goroutine) error {
	kind, ok := c.kinds[g.wait]
	if !ok {
		name, err := c.table.NameID(g.wait)
		if err != nil {
			return err
		}
		kind = c.nextObject
		c.nextObject++
		c.kinds[g.wait] = kind
		if err := c.emit(schedule.Event{
			Op: schedule.New, Object: kind, Kind: schedule.Memory, Child: schedule.NoGoroutine, Name: name,
		}); err != nil {
			return err
		}
	}
	g.cell = schedule.Cell{Object: kind, Offset: int64(g.id)}
	return c.begin(g, g.since)
}

// resume notes that a goroutine runs.
func (c *converter) resume(e *trace.Event, g *goroutine) error {
	if err := c.begin(g, e.Time()); err != nil {
		return err
	}
	switch {
	case g.asleep:
		g.asleep, g.wait = false, ""
		return c.at(g, e.Time(), schedule.Event{Op: schedule.Sleep, Number: max(int64(e.Time().Sub(g.since)), 0), Location: g.blocked})
	case g.wait == "":
		return nil
	case !g.woken:
		if err := c.unblock(e, g); err != nil { // nobody is known
			return err
		}
	}
	g.wait = ""
	return c.at(g, e.Time(), schedule.Event{Op: schedule.SemAcquire, Object: g.cell.Object, Offset: g.cell.Offset, Location: g.blocked})
}

// finish writes which goroutines still wait.
func (c *converter) finish() error {
	for _, g := range c.order {
		if g.wait == "" || g.woken {
			continue
		}
		if err := c.waits(g); err != nil {
			return err
		}
		semaphore := schedule.Case{Op: schedule.SemAcquire, Object: g.cell.Object, Offset: g.cell.Offset}
		if err := c.at(g, g.since, schedule.Event{
			Op: schedule.Pending, Cases: []schedule.Case{semaphore}, Location: g.blocked,
		}); err != nil {
			return err
		}
	}
	return nil
}

// by writes an event of a goroutine that runs.
func (c *converter) by(e *trace.Event, g *goroutine, s schedule.Event) error {
	if err := c.resume(e, g); err != nil {
		return err
	}
	return c.at(g, e.Time(), s)
}

// at writes an event of a goroutine.
func (c *converter) at(g *goroutine, t trace.Time, s schedule.Event) error {
	g.time = max(g.time, int64(t))
	s.Goroutine, s.Time = g.id, g.time
	return c.emit(s)
}

// emit writes an event, of goroutine 0 if it is of none.
func (c *converter) emit(s schedule.Event) error {
	s.Index = c.index[s.Goroutine]
	c.index[s.Goroutine]++
	s.Case = schedule.NoCase
	if err := c.w.Write(&s); err != nil {
		return fmt.Errorf("writing the schedule: %w", err)
	}
	return nil
}

// location returns the place in the program that a stack is at: the first one that is not below
// what goroutines wait with.
func (c *converter) location(s trace.Stack) (schedule.LocationID, error) {
	var at trace.StackFrame
	for f := range s.Frames() {
		if at.Func == "" {
			at = f
		}
		if !isBelow(f.Func) {
			at = f
			break
		}
	}
	if at.Func == "" {
		return 0, nil
	}
	file := at.File
	if rel, err := filepath.Rel(c.dir, file); err == nil && filepath.IsAbs(file) && !strings.HasPrefix(rel, "..") {
		file = filepath.ToSlash(rel)
	}
	l := schedule.Location{Line: int32(min(at.Line, 1<<31-1))}
	var err error
	if l.File, err = c.table.NameID(file); err != nil {
		return 0, err
	}
	if l.Func, err = c.table.NameID(at.Func); err != nil {
		return 0, err
	}
	return c.table.LocationID(l)
}

// isBelow reports whether a function is one of those that goroutines wait with, and not what waits.
func isBelow(function string) bool {
	for _, prefix := range [...]string{"runtime.", "sync.", "internal/sync.", "internal/synctest.", "time.Sleep"} {
		if strings.HasPrefix(function, prefix) && function != "runtime.main" {
			return true
		}
	}
	return false
}
