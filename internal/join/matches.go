package join

import "github.com/everyway-go/everyway/schedule"

// A traffic is what is sent on a channel and received from it.
type traffic struct {
	sends, receives []int32
	timer           bool
}

// addMatches finds which send a receive needs, where only one sends its value. Channels keep the order of values:
// so what one goroutine receives has been sent in that order, and what one goroutine sends is received in that order.
func (n *needs) addMatches(t *Traces) {
	channels := map[schedule.ObjectID]*traffic{}
	var order []*traffic
	for i := range t.events {
		e := &t.events[i]
		switch e.Op {
		case schedule.Send, schedule.Recv, schedule.TimerSet, schedule.TimerFire:
		default:
			continue
		}
		c := channels[e.Object]
		if c == nil {
			c = &traffic{}
			channels[e.Object] = c
			order = append(order, c)
		}
		switch e.Op {
		case schedule.Send:
			c.sends = append(c.sends, int32(i))
		case schedule.Recv:
			c.receives = append(c.receives, int32(i))
		default:
			c.timer = true
		}
	}
	for _, c := range order {
		if !c.timer {
			n.addTraffic(t, c)
		}
	}
}

// addTraffic is addMatches for one channel.
func (n *needs) addTraffic(t *Traces, c *traffic) {
	from := make(map[schedule.Value]int32, len(c.sends)) // none if a value is sent several times
	for _, s := range c.sends {
		v := t.events[s].Value
		if v.Kind == schedule.NoValue || v.Kind != t.events[c.sends[0]].Value.Kind {
			return // it may be any value
		}
		if _, ok := from[v]; ok {
			from[v] = none
		} else {
			from[v] = s
		}
	}
	to := map[int32]int32{}                  // the receive of a send
	last := map[schedule.GoroutineID]int32{} // the send of what a goroutine has received last
	for _, r := range c.receives {
		e := &t.events[r]
		s, ok := from[e.Value]
		if _, twice := to[s]; !ok || s == none || twice {
			continue
		}
		to[s] = r
		n.add(t, s, r)
		if before, ok := last[e.Goroutine]; ok {
			n.add(t, before, s)
		}
		last[e.Goroutine] = s
	}
	clear(last)
	for _, s := range c.sends {
		r, ok := to[s]
		if !ok {
			continue
		}
		g := t.events[s].Goroutine
		if before, ok := last[g]; ok {
			n.add(t, before, r)
		}
		last[g] = r
	}
}
