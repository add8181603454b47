package transcript

import (
	"bytes"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// TestPrivate writes a long run: of the accesses to what only one goroutine uses the last ones are written, and all
// to what two of them use.
func TestPrivate(t *testing.T) {
	names := run.NewNames()
	child := names.Child(0, 1)
	own, shared := run.ObjectID{Goroutine: 0, Count: 1}, run.ObjectID{Goroutine: 0, Count: 2}
	access := func(g int32, op schedule.Op, o run.ObjectID, value uint64) run.Event {
		e := run.Event{Goroutine: g, Op: op, Object: o, Cells: 1, Other: -1, Called: -1}
		if op == schedule.Write {
			e.Wrote, e.WroteKind = value, uint8(code.Uint64)
		} else {
			e.Read, e.ReadKind = value, uint8(code.Uint64)
		}
		return e
	}
	trace := &run.Trace{}
	add := func(e run.Event) { trace.Events = append(trace.Events, e) }
	add(run.Event{Op: schedule.Start, Object: run.NoObject})
	add(access(0, schedule.Write, shared, 7))
	add(run.Event{Op: schedule.Spawn, Object: run.NoObject, Other: child})
	for i := range 2 * keptPrivate {
		add(access(0, schedule.Write, own, uint64(i)))
	}
	add(run.Event{Goroutine: child, Op: schedule.Start, Object: run.NoObject})
	read := access(child, schedule.Read, shared, 7)
	read.Other = 1
	add(read)

	var out bytes.Buffer
	table := schedule.NewTable()
	w, err := schedule.NewWriter(&out, schedule.TextEncoding, table)
	if err != nil {
		t.Fatal(err)
	}
	program := Program{
		Names: names, Arena: expr.NewArena(),
		Location: func(run.SiteID) schedule.LocationID { return 0 },
		Global:   func(int32) string { return "" },
	}
	if err := Write(w, table, trace, program); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := schedule.NewReader(&out, "long")
	if err != nil {
		t.Fatal(err)
	}
	state, writes, reads, least := schedule.NewState(r.Table()), 0, 0, ^uint64(0)
	for e, err := range r.Events() {
		if err == nil {
			err = state.Next(e)
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Op == schedule.Read:
			reads++
		case e.Op == schedule.Write && e.Value.Bits != 7:
			writes++
			least = min(least, e.Value.Bits)
		case e.Op == schedule.Write:
			reads++
		}
	}
	if writes != keptPrivate || least != keptPrivate {
		t.Errorf("%d accesses to the object of one goroutine from value %d on, want the last %d of %d", writes, least, keptPrivate, 2*keptPrivate)
	}
	if reads != 2 {
		t.Errorf("%d accesses to the object of two goroutines, want 2", reads)
	}
}
