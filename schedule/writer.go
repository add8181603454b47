package schedule

import (
	"errors"
	"fmt"
	"io"
)

// Version is the version of the format of schedules and of run files that this package writes, and
// the newest that it reads. Schedules of versions 1 and 2 have fewer operations and annotations; run
// files of these versions were no schedules, and are read by [ReadRun].
const Version = 3

// An Encoding is a way to write a schedule.
type Encoding uint8

// The encodings.
const (
	TextEncoding   Encoding = iota // lines that people can read
	BinaryEncoding                 // compact
)

// A Property says something of a whole schedule, such as which program it is of.
type Property struct{ Name, Value string }

// Names of properties. Those of a [Header] say what was run, and others are possible.
const (
	ToolProperty  = "tool"   // that recorded the schedule
	RunProperty   = "run"    // run file that replays the schedule
	OrderProperty = "order"  // LocalOrder or JoinedOrder, if the schedule was not recorded in its order
	LocalOrder    = "local"  // only events of one goroutine are in an order, and numbers are names: no State follows it
	JoinedOrder   = "joined" // the order was found by joining what goroutines did
)

// A Writer writes a schedule, event by event.
type Writer struct {
	enc    encoder
	events int64
}

// An encoder writes a schedule in an encoding.
type encoder interface {
	write(e *Event) error
	close() error
}

// NewWriter returns a Writer that writes a schedule to w. The names and locations in events
// are numbers of table t. Close has to be called at the end.
func NewWriter(w io.Writer, as Encoding, t *Table, about ...Property) (*Writer, error) {
	if len(about) > maxProperties {
		return nil, fmt.Errorf("a schedule with %d properties, more than %d", len(about), maxProperties)
	}
	size := 0
	for _, p := range about {
		if size += p.size(); size > maxPropertyBytes || !isPlain(p.Name) || p.Name == endWord || !p.fits() {
			return nil, fmt.Errorf("a schedule cannot have a property named %q, with %d bytes", p.Name, len(p.Value))
		}
	}
	if as == TextEncoding {
		return &Writer{enc: newTextWriter(w, t, about)}, nil
	}
	return &Writer{enc: newBinaryWriter(w, t, about)}, nil
}

// Bounds of the properties of a schedule.
const (
	maxProperties    = 1 << 20
	maxPropertyBytes = 1 << 26
)

func (p *Property) size() int { return len(p.Name) + len(p.Value) }

// fits reports whether a property is short enough.
func (p *Property) fits() bool { return len(p.Name) <= maxName && len(p.Value) <= maxName }

// Write writes the next event. An error says what is wrong with the event, or that writing
// has failed.
func (w *Writer) Write(e *Event) error {
	if e.Op == NoOp || e.Op >= NumOps {
		return fmt.Errorf("there is no operation %d", e.Op)
	}
	if err := e.inRange(); err != nil {
		return err
	}
	w.events++
	return w.enc.write(e)
}

// Events returns the number of events that have been written.
func (w *Writer) Events() int64 { return w.events }

// inRange checks the parts of an event that have a meaning for its operation.
func (e *Event) inRange() error {
	can := optional[e.Op]
	switch {
	case can&valueBits != 0 && (e.Value.Kind >= numValueKinds || e.Value.Bits&^e.Value.Kind.mask() != 0):
		return fmt.Errorf("value %#x is not of kind %v", e.Value.Bits, e.Value.Kind)
	case e.Op == AtomicUpdate && e.Wrote&^e.Value.Kind.mask() != 0:
		return fmt.Errorf("value %#x is not of kind %v", e.Wrote, e.Value.Kind)
	case can&offsetBit != 0 && (e.Offset >= maxOffset || e.Offset < -maxOffset):
		return fmt.Errorf("offset %d is out of range", e.Offset)
	case can&caseBit != 0 && e.Case < NoCase:
		return fmt.Errorf("case %d is negative", e.Case)
	case can&childBit != 0 && (e.Child < AllGoroutines || e.Child >= maxGoroutines):
		return fmt.Errorf("there is no goroutine %d", e.Child)
	case e.Object < 0, e.Count < 0, e.Kind >= numObjectKinds, e.Lock >= numLockKinds:
		return fmt.Errorf("object %d of kind %v, count %d, lock %v is out of range", e.Object, e.Kind, e.Count, e.Lock)
	case e.plain():
		return nil
	case e.ReadAs.Kind >= numValueKinds, e.ReadAs.Bits&^e.ReadAs.Kind.mask() != 0, e.WroteAs.Kind >= numValueKinds, e.WroteAs.Bits&^e.WroteAs.Kind.mask() != 0, e.Source < -1:
		return errors.New("an annotation is out of range")
	case concerns[e.Op] && (e.Offset >= maxOffset || e.Offset < -maxOffset):
		return fmt.Errorf("offset %d is out of range", e.Offset)
	case len(e.List) > maxList || len(e.Depends) > maxList:
		return fmt.Errorf("a list of more than %d values", maxList)
	case len(e.Cases) > maxList:
		return fmt.Errorf("more than %d cases", maxList)
	}
	for _, c := range e.Cases {
		o, ok := c.Op.ofCase()
		if !ok || c.Object < 0 || o == noOperand && c.Object != 0 || o != cellOperand && c.Offset != 0 ||
			c.Offset >= maxOffset || c.Offset < -maxOffset {
			return fmt.Errorf("a case of operation %d on object %d, offset %d", c.Op, c.Object, c.Offset)
		}
	}
	return nil
}

// Close ends the schedule. It does not close the io.Writer.
func (w *Writer) Close() error { return w.enc.close() }
