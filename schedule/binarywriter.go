package schedule

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
)

// A binaryWriter writes the binary encoding.
type binaryWriter struct {
	w        io.Writer
	buf      []byte
	err      error // of writing
	names    *Table
	written  struct{ names, locations int }
	contexts []context
	numbers  map[contextKey]uint32
	recent   [1 << 10]uint32 // numbers of contexts, by a hash: most are found there
	last     []uint32        // context of the last event of each goroutine; that of Timers comes first
	previous GoroutineID
	time     int64
	numbering
}

// writerBuffer is how many bytes are written at once.
const writerBuffer = 1 << 16

func newBinaryWriter(w io.Writer, t *Table, about []Property) *binaryWriter {
	b := &binaryWriter{
		w: w, buf: make([]byte, 0, writerBuffer+1024), names: t,
		contexts: make([]context, 1), numbers: make(map[contextKey]uint32),
		numbering: newNumbering(),
	}
	b.written.names, b.written.locations = 1, 1
	b.buf = append(b.buf, binaryMagic...)
	b.uvarint(Version)
	b.uvarint(uint64(len(about)))
	for _, p := range about {
		b.text(p.Name)
		b.text(p.Value)
	}
	return b
}

func (b *binaryWriter) uvarint(n uint64) {
	if n < 0x80 { // as most are
		b.buf = append(b.buf, byte(n))
		return
	}
	b.buf = binary.AppendUvarint(b.buf, n)
}

func (b *binaryWriter) text(s string) {
	b.uvarint(uint64(len(s)))
	b.buf = append(b.buf, s...)
	b.flush(writerBuffer)
}

// flush writes what is in the buffer if that is more than some bytes.
func (b *binaryWriter) flush(more int) {
	if len(b.buf) > more {
		if b.err == nil {
			_, b.err = b.w.Write(b.buf)
		}
		b.buf = b.buf[:0]
	}
}

func (b *binaryWriter) close() error {
	b.uvarint(endOfSchedule << 1)
	b.flush(0)
	return b.err
}

// write writes an event. Names, locations and contexts that are new come before it.
func (b *binaryWriter) write(e *Event) error {
	local := b.local
	if err := b.follow(e); err != nil {
		return err
	}
	if names := uint(b.written.names); uint(e.Name) >= names || uint(e.Allocator) >= names ||
		uint(e.Location) >= uint(b.written.locations) {
		if err := b.refer(e); err != nil {
			return err
		}
	}
	g := int(e.Goroutine) + 1
	if g >= len(b.last) {
		b.last = append(b.last, make([]uint32, g+1-len(b.last))...)
	}
	key := contextKey{e.Op, shapeOf(e), e.Location}
	before := &b.contexts[b.last[g]]
	id, first := before.next, uint64(expectedContext)
	if id == 0 || b.contexts[id].contextKey != key {
		id = b.context(key)
		b.contexts[b.last[g]].next = id
		first = uint64(id) - 1 + firstContext
	}
	b.last[g] = id
	first <<= 1
	if e.Goroutine != b.previous {
		b.uvarint(first | 1)
		b.uvarint(uint64(g))
		b.previous = e.Goroutine
	} else {
		b.uvarint(first)
	}
	b.operands(e, &b.contexts[id], local)
	if len(b.buf) > writerBuffer {
		b.flush(writerBuffer)
	}
	return b.err
}

// refer writes the names and the location of an event that have not been written yet.
func (b *binaryWriter) refer(e *Event) error {
	if !b.names.has(e) {
		return errors.New("a name or location that is not in the table")
	}
	b.defineNames(int(max(e.Name, e.Allocator)))
	for ; b.written.locations <= int(e.Location); b.written.locations++ {
		l := b.names.locations[b.written.locations]
		b.defineNames(int(max(l.File, l.Func)))
		b.uvarint(newLocation << 1)
		b.uvarint(uint64(l.File))
		b.uvarint(uint64(uint32(l.Line)))
		b.uvarint(uint64(uint32(l.Column)))
		b.uvarint(uint64(l.Func))
		b.flush(writerBuffer)
	}
	return nil
}

// defineNames writes the names up to a number.
func (b *binaryWriter) defineNames(last int) {
	for ; b.written.names <= last; b.written.names++ {
		b.uvarint(newName << 1)
		b.text(b.names.names[b.written.names])
	}
}

// context returns the number of a context, which it writes if it is new.
func (b *binaryWriter) context(key contextKey) uint32 {
	recent := &b.recent[(uint32(key.location)*31+uint32(key.op)*7+uint32(key.shape))%uint32(len(b.recent))]
	if b.contexts[*recent].contextKey == key {
		return *recent
	}
	if id, ok := b.numbers[key]; ok {
		*recent = id
		return id
	}
	if len(b.contexts) == maxContexts {
		b.uvarint(forgetContexts << 1)
		b.contexts = b.contexts[:1]
		b.contexts[0].next = 0
		clear(b.numbers)
		clear(b.recent[:])
		clear(b.last)
	}
	id := uint32(len(b.contexts))
	b.contexts = append(b.contexts, context{contextKey: key})
	b.numbers[key], *recent = id, id
	b.uvarint(newContext << 1)
	b.uvarint(uint64(key.op))
	b.uvarint(uint64(key.shape))
	b.uvarint(uint64(key.location))
	return id
}

// operands writes the operands and annotations of an event, as differences to those of the
// last event in its context. Values below local have been defined before.
func (b *binaryWriter) operands(e *Event, c *context, local Local) {
	for _, o := range forms[e.Op].operands {
		switch o {
		case objectOperand:
			b.uvarint(zigzag(int64(e.Object) - int64(c.object)))
			c.object = e.Object
		case cellOperand:
			b.cell(e, c)
		case childOperand:
			if c.shape&childBit != 0 {
				b.uvarint(zigzag(int64(e.Child)))
			}
		case valueOperand:
			b.value(e, c)
		case wroteOperand:
			if c.shape&valueBits != 0 {
				b.uvarint(zigzag(int64(e.Wrote - e.Value.Bits)))
			}
		case leftOperand:
			if c.shape&leftBit != 0 {
				b.uvarint(uint64(local - e.Left))
			}
		case rightOperand:
			b.uvarint(uint64(local - e.Right))
		case listOperand:
			b.list(e.List, local)
		case caseOperand:
			if c.shape&caseBit != 0 {
				b.uvarint(uint64(uint32(e.Case)))
			}
		case numberOperand, truthOperand:
			b.uvarint(zigzag(e.Number - c.number))
			c.number = e.Number
		case countOperand:
			b.uvarint(uint64(e.Count))
		case kindOperand:
			b.uvarint(uint64(e.Kind))
		case lockOperand:
			b.uvarint(uint64(e.Lock))
		case nameOperand:
			b.uvarint(zigzag(int64(e.Name) - int64(c.name)))
			c.name = e.Name
		case casesOperand:
			b.cases(e.Cases, 0)
		}
	}
	if c.shape&(timeBit|dependsBit|casesBit|noteBit) == 0 {
		return
	}
	if c.shape&timeBit != 0 {
		b.uvarint(zigzag(e.Time - b.time))
		b.time = e.Time
	}
	if c.shape&dependsBit != 0 {
		b.list(e.Depends, local)
	}
	if c.shape&casesBit != 0 {
		b.cases(e.Cases, e.Object)
	}
	if c.shape&noteBit != 0 {
		b.notes(e)
	}
}

// cases writes cases. Objects are differences to the one before, which at first is the given one.
func (b *binaryWriter) cases(cases []Case, object ObjectID) {
	b.uvarint(uint64(len(cases)))
	for _, c := range cases {
		o, _ := c.Op.ofCase()
		first := uint64(0)
		if o != noOperand {
			first = zigzag(int64(c.Object)-int64(object)) << 2
			object = c.Object
		}
		switch c.Op {
		case Recv:
			b.uvarint(first | receivesCase)
		case Send:
			b.uvarint(first | sendsCase)
		case SelectDefault:
			b.uvarint(first | defaultCase)
		default:
			b.uvarint(first | otherCase)
			b.uvarint(uint64(c.Op))
		}
		if o == cellOperand {
			b.uvarint(zigzag(c.Offset))
		}
		b.flush(writerBuffer)
	}
}

// notes writes the notes of an event.
func (b *binaryWriter) notes(e *Event) {
	has := e.notes()
	b.uvarint(uint64(has))
	if has&cellNote != 0 {
		b.uvarint(uint64(e.Object))
		b.uvarint(zigzag(e.Offset))
	}
	if has&nameNote != 0 {
		b.uvarint(uint64(e.Name))
	}
	if has&allocatorNote != 0 {
		b.uvarint(uint64(e.Allocator))
	}
	if has&valuesNote != 0 {
		for _, v := range [...]Value{e.ReadAs, e.WroteAs} {
			b.uvarint(uint64(v.Kind))
			b.uvarint(v.Bits)
		}
	}
	if has&sourceNote != 0 {
		b.uvarint(zigzag(e.Source))
	}
}

// cell writes the object and the offset of an event.
func (b *binaryWriter) cell(e *Event, c *context) {
	d := zigzag(e.Offset-c.offset) << 1
	switch {
	case e.Object == c.object:
		if c.shape&offsetBit == 0 {
			d = 0
		}
		b.uvarint(d)
	default:
		b.uvarint(zigzag(int64(e.Object)-int64(c.object))<<1 | 1)
		if c.shape&offsetBit != 0 {
			b.uvarint(d >> 1)
		}
		c.object = e.Object
	}
	c.offset = e.Offset
}

// value writes the value of an event.
func (b *binaryWriter) value(e *Event, c *context) {
	switch e.Value.Kind {
	case NoValue:
		return
	case Float32, Float64:
		b.uvarint(bits.ReverseBytes64(e.Value.Bits ^ c.bits))
	default:
		b.uvarint(zigzag(int64(e.Value.Bits - c.bits)))
	}
	c.bits = e.Value.Bits
}

// list writes a list of values.
func (b *binaryWriter) list(list []Local, local Local) {
	b.uvarint(uint64(len(list)))
	for _, l := range list {
		b.uvarint(uint64(local - l))
		b.flush(writerBuffer)
	}
}
