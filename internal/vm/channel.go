package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A channel is an object of these cells; the buffer's elements follow from
// chanBuffer on, a ring of chanCap elements.
const (
	chanCap    = iota // number of elements that the buffer holds
	chanClosed        // 1 when the channel is closed
	chanHead          // index of the oldest element
	chanCount         // number of elements in the buffer
	chanBubble        // synctest bubble that it was made in, nil for none
	chanBuffer
)

// A comm is a communication that a parked goroutine may carry out: the only one
// of a send or receive, or a case of a select.
type comm struct {
	send bool
	ch   *heap.Object // nil for a nil channel
	// value is where the words to send are on the goroutine's stack.
	value int
	elem  *code.Type
}

// capChan returns the capacity of a channel.
func capChan(ch *heap.Object) uint64 {
	if ch == nil {
		return 0
	}
	return ch.Cells[chanCap].N
}

// chanState returns Option.State for operations on ch.
func chanState(ch *heap.Object) int64 {
	if ch.Cells[chanClosed].N != 0 {
		return -1
	}
	return int64(ch.Cells[chanCount].N)
}

// chanContent returns what the options of operations on ch depend on: whether it is
// closed and how much it holds. A closed channel that others empty changes, too.
func chanContent(ch *heap.Object) uint64 {
	return ch.Cells[chanCount].N<<1 | ch.Cells[chanClosed].N&1
}

// ready reports whether c can be carried out without a partner.
func (c *comm) ready() bool {
	if c.ch == nil {
		return false
	}
	count := c.ch.Cells[chanCount].N
	return c.ch.Cells[chanClosed].N != 0 || c.send && count < c.ch.Cells[chanCap].N || !c.send && count > 0
}
