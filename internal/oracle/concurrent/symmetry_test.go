package concurrent

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// TestSymmetry checks that a search of programs with goroutines that are the same has a run for
// each class, up to which of them does what. Runs that are missing need not show in outcomes: the
// copies show nothing. Runs of a program in which a body may panic are more than its classes, which
// count of a run that fails only what the failure depends on.
func TestSymmetry(t *testing.T) {
	n := sample.Size(3000, 300, 60)
	for _, k := range kinds.All {
		if !k.Config.Copies || k.Config.Twice { // conditions of copies that decide nothing make classes, and are none for the machine
			continue
		}
		if f := k.Config.Family; f == kinds.Contexts || f == kinds.Replies || f == kinds.Pointers { // how their steps depend on each other is not known to what counts classes
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			var programs []*oracle.Program
			var orbits []int
			all := [2]int{} // of programs without a panic, and with one
			for seed := uint64(0); len(programs) < n; seed++ {
				cfg := k.Config
				cfg.Mode = oracle.Mode(seed % 2)
				p := kinds.Generate(seed, cfg)
				if len(p.Inputs) > 0 {
					continue // a branch of a copy may do nothing, and is none for the machine
				}
				classes, err := oracle.Classes(p, maxClasses)
				if err != nil || classes < 3 {
					continue
				}
				least, err := oracle.Orbits(p, maxClasses)
				if err != nil {
					t.Fatal(err)
				}
				programs, orbits = append(programs, p), append(orbits, least)
				all[kindOf(p)] += classes
			}
			s := load(t, programs)
			var least, complete [2]int
			for i := range programs {
				p := player(t, s, i)
				f, err := p.Search(t.Context(), hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names, Symmetry: true}), 100000)
				if err != nil {
					t.Fatalf("%v\n%s", err, describe(s, i))
				}
				if !f.Status.Exhausted || f.Complete < orbits[i] {
					t.Errorf("%s\n%d runs, exhausted: %v, want one for each of %d classes", describe(s, i), f.Complete, f.Status.Exhausted, orbits[i])
				}
				least[kindOf(programs[i])] += orbits[i]
				complete[kindOf(programs[i])] += f.Complete
			}
			t.Logf("%d programs, without and with a panic: %d classes, %d of them different; %d runs", n, all, least, complete)
		})
	}
}

// kindOf returns 1 for a program that may panic, and 0 for others.
func kindOf(p *oracle.Program) int {
	if text := oracle.Describe(p); strings.Contains(text, "panic(") || strings.Contains(text, "close(") {
		return 1
	}
	return 0
}
