package worker

import (
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
)

// Alone says where in the program the potential races are that a strategy has found.
func (w *Worker) Alone(a *strategy.Alone) *verdict.Alone {
	v := &verdict.Alone{
		Paths: a.Paths, Shapes: a.Shapes, Combinations: a.Combinations, Integrated: a.Integrated, Adjusted: a.Adjusted, Accepted: a.Accepted,
	}
	seen := make(map[[2]string]int) // index, of statements with several accesses
	for i := range a.Races {
		r := &a.Races[i]
		p := verdict.PotentialRace{Pos: [2]string{w.position(r.Sites[0]), w.position(r.Sites[1])}, Status: verdict.RaceOpen, Why: r.Why}
		if r.Confirmed {
			p.Status, p.Why = verdict.RaceConfirmed, ""
		}
		if n, ok := seen[p.Pos]; ok {
			if r.Confirmed {
				v.Races[n] = p
			}
			continue
		}
		seen[p.Pos] = len(v.Races)
		v.Races = append(v.Races, p)
	}
	return v
}
