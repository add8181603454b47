package concurrency

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// bubblePrimitives returns the primitives of package internal/synctest:
//
//	func asyncTimers() bool // whether channels of timers are those before Go 1.23
//	func enter(b *bubble)   // makes the goroutine the root of b
//	func leave()            // the goroutine is not the root of its bubble any more
//	func end()              // the function passed to Run has returned
//	func idle() int         // waits until the bubble is idle and advances its time
//	func arrive() bool      // begins to wait; false if another goroutine already waits
//	func wait()             // waits until the bubble is idle
//	func IsInBubble() bool
func bubblePrimitives() []exec.Primitive {
	isInBubble := func(c *exec.Call) { c.SetBool(0, c.Goroutine.Bubble != nil) }
	idle := func(c *exec.Call, to []run.Transition) []run.Transition {
		// The scheduler enables it when the bubble is idle.
		return append(to, run.Transition{Op: schedule.BubbleIdle, Object: c.Goroutine.Bubble.ID, Partner: -1})
	}
	return []exec.Primitive{
		{Name: "internal/synctest.IsInBubble", Run: isInBubble, Optional: true},
		{Name: "time.runtimeIsBubbled", Run: isInBubble},
		{Name: "internal/synctest.asyncTimers", Run: func(c *exec.Call) { c.SetBool(0, asyncChan(c.Machine)) }},
		{Name: "internal/synctest.enter", Run: func(c *exec.Call) {
			c.Machine.Changed()
			c.Goroutine.Bubble = c.Window[0].P
			c.Machine.Bubbles++
		}},
		{Name: "internal/synctest.leave", Run: func(c *exec.Call) {
			b := c.Goroutine.Bubble
			c.Machine.Changed()
			c.Goroutine.Bubble = nil
			c.Machine.Bubbles--
			c.Machine.RemoveTimers(func(t *state.Timer) bool { return t.Bubble == b })
		}},
		{Name: "internal/synctest.end", Run: func(c *exec.Call) {
			c.Machine.Heap.Put(heap.Location{Object: c.Goroutine.Bubble, Offset: state.BubbleDone}, 1)
		}},
		{
			Name:      "internal/synctest.arrive",
			DependsOn: state.OnNothing,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.BubbleWait, Object: c.Goroutine.Bubble.ID, Partner: -1, Enabled: true})
			},
			Run: func(c *exec.Call) {
				l := heap.Location{Object: c.Goroutine.Bubble, Offset: state.BubbleWaiting}
				c.Machine.Record(c.Goroutine, run.Event{Op: schedule.BubbleWait, Object: c.Goroutine.Bubble.ID})
				free := l.Load() == 0
				if free {
					c.Machine.Heap.Put(l, 1)
				}
				c.SetBool(0, free)
			},
		},
		{
			Name:        sched.BubbleWaitName,
			Transitions: idle,
			Run: func(c *exec.Call) {
				c.Machine.Record(c.Goroutine, run.Event{Op: schedule.BubbleIdle, Object: c.Goroutine.Bubble.ID})
				c.Machine.Heap.Put(heap.Location{Object: c.Goroutine.Bubble, Offset: state.BubbleWaiting}, 0)
				queue.Quiesce(&c.Machine.State, c.Goroutine.Bubble)
				c.Machine.AcquireBubble(c.Goroutine)
			},
		},
		{
			Name:        sched.IdleName,
			Transitions: idle,
			Run: func(c *exec.Call) {
				c.Machine.Record(c.Goroutine, run.Event{Op: schedule.BubbleIdle, Object: c.Goroutine.Bubble.ID})
				c.Set(0, c.Machine.AdvanceTime(c.Goroutine))
			},
		},
	}
}
