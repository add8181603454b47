package cover

import "sync/atomic"

// An unbuffered channel has no part in a communication that is kept to a schedule: the sender offers its value, and the receiver that
// the schedule says takes it. What stands in the program sends to, or receives from, a channel with room for the value.

// An offer is a value that is sent on an unbuffered channel.
type offer struct {
	value any
	taken atomic.Bool
}

// SendTo returns the channel to send to. Sent is called behind the send.
func SendTo[T any](id int32, c chan<- T) chan<- T {
	g := self(id)
	if g == nil {
		return c
	}
	if _, ok := g.take(id, 1<<opSend); !ok {
		return c
	}
	return sending(g, c)
}

// sending returns the channel on which the value of the next node is sent.
func sending[T any](g *goroutine, c chan<- T) chan<- T {
	g.pending = g.finish
	if cap(c) > 0 {
		return c
	}
	room := make(chan T, 1)
	g.pending = func() {
		o := &offer{value: <-room}
		offers.Store(after{g.number, g.next}, o)
		g.finish()
		if !o.wait() {
			v, _ := o.value.(T) // which is nil for an interface
			c <- v              // freely
		}
	}
	return room
}

// wait returns when the value has been taken. It reports false if the schedules do not matter any more, and nobody takes it.
func (o *offer) wait() bool {
	mu.Lock()
	defer mu.Unlock()
	for !o.taken.Load() && !free.Load() {
		over.Wait()
	}
	return !o.taken.CompareAndSwap(false, true)
}

// Sent is behind a send: what SendTo has begun is done.
func Sent() { complete(lookup()) }

// complete does what is left to do of a communication.
func complete(g *goroutine) {
	if g != nil && g.pending != nil {
		f := g.pending
		g.pending = nil
		f()
	}
}

// Receive receives from c.
func Receive[T any](id int32, c <-chan T) T {
	v, _ := Receive2(id, c)
	return v
}

// Ranged returns the channel that a loop ranges over, and what its variable has before the first iteration, where that is one for all of them.
func Ranged[T any](c <-chan T) (<-chan T, T) {
	var v T
	return c, v
}

// Receive2 receives from c, and reports whether something was sent.
func Receive2[T any](id int32, c <-chan T) (v T, ok bool) {
	g := self(id)
	if g == nil {
		v, ok = <-c
		return v, ok
	}
	n, kept := g.take(id, 1<<opRecv|1<<opRecvClosed)
	if !kept {
		v, ok = <-c
		return v, ok
	}
	v, ok = <-receiving(g, n, c)
	complete(g)
	return v, ok
}

// receiving returns the channel from which the value of the next node, n, is received.
func receiving[T any](g *goroutine, n *node, c <-chan T) <-chan T {
	g.pending = g.finish
	if cap(c) > 0 || n.kind != opRecv || n.from.node < 0 {
		return c
	}
	got, ok := offers.LoadAndDelete(n.from)
	if !ok {
		return c // from a goroutine that is not kept to the schedule
	}
	o := got.(*offer)
	mu.Lock()
	taken := o.taken.CompareAndSwap(false, true)
	over.Broadcast()
	mu.Unlock()
	if !taken {
		return c
	}
	room := make(chan T, 1)
	v, _ := o.value.(T) // which is nil for an interface
	room <- v
	return room
}

// Close closes c.
func Close[T any](id int32, c chan<- T) { do(id, 1<<opClose, func() { close(c) }) }

// Length returns the length of c. What has no room has none, whatever others do.
func Length[T any](id int32, c <-chan T) (n int) {
	if cap(c) > 0 {
		do(id, 1<<opLenChan, func() { n = len(c) })
	}
	return n
}

// LengthToSend is Length for a channel to which is sent only.
func LengthToSend[T any](id int32, c chan<- T) (n int) {
	if cap(c) > 0 {
		do(id, 1<<opLenChan, func() { n = len(c) })
	}
	return n
}

const communications = 1<<opSend | 1<<opRecv | 1<<opRecvClosed | 1<<opSelectDefault

// choose takes the node of a select at its first case. It reports whether the schedule has it take a case.
func (g *goroutine) choose(id, index int32, first bool) (n *node, is bool) {
	if first {
		g.chosen = nil
		if n, ok := g.take(id, communications); ok {
			g.chosen = n
			g.pending = g.finish
		}
	}
	return g.chosen, g.chosen != nil && int32(g.chosen.alt) == index && g.chosen.kind != opSelectDefault
}

// SendCase returns the channel of a case of a select that sends: none if the schedule has it take another one. Cases ask in
// their order, and Chosen is called where one begins.
func SendCase[T any](id, index int32, first bool, c chan<- T) chan<- T {
	g := self(id)
	if g == nil {
		return c
	}
	n, is := g.choose(id, index, first)
	switch {
	case n == nil:
		return c
	case is:
		return sending(g, c)
	}
	return nil
}

// ReceiveCase is SendCase for a case that receives.
func ReceiveCase[T any](id, index int32, first bool, c <-chan T) <-chan T {
	g := self(id)
	if g == nil {
		return c
	}
	n, is := g.choose(id, index, first)
	switch {
	case n == nil:
		return c
	case is:
		return receiving(g, n, c)
	}
	return nil
}

// Chosen is where a case of a select begins.
func Chosen() { complete(lookup()) }

// Default is at a select with nothing but a default case.
func Default(id int32) {
	if g := self(id); g != nil && g.comes(id, 1<<opSelectDefault) {
		g.step(id, 1<<opSelectDefault)
	}
}

// Never is before what blocks for ever.
func Never(id int32) {
	if g := self(id); g != nil {
		g.take(id, 0)
	}
}
