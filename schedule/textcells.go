package schedule

import (
	"errors"
	"fmt"
	"strconv"
)

// In the text, the cells of an access after the first are lines of their own, which begin with a
// mark and have the value only. Several that are alike are one line, with their number.

// maxAlike is how many cells a line stands for at most.
const maxAlike = 1 << 24

// An accessed is the cell that was accessed last, if the next event can be the next cell of the same
// access.
type accessed struct {
	Op        Op // NoOp if it cannot
	Goroutine GoroutineID
	Cell
	Location LocationID
}

// accessedBy returns what e has accessed.
func accessedBy(e *Event) accessed {
	if e.Op != Read && e.Op != Write {
		return accessed{}
	}
	return accessed{e.Op, e.Goroutine, e.Cell(), e.Location}
}

// isNext reports whether e is the next cell of the access, and there is nothing else to be said of it.
func (a accessed) isNext(e *Event) bool {
	a.Offset++
	return a.Op != NoOp && e.Implied && a == accessedBy(e) && e.Time == 0 && !e.Try && len(e.Depends) == 0 && e.notes() == 0
}

// A cellWriter puts the cells of an access into lines.
type cellWriter struct {
	last  accessed
	value Value // of the cells that are still to be written
	alike int   // their number
}

// add writes e if it is the next cell of the last access.
func (c *cellWriter) add(x *textWriter, e *Event) bool {
	if !c.last.isNext(e) {
		c.flush(x)
		c.last = accessedBy(e)
		return false
	}
	c.last.Offset++
	symbolic := max(e.Result, e.Left)
	if symbolic != 0 || c.alike == maxAlike || e.Value != c.value {
		c.flush(x)
	}
	if symbolic == 0 {
		c.value = e.Value
		c.alike++
		return true
	}
	x.buf = e.Value.append(append(x.buf, cellMark, ' '))
	x.buf = append(x.buf, ' ')
	x.local(symbolic)
	x.buf = append(x.buf, '\n')
	return true
}

// flush writes the cells that are still to be written.
func (c *cellWriter) flush(x *textWriter) {
	if c.alike == 0 {
		return
	}
	x.buf = c.value.append(append(x.buf, cellMark, ' '))
	x.word(noneWord)
	if c.alike > 1 {
		x.number(int64(c.alike))
	}
	x.buf = append(x.buf, '\n')
	c.alike = 0
}

// A cellReader reads such lines.
type cellReader struct {
	last  Event // of which the next one is the next cell; its Op is NoOp if it cannot be
	alike int   // further events of the line that was read last
}

// read reads a line.
func (c *cellReader) read(x *textReader, e *Event) error {
	if c.last.Op == NoOp {
		return errors.New("a cell of no access: the event before it is neither a read nor a write")
	}
	x.Pos++ // the mark
	word, err := x.Want(operandName(valueOperand))
	if err != nil {
		return err
	}
	if c.last.Value, err = parseValue(word); err != nil {
		return err
	}
	if word, err = x.Want(operandName(resultOperand)); err != nil {
		return err
	}
	symbolic, err := parseLocal(word)
	if err != nil {
		return err
	}
	if c.last.Result, c.last.Left = symbolic, 0; c.last.Op == Write {
		c.last.Result, c.last.Left = 0, symbolic
	}
	t, err := x.Next()
	if err != nil {
		return err
	}
	if c.alike = 1; len(t.Text) > 0 || t.Quoted {
		n, err := strconv.Atoi(string(t.Text))
		if err != nil || n < 1 || n > maxAlike || symbolic != 0 {
			return fmt.Errorf("%q is no number of cells that are alike", t.Text)
		}
		c.alike = n
	}
	if err := x.End(); err != nil {
		return err
	}
	return c.next(e)
}

// next returns the next event of the line.
func (c *cellReader) next(e *Event) error {
	c.alike--
	c.last.Index++
	if c.last.Offset++; c.last.Offset >= maxOffset {
		return fmt.Errorf("offset %d is out of range", c.last.Offset)
	}
	c.last.List, c.last.Depends, c.last.Cases = e.List, e.Depends, e.Cases
	*e = c.last
	return nil
}

// follow notes that e was read.
func (c *cellReader) follow(e *Event) {
	c.last = Event{}
	if a := accessedBy(e); a.Op != NoOp {
		c.last = Event{
			Op: a.Op, Goroutine: a.Goroutine, Index: e.Index, Object: a.Object, Offset: a.Offset,
			Location: a.Location, Implied: true,
		}
	}
}
