package schedule

import (
	"fmt"
	"io"
	"math/bits"
)

// A binaryReader reads the binary encoding.
type binaryReader struct {
	source
	names    *Table
	about    []Property
	starts   []int64 // offsets of the properties
	contexts []context
	last     []uint32 // context of the last event of each goroutine; that of Timers comes first
	previous GoroutineID
	time     int64
	numbering
}

func newBinaryReader(r io.Reader, file string) (*binaryReader, error) {
	b := &binaryReader{
		source: source{r: r, file: file, buf: make([]byte, readerBuffer)},
		names:  NewTable(), contexts: make([]context, 1), numbering: newNumbering(),
	}
	for i := range len(binaryMagic) {
		c, err := b.byte()
		if err != nil {
			return nil, err
		}
		if c != binaryMagic[i] {
			return nil, b.source.fail("this is no schedule")
		}
	}
	version, err := b.uvarint()
	if err != nil {
		return nil, err
	}
	if version == 0 || version > Version {
		return nil, b.source.fail(wrongVersion(version))
	}
	n, err := b.below(maxProperties+1, "number of properties")
	if err != nil {
		return nil, err
	}
	size := 0
	for range n {
		b.start = b.offset()
		var p Property
		if p.Name, err = b.text(); err != nil {
			return nil, err
		}
		if p.Value, err = b.text(); err != nil {
			return nil, err
		}
		if !isPlain(p.Name) || p.Name == endWord {
			return nil, b.source.fail(fmt.Sprintf("%q is no name of a property", p.Name))
		}
		if size += p.size(); size > maxPropertyBytes {
			return nil, b.source.fail("the properties are too long")
		}
		b.about, b.starts = append(b.about, p), append(b.starts, b.start)
	}
	return b, nil
}

// wrongVersion says why a schedule of some version is not read.
func wrongVersion(version uint64) string {
	if version > Version {
		return fmt.Sprintf("a schedule of version %d; this program reads versions up to %d, so use a newer one", version, Version)
	}
	return fmt.Sprintf("a schedule of version %d, which there has never been", version)
}

func (b *binaryReader) table() *Table          { return b.names }
func (b *binaryReader) properties() []Property { return b.about }

// failProperty implements decoder.
func (b *binaryReader) failProperty(i int, what string) error {
	return &SyntaxError{File: b.file, Offset: b.starts[i], What: what}
}

// fail implements decoder.
func (b *binaryReader) fail(what string) error { return b.source.fail(what) }

// read implements decoder.
func (b *binaryReader) read(e *Event) error {
	for {
		b.start = b.offset()
		first, err := b.uvarint()
		if err != nil {
			return err
		}
		if record := first >> 1; record == expectedContext || record >= firstContext {
			return b.event(e, record, first&1 != 0)
		}
		if first&1 != 0 {
			return b.fail(fmt.Sprintf("there is no record %d", first))
		}
		if first>>1 == endOfSchedule {
			return b.end()
		}
		if err := b.definition(first >> 1); err != nil {
			return err
		}
	}
}

// end checks that nothing comes after the end.
func (b *binaryReader) end() error {
	if b.pos == b.source.end {
		if n, err := io.ReadFull(b.r, b.buf[:1]); n == 0 {
			if err == io.EOF {
				return io.EOF
			}
			return fmt.Errorf("%s: %w", b.file, err)
		}
	}
	b.start++
	return b.fail("something comes after the end of the schedule")
}

// definition reads what events refer to.
func (b *binaryReader) definition(record uint64) error {
	switch record {
	case newName:
		name, err := b.text()
		if err != nil {
			return err
		}
		id, err := b.names.NameID(name)
		if err == nil && int(id) != len(b.names.names)-1 || name == "" {
			err = fmt.Errorf("the name %q is defined twice", name)
		}
		return b.failed(err)
	case newLocation:
		return b.location()
	case newContext:
		return b.context()
	}
	b.contexts = b.contexts[:1] // forgetContexts
	b.contexts[0].next = 0
	clear(b.last)
	return nil
}

// failed returns the error that err is wrong in the record that is being read.
func (b *binaryReader) failed(err error) error {
	if err == nil {
		return nil
	}
	return b.fail(err.Error())
}

// location reads the definition of a location.
func (b *binaryReader) location() error {
	names := uint64(len(b.names.names))
	var l Location
	for _, part := range [...]struct {
		to    *int32
		bound uint64
		what  string
	}{{(*int32)(&l.File), names, "name"}, {&l.Line, 1 << 31, "line"}, {&l.Column, 1 << 31, "column"}, {(*int32)(&l.Func), names, "name"}} {
		n, err := b.below(part.bound, part.what)
		if err != nil {
			return err
		}
		*part.to = int32(n)
	}
	id, err := b.names.LocationID(l)
	if err == nil && int(id) != len(b.names.locations)-1 || l == (Location{}) {
		err = fmt.Errorf("the location %s is defined twice", b.names.Position(id))
	}
	return b.failed(err)
}

// context reads the definition of a context.
func (b *binaryReader) context() error {
	op, err := b.below(uint64(NumOps), "operation")
	if err != nil {
		return err
	}
	bits, err := b.below(uint64(noteBit)<<1, "shape")
	if err != nil {
		return err
	}
	location, err := b.below(uint64(len(b.names.locations)), "location")
	if err != nil {
		return err
	}
	c := context{contextKey: contextKey{Op(op), shape(bits), LocationID(location)}}
	switch {
	case c.op == NoOp:
		return b.fail("operation 0")
	case c.shape&^(optional[op]|annotations) != 0, ValueKind(c.shape&valueBits) >= numValueKinds:
		return b.fail(fmt.Sprintf("%s with parts %#x, which it does not have", c.op.Word(), bits))
	case len(b.contexts) == maxContexts:
		return b.fail(fmt.Sprintf("more than %d contexts", maxContexts))
	}
	b.contexts = append(b.contexts, c)
	return nil
}

// event reads an event. Its context is an expected or a given one.
func (b *binaryReader) event(e *Event, record uint64, switches bool) error {
	e.Goroutine = b.previous
	if switches {
		g, err := b.uvarint()
		if err != nil {
			return err
		}
		if g > uint64(b.goroutine) {
			return b.fail(fmt.Sprintf("an event of g%d, which has not been started", g-1))
		}
		e.Goroutine = GoroutineID(g) - 1
		b.previous = e.Goroutine
	}
	g := int(e.Goroutine) + 1
	if g >= len(b.last) {
		b.last = append(b.last, make([]uint32, g+1-len(b.last))...)
	}
	before := &b.contexts[b.last[g]]
	if record != expectedContext {
		if record-firstContext+1 >= uint64(len(b.contexts)) {
			return b.fail(fmt.Sprintf("context %d has not been defined", record-firstContext))
		}
		before.next = uint32(record - firstContext + 1)
	} else if before.next == 0 {
		return b.fail("a context is expected, and none has been before")
	}
	b.last[g] = before.next
	c := &b.contexts[before.next]
	e.Op, e.Location = c.op, c.location
	at := b.indexOf(e.Goroutine)
	e.Index = *at
	*at++
	return b.operands(e, c)
}

// operands reads the operands and annotations of an event.
func (b *binaryReader) operands(e *Event, c *context) error {
	local := b.local
	if c.shape&resultBit != 0 {
		if local == maxLocals {
			return b.fail(fmt.Sprintf("more than %d values", maxLocals))
		}
		e.Result = local
		b.local++
	}
	for _, o := range forms[c.op].operands {
		if err := b.operand(o, e, c, local); err != nil {
			return err
		}
	}
	e.Try, e.Implied = c.shape&tryBit != 0, c.shape&impliedBit != 0
	if c.shape&timeBit != 0 {
		u, err := b.uvarint()
		if err != nil {
			return err
		}
		b.time += zagzig(u)
		e.Time = b.time
	}
	if c.shape&dependsBit != 0 {
		var err error
		if e.Depends, err = b.list(e.Depends, local); err != nil {
			return err
		}
	}
	if c.shape&casesBit != 0 {
		if err := b.cases(e, e.Object); err != nil {
			return err
		}
	}
	if c.shape&noteBit != 0 {
		return b.notes(e)
	}
	return nil
}

// notes reads the notes of an event.
func (b *binaryReader) notes(e *Event) error {
	bits, err := b.below(allNotes+1, "sum of notes")
	has := notes(bits)
	if err == nil && has&cellNote != 0 {
		var object uint64
		if object, err = b.below(maxObjects+1, "object"); err == nil {
			e.Object = ObjectID(object)
			e.Offset, err = b.wholeOffset()
		}
	}
	if err == nil && has&nameNote != 0 {
		e.Name, err = b.wholeName()
	}
	if err == nil && has&allocatorNote != 0 {
		e.Allocator, err = b.wholeName()
	}
	if err == nil && has&valuesNote != 0 {
		if e.ReadAs, err = b.wholeValue(); err == nil {
			e.WroteAs, err = b.wholeValue()
		}
	}
	if err == nil && has&sourceNote != 0 {
		var u uint64
		u, err = b.uvarint()
		e.Source = zagzig(u)
	}
	if err == nil && (has == 0 || has&^notesOf(e.Op) != 0 || e.notes() != has || e.Source < -1) {
		err = b.fail(fmt.Sprintf("%s with notes %#x, which it does not have", e.Op.Word(), bits))
	}
	return err
}

// wholeName reads the number of a name.
func (b *binaryReader) wholeName() (NameID, error) {
	id, err := b.below(uint64(len(b.names.names)), "name")
	return NameID(id), err
}

// wholeOffset reads an offset.
func (b *binaryReader) wholeOffset() (int64, error) {
	u, err := b.uvarint()
	if n := zagzig(u); n >= maxOffset || n < -maxOffset {
		err = b.fail(fmt.Sprintf("offset %d is out of range", n))
	}
	return zagzig(u), err
}

// wholeValue reads a value with its kind.
func (b *binaryReader) wholeValue() (v Value, err error) {
	kind, err := b.below(uint64(numValueKinds), "kind")
	if err == nil {
		v.Kind = ValueKind(kind)
		v.Bits, err = b.uvarint()
	}
	if err == nil && v.Bits&^v.Kind.mask() != 0 {
		err = b.fail("a value of too many bits")
	}
	return v, err
}

// cases reads cases, of which there is at least one if they are of a select that has gone on.
func (b *binaryReader) cases(e *Event, object ObjectID) error {
	n, err := b.below(maxList+1, "number of cases")
	if err == nil && n == 0 && e.Op != Pending {
		err = b.fail("a select without cases")
	}
	for ; n > 0 && err == nil; n-- {
		var c Case
		c, err = b.oneCase(&object)
		e.Cases = append(e.Cases, c)
	}
	return err
}

// oneCase reads a case, whose object is at a difference to the given one, which it replaces.
func (b *binaryReader) oneCase(object *ObjectID) (c Case, err error) {
	first, err := b.uvarint()
	if err != nil {
		return c, err
	}
	switch first & 3 {
	case receivesCase:
		c.Op = Recv
	case sendsCase:
		c.Op = Send
	case defaultCase:
		c.Op = SelectDefault
	case otherCase:
		op, err := b.below(uint64(NumOps), "operation")
		if err != nil {
			return c, err
		}
		if c.Op = Op(op); c.Op == Recv || c.Op == Send || c.Op == SelectDefault {
			return c, b.fail(fmt.Sprintf("a case of operation %d, for which there is a shorter encoding", op))
		}
	}
	o, ok := c.Op.ofCase()
	if !ok {
		return c, b.fail(fmt.Sprintf("%q is no operation of a case", c.Op.Word()))
	}
	switch id := int64(*object) + zagzig(first>>2); {
	case o == noOperand && first>>2 != 0, id < 0, id > maxObjects:
		return c, b.fail("a case of an object that there is not")
	case o != noOperand:
		*object = ObjectID(id)
		c.Object = *object
	}
	if o == cellOperand {
		c.Offset, err = b.wholeOffset()
	}
	return c, err
}

// operand reads an operand.
func (b *binaryReader) operand(o operand, e *Event, c *context, local Local) (err error) {
	var u uint64
	switch o {
	case resultOperand:
		return nil
	case newObject:
		if b.object == maxObjects {
			return b.fail(fmt.Sprintf("more than %d objects", maxObjects))
		}
		e.Object = b.object
		b.object++
		return nil
	case newChild:
		return b.newChild(e, c)
	case childOperand:
		e.Child = NoGoroutine
		if c.shape&childBit != 0 {
			if u, err = b.uvarint(); err == nil {
				err = b.child(e, zagzig(u))
			}
		}
		return err
	case valueOperand:
		return b.value(e, c)
	case listOperand:
		e.List, err = b.list(e.List, local)
		return err
	case casesOperand:
		return b.cases(e, 0)
	case leftOperand:
		if c.shape&leftBit == 0 {
			return nil
		}
		e.Left, err = b.use(local)
		return err
	case rightOperand:
		e.Right, err = b.use(local)
		return err
	case caseOperand:
		if c.shape&caseBit == 0 {
			e.Case = NoCase
			return nil
		}
		u, err = b.below(1<<31, "case")
		e.Case = int32(u)
		return err
	case wroteOperand:
		if c.shape&valueBits == 0 {
			return nil
		}
	}
	if u, err = b.uvarint(); err != nil {
		return err
	}
	switch o {
	case objectOperand:
		return b.setObject(e, c, zagzig(u))
	case cellOperand:
		return b.cell(e, c, u)
	case wroteOperand:
		e.Wrote = e.Value.Bits + uint64(zagzig(u))
		if e.Wrote&^e.Value.Kind.mask() != 0 {
			return b.fail("a value of too many bits")
		}
	case numberOperand:
		c.number += zagzig(u)
		e.Number = c.number
	case truthOperand:
		c.number += zagzig(u)
		if e.Number = c.number; e.Number != 0 && e.Number != 1 {
			return b.fail(fmt.Sprintf("%d is no truth", e.Number))
		}
	case countOperand:
		if e.Count = int64(u); e.Count < 0 {
			return b.fail("a negative count")
		}
	case kindOperand:
		if u >= uint64(numObjectKinds) {
			return b.fail(fmt.Sprintf("there is no kind %d of objects", u))
		}
		e.Kind = ObjectKind(u)
	case lockOperand:
		if u >= uint64(numLockKinds) {
			return b.fail(fmt.Sprintf("there is no kind %d of locks", u))
		}
		e.Lock = LockKind(u)
	case nameOperand:
		id := int64(c.name) + zagzig(u)
		if id < 0 || id >= int64(len(b.names.names)) {
			return b.fail(fmt.Sprintf("name %d has not been defined", id))
		}
		c.name = NameID(id)
		e.Name = c.name
	}
	return nil
}

// newChild reads the goroutine that an event starts.
func (b *binaryReader) newChild(e *Event, c *context) error {
	if c.shape&childBit == 0 {
		e.Child = NoGoroutine
		if c.op == Spawn {
			return b.fail("fork of no goroutine")
		}
		return nil
	}
	if b.goroutine == maxGoroutines-1 {
		return b.fail(fmt.Sprintf("more than %d goroutines", maxGoroutines))
	}
	e.Child = b.goroutine
	b.goroutine++
	return nil
}

// child sets the goroutine that an event is about.
func (b *binaryReader) child(e *Event, g int64) error {
	if g >= maxGoroutines || g < int64(AllGoroutines) || g == int64(NoGoroutine) {
		return b.fail(fmt.Sprintf("there is no goroutine %d", g))
	}
	e.Child = GoroutineID(g)
	return nil
}

// setObject sets the object of an event, by the difference to the last one.
func (b *binaryReader) setObject(e *Event, c *context, d int64) error {
	id := int64(c.object) + d
	if id < 0 || id > maxObjects {
		return b.fail(fmt.Sprintf("there is no object %d", id))
	}
	c.object = ObjectID(id)
	e.Object = c.object
	return nil
}

// cell reads the object and the offset of an event, whose first number is u.
func (b *binaryReader) cell(e *Event, c *context, u uint64) error {
	e.Object = c.object
	if u&1 != 0 {
		if err := b.setObject(e, c, zagzig(u>>1)); err != nil {
			return err
		}
		u = 0
		if c.shape&offsetBit != 0 {
			var err error
			if u, err = b.uvarint(); err != nil {
				return err
			}
			u <<= 1
		}
	}
	if c.shape&offsetBit == 0 {
		return nil
	}
	c.offset += zagzig(u >> 1)
	if c.offset >= maxOffset || c.offset < -maxOffset {
		return b.fail(fmt.Sprintf("offset %d is out of range", c.offset))
	}
	e.Offset = c.offset
	return nil
}

// value reads the value of an event.
func (b *binaryReader) value(e *Event, c *context) error {
	e.Value.Kind = ValueKind(c.shape & valueBits)
	if e.Value.Kind == NoValue {
		return nil
	}
	u, err := b.uvarint()
	if err != nil {
		return err
	}
	if e.Value.Kind == Float32 || e.Value.Kind == Float64 {
		c.bits ^= bits.ReverseBytes64(u)
	} else {
		c.bits += uint64(zagzig(u))
	}
	e.Value.Bits = c.bits
	if c.bits&^e.Value.Kind.mask() != 0 {
		return b.fail("a value of too many bits")
	}
	return nil
}

// use reads a value that has been defined before, or 0.
func (b *binaryReader) use(local Local) (Local, error) {
	d, err := b.uvarint()
	if err == nil && (d == 0 || d > uint64(local)) {
		err = b.fail("a value is used before it is defined")
	}
	return local - Local(d), err
}

// list reads a list of values.
func (b *binaryReader) list(list []Local, local Local) ([]Local, error) {
	n, err := b.below(maxList+1, "number of values")
	for ; n > 0 && err == nil; n-- {
		var l Local
		l, err = b.use(local)
		list = append(list, l)
	}
	return list, err
}
