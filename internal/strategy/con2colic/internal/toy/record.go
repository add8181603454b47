package toy

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// Record runs the program with all inputs zero, each goroutine as long as it can, and adds
// the run to f. It returns the node of each event.
func (p *Program) Record(f *forest.Forest) []forest.NodeID {
	m := NewMachine(p)
	trace := m.Run(&run.Plan{Visible: run.Visible{Objects: p.Objects()}, ReadSymbols: true, Record: true}, run.NonPreemptive{})
	r := forest.NewRecorder(f, map[forest.Outcome]bool{})
	r.Start(trace, m.Arena)
	nodes := make([]forest.NodeID, len(trace.Events))
	last := map[int32]forest.NodeID{0: forest.Root}
	for i, e := range trace.Events {
		nodes[i] = r.Event(last[e.Goroutine], int32(i), 0)
		last[e.Goroutine] = nodes[i]
		if e.Op == schedule.Spawn {
			last[e.Other] = nodes[i]
		}
	}
	return nodes
}
