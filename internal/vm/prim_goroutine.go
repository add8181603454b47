package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// goroutinePrimitives lists the primitives of package runtime that concern
// scheduling.
func goroutinePrimitives() []primitive {
	return []primitive{
		{
			name:        "runtime.Gosched",
			looksAt:     state.OnNothing,
			mayOnlyRead: true,
			options: func(c *call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Yield, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				c.m.ObserveNothing()
				c.m.Record(c.g, run.Event{Op: schedule.Yield, Object: run.NoObject})
			},
		},
		{
			name:        "runtime.NumGoroutine",
			looksAt:     state.OnNothing,
			mayOnlyRead: true,
			options: func(c *call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Read, Object: run.GoroutinesObject, Cells: 1, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				n := uint64(len(c.m.Live))
				c.m.ObserveCount(c.g)
				c.m.Record(c.g, run.Event{Op: schedule.Read, Object: run.GoroutinesObject, Read: n, ReadKind: uint8(code.Int64)})
				c.set(0, n)
			},
		},
		{name: "runtime.Goexit", run: func(c *call) { c.m.exit() }},
	}
}
