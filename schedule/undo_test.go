package schedule_test

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/schedule"
)

// TestUndo takes events back and does them again, with others in between that are refused or not:
// the state goes on as one that has seen nothing else.
func TestUndo(t *testing.T) {
	mix := analysistest.Mix{Goroutines: 3, Events: 80, Atomics: true, Locks: true, MoreLocks: true, Handoffs: true, Channels: true, Closes: true, WaitGroup: true, Branches: true}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(1, seed))
		undo(t, r, analysistest.Text(analysistest.Random(r, mix)))
	}
	every, err := os.ReadFile("testdata/every.schedule.txt")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		undo(t, rand.New(rand.NewPCG(2, seed)), string(every))
	}
}

func undo(t *testing.T, r *rand.Rand, text string) {
	t.Helper()
	reader, err := schedule.NewReader(strings.NewReader(text), "undo")
	if err != nil {
		t.Fatal(err)
	}
	plain := schedule.NewState(reader.Table())
	var events []schedule.Event
	for e, err := range reader.Events() {
		if err == nil {
			err = plain.Next(e)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		events = append(events, e.Clone())
	}
	state := schedule.NewState(reader.Table())
	state.Record()
	for at := 0; at < len(events); {
		for range r.IntN(3) {
			other := events[r.IntN(len(events))].Clone()
			if state.Next(&other); state.Recorded() != at+1 {
				t.Fatalf("%d events recorded after %d", state.Recorded(), at+1)
			}
			state.Undo(1)
		}
		if back := r.IntN(10); r.IntN(6) == 0 && back <= at {
			state.Undo(back)
			at -= back
		}
		e := events[at].Clone()
		if err := state.Next(&e); err != nil {
			t.Fatalf("event %d: %v\n%s", at, err, text)
		}
		if !reflect.DeepEqual(e, events[at]) {
			t.Fatalf("event %d is\n%+v and not\n%+v\n%s", at, e, events[at], text)
		}
		at++
	}
	if state.Events() != plain.Events() || state.Goroutines() != plain.Goroutines() {
		t.Fatalf("%d events of %d goroutines, and not %d of %d", state.Events(), state.Goroutines(), plain.Events(), plain.Goroutines())
	}
	for g := range schedule.GoroutineID(plain.Goroutines()) {
		a, b := *state.Goroutine(g), *plain.Goroutine(g)
		if len(a.Held)+len(b.Held) == 0 {
			a.Held, b.Held = nil, nil
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("g%d is\n%+v and not\n%+v\n%s", g, a, b, text)
		}
	}
	state.Forget(1)
	if state.Recorded() != min(1, len(events)) {
		t.Errorf("%d events recorded", state.Recorded())
	}
}
