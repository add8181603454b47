package concurrency

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// goroutinePrimitives returns the primitives of package runtime that concern scheduling.
func goroutinePrimitives() []exec.Primitive {
	return []exec.Primitive{
		{
			Name:        "runtime.Gosched",
			DependsOn:   state.OnNothing,
			MayOnlyRead: true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Yield, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			Run: func(c *exec.Call) {
				c.Machine.ObserveNothing()
				c.Machine.Record(c.Goroutine, run.Event{Op: schedule.Yield, Object: run.NoObject})
			},
		},
		{
			Name:        "runtime.NumGoroutine",
			DependsOn:   state.OnNothing,
			MayOnlyRead: true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Read, Object: run.GoroutinesObject, Cells: 1, Partner: -1, Enabled: true})
			},
			Run: func(c *exec.Call) {
				n := uint64(len(c.Machine.Live))
				if c.Machine.MainWaits() {
					n++
				}
				c.Machine.Trace.GoroutinesMatter = true
				c.Machine.ObserveCount(c.Goroutine)
				c.Machine.Record(c.Goroutine, run.Event{
					Op: schedule.Read, Object: run.GoroutinesObject, Read: n, ReadKind: uint8(code.Int64),
				})
				c.Set(0, n)
			},
		},
		{Name: "runtime.Goexit", Run: func(c *exec.Call) { c.Machine.Exit() }},
	}
}
