package portable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// An Encoder writes numbers and strings. The zero Encoder has written nothing.
type Encoder struct {
	bytes   []byte
	numbers map[int32]int // by goroutine
	order   []int32       // goroutines by number
}

// Int writes a number that fits into 32 bits.
func (e *Encoder) Int(v int) { e.bytes = binary.AppendVarint(e.bytes, int64(v)) }

// Uint writes a number.
func (e *Encoder) Uint(v uint64) { e.bytes = binary.AppendUvarint(e.bytes, v) }

// Bool writes whether something is so.
func (e *Encoder) Bool(v bool) {
	n := 0
	if v {
		n = 1
	}
	e.Int(n)
}

// String writes a text.
func (e *Encoder) String(s string) {
	e.Int(len(s))
	e.bytes = append(e.bytes, s...)
}

// Goroutine writes g, which is negative if it is none.
func (e *Encoder) Goroutine(g int32) {
	if g < 0 {
		e.Int(0)
		return
	}
	n, ok := e.numbers[g]
	if !ok {
		if e.numbers == nil {
			e.numbers = map[int32]int{}
		}
		n = len(e.order)
		e.numbers[g] = n
		e.order = append(e.order, g)
	}
	e.Int(n + 1)
}

// Input writes an input, which may be nil.
func (e *Encoder) Input(in run.Input) {
	e.Int(len(in))
	for _, name := range slices.Sorted(maps.Keys(in)) {
		e.String(name)
		e.Uint(in[name])
	}
}

// Names writes the names of the goroutines that body has written. A Decoder reads them before what body has.
func (e *Encoder) Names(body *Encoder, names *run.Names) {
	e.Int(len(body.order))
	for _, g := range body.order {
		e.String(names.String(g))
	}
}

// With returns what e and then body have written.
func (e *Encoder) With(body *Encoder) []byte { return append(e.bytes, body.bytes...) }

// A Decoder reads what an Encoder has written. After an error it reads zeros.
type Decoder struct {
	bytes      []byte
	goroutines []int32 // by number
	err        error
}

// NewDecoder returns a Decoder of data. Fail gives it an error.
func NewDecoder(data []byte) *Decoder { return &Decoder{bytes: data} }

// Err returns the first error.
func (d *Decoder) Err() error { return d.err }

// Ended reports whether there is nothing more to read.
func (d *Decoder) Ended() bool { return len(d.bytes) == 0 }

// Fail gives d an error, unless it has one.
func (d *Decoder) Fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.bytes = nil
}

// errWritten is an error of what no Encoder writes.
var errWritten = errors.New("not what a search writes")

// Int reads a number.
func (d *Decoder) Int() int {
	v, n := binary.Varint(d.bytes)
	if n <= 0 || int64(int32(v)) != v {
		d.Fail(errWritten)
		return 0
	}
	d.bytes = d.bytes[n:]
	return int(v)
}

// Uint reads a number.
func (d *Decoder) Uint() uint64 {
	v, n := binary.Uvarint(d.bytes)
	if n <= 0 {
		d.Fail(errWritten)
		return 0
	}
	d.bytes = d.bytes[n:]
	return v
}

// Bool reads whether something is so.
func (d *Decoder) Bool() bool {
	n := d.Int()
	if n != 0 && n != 1 {
		d.Fail(errWritten)
	}
	return n == 1
}

// Count reads the length of a list, each element of which takes at least a byte.
func (d *Decoder) Count() int {
	n := d.Int()
	if n < 0 || n > len(d.bytes) {
		d.Fail(errWritten)
		return 0
	}
	return n
}

// String reads a text.
func (d *Decoder) String() string {
	n := d.Count()
	s := string(d.bytes[:n])
	d.bytes = d.bytes[n:]
	return s
}

// Names reads the names of goroutines.
func (d *Decoder) Names(names *run.Names) {
	for range d.Count() {
		name := d.String()
		g, ok := names.Lookup(name)
		if !ok {
			d.Fail(fmt.Errorf("%q is no goroutine", name))
		}
		d.goroutines = append(d.goroutines, g)
	}
}

// Goroutine reads a goroutine, -1 if it is none.
func (d *Decoder) Goroutine() int32 {
	n := d.Int() - 1
	if n < -1 || n >= len(d.goroutines) {
		d.Fail(errWritten)
		return -1
	}
	if n < 0 {
		return -1
	}
	return d.goroutines[n]
}

// Input reads an input, nil if it has no variables.
func (d *Decoder) Input() (in run.Input) {
	for range d.Count() {
		if in == nil {
			in = run.Input{}
		}
		name := d.String()
		in[name] = d.Uint()
	}
	return in
}
