package schedule

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// A Reader reads a schedule in either encoding, event by event. It holds the names and
// locations of the schedule in memory, but not the events.
type Reader struct {
	dec   decoder
	err   error
	event Event
}

// A decoder reads a schedule in an encoding.
type decoder interface {
	// read reads the next event into e, all of whose fields are zero but for the memory of
	// its lists. It returns io.EOF after the last one.
	read(e *Event) error
	// fail returns the error that something is wrong with what has been read last.
	fail(what string) error
	table() *Table
	properties() []Property
	// failProperty returns the error that something is wrong with property i.
	failProperty(i int, what string) error
}

// NewReader returns a Reader of a schedule. Errors name the file by the given name. Every
// error that says that the file is not a schedule is a *SyntaxError.
func NewReader(r io.Reader, name string) (*Reader, error) {
	buf := bufio.NewReaderSize(r, readerBuffer)
	first, err := buf.Peek(1)
	if errors.Is(err, io.EOF) {
		return nil, &SyntaxError{File: name, Line: 1, What: "an empty file is no schedule"}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var dec decoder
	if first[0] == binaryMagic[0] {
		dec, err = newBinaryReader(buf, name)
	} else {
		dec, err = newTextReader(buf, name)
	}
	if err != nil {
		return nil, err
	}
	return &Reader{dec: dec}, nil
}

// readerBuffer is how many bytes are read at once.
const readerBuffer = 1 << 16

// Table returns the names and locations to which events refer. It grows while events are read.
func (r *Reader) Table() *Table { return r.dec.table() }

// Properties returns what the schedule says of itself.
func (r *Reader) Properties() []Property { return r.dec.properties() }

// Property returns the value of a property, empty if the schedule does not have it.
func (r *Reader) Property(name string) string {
	for _, p := range r.Properties() {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// hasProperty reports whether the schedule has a property.
func (r *Reader) hasProperty(name string) bool {
	return slices.ContainsFunc(r.Properties(), func(p Property) bool { return p.Name == name })
}

// Read returns the next event, which is valid until the next call. The error is io.EOF after the last event.
func (r *Reader) Read() (*Event, error) {
	if r.err != nil {
		return nil, r.err
	}
	e := &r.event
	*e = Event{List: e.List[:0], Depends: e.Depends[:0], Cases: e.Cases[:0]}
	if r.err = r.dec.read(e); r.err != nil {
		return nil, r.err
	}
	return e, nil
}

// Fail returns a *SyntaxError that says what is wrong with the event that was read last.
func (r *Reader) Fail(what string) error { return r.dec.fail(what) }

// Events returns a sequence of the events that have not been read yet. If reading fails, its
// last element is the error.
func (r *Reader) Events() iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for {
			e, err := r.Read()
			if errors.Is(err, io.EOF) || !yield(e, err) || err != nil {
				return
			}
		}
	}
}
