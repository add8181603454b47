package search

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/guided"
)

// TestParts has several workers have the turns of a guided search, in another order than that in
// which what comes of them is taken, and different workers have those of one trial: the run that
// reaches the places, and the number of runs before it, are the same as those of one worker.
func TestParts(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/trials"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	var specs []place.Spec
	for at, text := range prog.Lines(prog.Packages[0]) {
		if strings.HasSuffix(text, "// the place") {
			specs = append(specs, place.Spec{Text: at.String(), File: at.Filename, Line: at.Line})
		}
	}
	target := prog.Targets()[0]
	// search searches with some workers, for a goal that nobody has asked anything yet.
	search := func(n, ahead int, rng *rand.Rand) (string, int) {
		goal, err := reach.New(t.Context(), prog, &target, specs)
		if err != nil {
			t.Fatal(err)
		}
		cfg := worker.Config{Settings: run.Settings{Limits: worker.DefaultLimits, MaxLen: worker.DefaultMaxLen}, NoCorpus: true}
		cfg.Reach(goal)
		machines, names := worker.NewMachines(prog, func(time.Duration) {}), run.NewNames()
		var workers []*worker.Worker
		for range n {
			w, err := machines.Worker(t.Context(), &target, cfg, names, func([]byte) {})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			workers = append(workers, w)
		}
		return inTurns(t, workers, ahead, rng)
	}
	want, turns := search(1, 1, nil)
	for seed := range uint64(1) {
		if got, _ := search(2, 4, rand.New(rand.NewPCG(seed, 1))); got != want {
			t.Errorf("with 2 workers the search ends with\n%s\nand with one\n%s", got, want)
		}
	}
	if turns < 10 {
		t.Errorf("%d turns: this shows little", turns)
	}
}

// inTurns has workers have some turns at a time, in an order that is drawn, until one reaches the
// places. It returns the run and the number of runs before it, as text, and the number of turns.
func inTurns(t *testing.T, workers []*worker.Worker, ahead int, rng *rand.Rand) (text string, turns int) {
	var instances []strategy.Shared
	for _, w := range workers {
		st, err := w.Begin(guided.Info, strategy.Config{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Share(st); err != nil {
			t.Fatal(err)
		}
		instances = append(instances, st.(strategy.Shared))
	}
	first := instances[0]
	var stats worker.Stats
	for {
		var list []*worker.Turn
		for _, turn := range first.Turns(ahead) {
			turns++
			list = append(list, &worker.Turn{Number: turns, Of: turn})
		}
		if len(list) == 0 {
			t.Fatalf("not reached in %d turns", turns)
		}
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		if rng != nil {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		for _, i := range order {
			w := workers[0]
			if rng != nil {
				w = workers[rng.IntN(len(workers))]
			}
			first := func(found []check.Finding) *check.Finding {
				if len(found) == 0 {
					return nil
				}
				return &found[0]
			}
			if err := w.Have(t.Context(), list[i], first, func() bool { return false }); err != nil {
				t.Fatal(err)
			}
		}
		for _, turn := range list {
			stats.Add(&turn.Stats)
			if turn.Found == nil {
				first.Return(turn.Of)
				continue
			}
			turn.Found.Goal = nil
			t.Logf("%d runs, %d turns", stats.Runs, turns)
			text, err := json.Marshal(struct {
				Runs  int
				Found any
			}{stats.Runs, turn.Found.Header})
			if err != nil {
				t.Fatal(err)
			}
			return string(text), turns
		}
	}
}
