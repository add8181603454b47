package schedule

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// A Run is a recorded run: what was run, how to run it again, and what happened.
type Run struct {
	Header
	Events []RunEvent // its steps, in order
	// Goroutines are what people know the goroutines by that took part, in the order of their names. A run
	// that was read from a file has none: who makes it again knows them.
	Goroutines []Origin

	schedule []byte // the events of its schedule, in the binary encoding; nil if there are none
}

// An Origin is what people know a goroutine by: what it was started for, and where.
type Origin struct {
	Name    string // such as 0.1.2
	Test    string // of which it is the goroutine, such as TestA/sub; empty if it is that of none
	Func    string // with which it was started, as package runtime names it; empty for the main goroutine
	Literal bool   // that is a function literal
	Pos     string // file:line:column of the statement that started it
}

// NewRun returns the run with a header whose schedule events writes. The names and locations are
// those of table t. If an event is not possible after those before it, or too much, the run ends
// there, and Incomplete says why: a run can be made again without its events.
func NewRun(h Header, t *Table, events func(*Writer) error) *Run {
	h.Version = Version
	r := &Run{Header: h}
	b := newRunBuilder(t)
	if err := errors.Join(events(&Writer{enc: b}), b.wrong); err != nil {
		r.Incomplete = err.Error()
	}
	b.finish(r)
	return r
}

// A runBuilder makes the steps of events, and keeps the events in the binary encoding.
type runBuilder struct {
	*stepper
	bytes  bytes.Buffer
	binary *binaryWriter
	wrong  error // why there are no further events
}

func newRunBuilder(t *Table) *runBuilder {
	b := &runBuilder{stepper: newStepper(t)}
	b.binary = newBinaryWriter(&b.bytes, t, nil)
	return b
}

// write implements encoder.
func (b *runBuilder) write(e *Event) error {
	if b.wrong != nil {
		return nil
	}
	if b.wrong = b.add(e); b.wrong != nil {
		b.wrong = fmt.Errorf("event %d of %s: %w", e.Index, goroutineName(e.Goroutine), b.wrong)
		return nil
	}
	return b.binary.write(e)
}

// close implements encoder.
func (b *runBuilder) close() error { return nil }

// finish puts the events into a run.
func (b *runBuilder) finish(r *Run) {
	b.binary.close() // a bytes.Buffer does not fail
	r.Events, r.schedule = b.steps, b.bytes.Bytes()
}

// Schedule returns a Reader of the schedule of the run, without properties. It is an error if there is none: NewRun
// has not made the run, or it was read from a file of version 1 or 2.
func (r *Run) Schedule() (*Reader, error) {
	if r.schedule == nil {
		return nil, errors.New("the run has no schedule: it has to be made again")
	}
	return NewReader(bytes.NewReader(r.schedule), "run")
}

// WriteRun writes r as a run file, which is a schedule in the text encoding.
func WriteRun(w io.Writer, r *Run) error {
	from, err := r.Schedule()
	if err != nil {
		return err
	}
	about := r.Properties()
	for _, line := range writeDecisions(r.Decisions) {
		about = append(about, Property{decisionsProperty, line})
	}
	to, err := NewWriter(w, TextEncoding, from.Table(), about...)
	if err != nil {
		return fmt.Errorf("writing a run: %w", err)
	}
	for e, err := range from.Events() {
		if err == nil {
			err = to.Write(e)
		}
		if err != nil {
			return fmt.Errorf("writing a run: %w", err)
		}
	}
	return to.Close()
}

// ReadRun reads a run file of any version. Errors name the file by the given name. Every error that
// says that the file is no run file is a *SyntaxError.
func ReadRun(rd io.Reader, name string) (*Run, error) {
	buf := bufio.NewReaderSize(rd, readerBuffer)
	first, err := buf.Peek(len(textMagic))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(first) == 0:
		return nil, &SyntaxError{File: name, Line: 1, What: "an empty file is no run file"}
	case first[0] == '{':
		return readOldRun(buf, name)
	case first[0] != binaryMagic[0] && string(first) != textMagic:
		return nil, &SyntaxError{File: name, Line: 1, What: "this is no run file: it does not begin with " + strconv.Quote(textMagic)}
	}
	from, err := NewReader(buf, name)
	if err != nil {
		return nil, err
	}
	h, err := from.Header()
	if err != nil {
		return nil, err
	}
	if !from.hasProperty(decisionsProperty) {
		return nil, from.Fail(fmt.Sprintf("this is a schedule and no run file: it has no property %q, which says how to make its run again", decisionsProperty))
	}
	r := &Run{Header: *h}
	b := newRunBuilder(from.Table())
	for e, err := range from.Events() {
		if err != nil {
			return nil, err
		}
		if err := b.add(e); err != nil {
			return nil, from.Fail(err.Error())
		}
		if err := b.binary.write(e); err != nil {
			return nil, from.Fail(err.Error())
		}
	}
	b.finish(r)
	return r, nil
}
