package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// bubblePrimitives lists the primitives of package internal/synctest:
//
//	func enter(b *bubble)   // the goroutine becomes the root of b
//	func leave()            // and is it no longer
//	func end()              // Run's function has returned
//	func idle() int         // waits until the bubble is idle and moves its time
//	func arrive() bool      // begins to wait; false when another goroutine does
//	func wait()             // waits until the bubble is idle
//	func IsInBubble() bool
func bubblePrimitives() []primitive {
	isInBubble := func(c *call) { c.setBool(0, c.g.Bubble != nil) }
	idle := func(c *call, to []run.Transition) []run.Transition {
		// Machine.enableIdle says whether it is possible.
		return append(to, run.Transition{Op: schedule.BubbleIdle, Object: c.g.Bubble.ID, Partner: -1})
	}
	return []primitive{
		{name: "internal/synctest.IsInBubble", run: isInBubble},
		{name: "time.runtimeIsBubbled", run: isInBubble},
		{name: "internal/synctest.enter", run: func(c *call) {
			c.m.Changed()
			c.g.Bubble = c.window[0].P
			c.m.Bubbles++
		}},
		{name: "internal/synctest.leave", run: func(c *call) {
			b := c.g.Bubble
			c.m.Changed()
			c.g.Bubble = nil
			c.m.Bubbles--
			c.m.Timers = slices.DeleteFunc(slices.Clone(c.m.Timers), func(t state.Timer) bool { return t.Bubble == b })
		}},
		{name: "internal/synctest.end", run: func(c *call) { c.m.Heap.Put(heap.Location{Object: c.g.Bubble, Offset: sched.BubbleDone}, 1) }},
		{
			name:    "internal/synctest.arrive",
			looksAt: state.OnNothing,
			options: func(c *call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.BubbleWait, Object: c.g.Bubble.ID, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				l := heap.Location{Object: c.g.Bubble, Offset: sched.BubbleWaiting}
				c.m.Record(c.g, run.Event{Op: schedule.BubbleWait, Object: c.g.Bubble.ID})
				free := l.Load() == 0
				if free {
					c.m.Heap.Put(l, 1)
				}
				c.setBool(0, free)
			},
		},
		{
			name:    "internal/synctest.wait",
			options: idle,
			run: func(c *call) {
				c.m.Record(c.g, run.Event{Op: schedule.BubbleIdle, Object: c.g.Bubble.ID})
				c.m.Heap.Put(heap.Location{Object: c.g.Bubble, Offset: sched.BubbleWaiting}, 0)
				c.m.AcquireBubble(c.g)
			},
		},
		{
			name:    sched.IdleName,
			options: idle,
			run: func(c *call) {
				c.m.Record(c.g, run.Event{Op: schedule.BubbleIdle, Object: c.g.Bubble.ID})
				c.set(0, c.m.MoveTime(c.g))
			},
		},
	}
}
