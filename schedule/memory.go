package schedule

import "fmt"

// A content is what is known to be in a cell.
type content struct {
	value Value
	wrote int64 // 1 + Order of the event that wrote it; 0 if that is not known
}

// denseOffsets is how many cells of an object are kept in a slice.
const denseOffsets = 1 << 10

// content returns the content of a cell, nil if it is one too many.
func (s *State) content(c Cell) *content {
	o := &s.objects[c.Object]
	if c.Offset < 0 || c.Offset >= denseOffsets {
		return nil
	}
	if n := len(o.contents); int(c.Offset) >= n {
		more := max(int(c.Offset)+1, 2*n) - n
		if s.cells+more > stateCells {
			return nil
		}
		s.cells += more
		o.contents = append(o.contents, make([]content, more)...)
	}
	return &o.contents[c.Offset]
}

// access carries out a read or a write. A value that is read has to be the one that was
// written last, if both are known, and of one kind: a program may look at the same bits in
// several ways. A read of a value that is not known leaves nothing known.
func (s *State) access(e *Event) error {
	if e.Object == 0 {
		return fmt.Errorf("an access to no object")
	}
	if s.objects[e.Object].kind != Memory {
		return nil // what it holds is the result of other events
	}
	c := s.content(e.Cell())
	var far content
	if c == nil {
		far = s.far[e.Cell()]
		c = &far
	}
	if e.Op != Write && e.Op != AtomicWrite {
		if c.value.Kind == e.Value.Kind && c.value.Bits != e.Value.Bits && e.Value.Kind != NoValue {
			return fmt.Errorf("g%d reads %v from %v, which holds %v", e.Goroutine, e.Value, e.Cell(), c.value)
		}
		e.From = c.wrote - 1
		if e.Op != AtomicUpdate && e.Value.Kind != NoValue && c.value.Kind != NoValue {
			return nil
		}
		if e.Op != AtomicUpdate && e.Value.Kind == NoValue && c.value.Kind != NoValue {
			c.wrote = 0 // something else than an event may have written it
		}
		c.value = e.Value
	}
	switch e.Op {
	case Write, AtomicWrite:
		c.value, c.wrote = e.Value, e.Order+1
	case AtomicUpdate:
		c.value, c.wrote = Value{e.Value.Kind, e.Wrote}, e.Order+1
	}
	if c == &far {
		if _, known := s.far[e.Cell()]; known || len(s.far) < stateCells {
			s.far[e.Cell()] = far
		}
	}
	return nil
}
