// Package fsm has tests of github.com/looplab/fsm, "a simple finite state machine".
package fsm

import (
	"context"
	"sync"
	"testing"

	"github.com/looplab/fsm"
)

var events = fsm.Events{
	{Name: "open", Src: []string{"closed"}, Dst: "open"},
	{Name: "close", Src: []string{"open"}, Dst: "closed"},
}

// TestEvents: "stateMu guards access to the current state", but the callbacks of an event are looked up without it, while
// another event sets the state.
func TestEvents(t *testing.T) {
	f := fsm.NewFSM("closed", events, nil)
	var wg sync.WaitGroup
	wg.Go(func() { f.Event(context.Background(), "open") })
	wg.Go(func() { f.Event(context.Background(), "close") })
	wg.Wait()
}

// TestSetState: "SetState allows the user to move to the given state from current state." Event holds a read lock while it
// calls a callback, which asks for the current state: that waits behind SetState, which waits for Event. They race as well.
func TestSetState(t *testing.T) {
	f := fsm.NewFSM("closed", events, fsm.Callbacks{
		"before_open": func(_ context.Context, e *fsm.Event) { e.FSM.Current() },
	})
	var wg sync.WaitGroup
	wg.Go(func() { f.Event(context.Background(), "open") })
	wg.Go(func() { f.SetState("closed") })
	wg.Wait()
}
