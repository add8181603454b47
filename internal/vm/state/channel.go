package state

import (
	"math"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// The cells of a channel. The buffer, a ring of ChanCap elements, begins at ChanBuffer.
const (
	ChanCap    = iota // number of elements that the buffer holds
	ChanClosed        // 1 when the channel is closed; the pointer is not nil if it is that of a timer and has been awaited
	ChanHead          // index of the oldest element
	ChanCount         // number of elements in the buffer
	ChanBubble        // synctest bubble that it was made in, nil for none
	ChanQueue         // number of its Queue in State.Queues + 1, 0 if there is none
	ChanBuffer
)

// A Queue is a set of channels at which goroutines were waiting at the last quiescent point,
// and that are linked by selects: of each two of them there is a chain of selects, each of
// which was waiting at neighbours in the chain. It remains until the next quiescent point.
type Queue struct {
	ID       run.ObjectID   // name, zero if there is only one channel
	Bubble   *heap.Object   // synctest bubble of all channels, nil if they have none in common
	Channels []*heap.Object // not changed in place
	Waiters  int            // number of goroutines that are still waiting there, and have not been served
}

// A Comm is a communication that a parked goroutine may carry out: a send or receive, or
// a case of a select.
type Comm struct {
	Send bool
	Chan *heap.Object // nil for a nil channel
	// Value is the index of the words to send on the goroutine's stack.
	Value int
	Elem  *code.Type
}

// CapChan returns the capacity of a channel.
func CapChan(ch *heap.Object) uint64 {
	if ch == nil {
		return 0
	}
	return ch.Cells[ChanCap].N
}

// IsTimerChan reports whether ch is the channel of a timer. As far as a program can see, it
// has no buffer.
func IsTimerChan(ch *heap.Object) bool { return ch != nil && ch.Cells[ChanCap].P != nil }

// WasAwaited reports whether a goroutine has come to a receive or select that may have waited at
// ch, the channel of a timer. Then the runtime may have the timer among those that it looks after,
// and who looks at the channel does not make it fire.
func WasAwaited(ch *heap.Object) bool { return ch.Cells[ChanClosed].P != nil }

// ChanState returns Transition.State for operations on ch.
func ChanState(ch *heap.Object) int64 {
	if ch.Cells[ChanClosed].N != 0 {
		return -1
	}
	return int64(ch.Cells[ChanCount].N)
}

// ChanContent returns what the transitions of operations on ch depend on, as a number:
// how many elements the channel holds, and whether it is closed. The number changes also
// when others empty a closed channel.
func ChanContent(ch *heap.Object) uint64 {
	return ch.Cells[ChanCount].N<<1 | ch.Cells[ChanClosed].N&1
}

// Ready reports whether c can be carried out without a partner.
func (c *Comm) Ready() bool {
	if c.Chan == nil {
		return false
	}
	count := c.Chan.Cells[ChanCount].N
	return c.Chan.Cells[ChanClosed].N != 0 || c.Send && count < c.Chan.Cells[ChanCap].N || !c.Send && count > 0
}

// CapacityOf returns the capacity of a channel for its events.
func CapacityOf(ch *heap.Object) int32 { return int32(min(ch.Cells[ChanCap].N, math.MaxInt32)) }
