package schedule

import "fmt"

// A channel is what is known of a channel.
type channel struct {
	capacity int64
	closed   int64  // Order of the event that closed it, -1 if it is open
	queue    []sent // that have not been received
	timer    bool   // of a timer, which has fired
	fired    int64  // Order of the last event in which its timer fired, -1 if there is none
}

// A sent is a value in a channel.
type sent struct {
	value Value
	by    GoroutineID // Timers if a timer has sent it
	order int64
}

// communicate carries out the operations of channels.
func (s *State) communicate(e *Event) error {
	c := s.objects[e.Object].channel
	if e.Op == TimerSet {
		if c != nil {
			// What a timer has sent before it is set again is discarded.
			s.queued -= len(c.queue)
			c.queue = c.queue[:0]
		}
		return nil
	}
	if c == nil {
		return fmt.Errorf("%q on o%d, which is no channel", e.Op.Word(), e.Object)
	}
	switch e.Op {
	case Send:
		switch {
		case c.closed >= 0:
			return fmt.Errorf("g%d sends on o%d, which is closed", e.Goroutine, e.Object)
		case int64(len(c.queue)) >= max(c.capacity, 1):
			return fmt.Errorf("g%d sends on o%d, which is full", e.Goroutine, e.Object)
		case s.queued == stateQueued:
			return errFull
		}
		s.queued++
		c.queue = append(c.queue, sent{e.Value, e.Goroutine, e.Order})
		if c.capacity == 0 {
			s.goroutines[e.Goroutine].Sending = e.Object
		}
	case Recv:
		return s.receive(e, c)
	case RecvClosed:
		if c.closed < 0 || len(c.queue) > 0 {
			return fmt.Errorf("g%d receives from o%d as from a closed channel without values, which it is not", e.Goroutine, e.Object)
		}
		e.From = c.closed
	case Close:
		if c.closed >= 0 {
			return fmt.Errorf("g%d closes o%d, which is closed", e.Goroutine, e.Object)
		}
		c.closed = e.Order
	case LenChan:
		if n := len(c.queue); e.Value.Kind == Int64 && e.Value.Bits != uint64(n) && !c.timer {
			return fmt.Errorf("g%d finds %d values in o%d, which holds %d", e.Goroutine, e.Value.Bits, e.Object, n)
		}
	}
	return nil
}

// receive carries out Recv: the oldest value is received.
func (s *State) receive(e *Event, c *channel) error {
	if len(c.queue) == 0 {
		if c.timer { // a value that was not discarded
			e.From = c.fired
			return nil
		}
		return fmt.Errorf("g%d receives from o%d, which holds no value", e.Goroutine, e.Object)
	}
	from := c.queue[0]
	c.queue = c.queue[1:]
	if len(c.queue) == 0 {
		c.queue = nil
	}
	s.queued--
	e.From = from.order
	if from.by != Timers {
		if g := &s.goroutines[from.by]; g.Sending == e.Object {
			if from.by == e.Goroutine {
				return fmt.Errorf("g%d receives from itself on o%d, which has no buffer", e.Goroutine, e.Object)
			}
			g.Sending = 0
		}
		if from.value.Kind == e.Value.Kind && from.value.Bits != e.Value.Bits {
			return fmt.Errorf("g%d receives %v from o%d, where %v was sent", e.Goroutine, e.Value, e.Object, from.value)
		}
	}
	return nil
}

// fire carries out the firing of a timer that sends: if its channel is full, it does not.
func (s *State) fire(e *Event) error {
	c := s.objects[e.Object].channel
	if c == nil {
		return nil // it calls a function that does not begin a goroutine
	}
	c.timer = true
	if len(c.queue) > 0 {
		return nil
	}
	if s.queued == stateQueued {
		return errFull
	}
	s.queued++
	c.queue, c.fired = append(c.queue, sent{by: Timers, order: e.Order}), e.Order
	return nil
}
