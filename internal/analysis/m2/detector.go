package m2

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/dependence"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "m2",
	Doc:       "data races in orders that keep what is read and, but for one goroutine, the order of what conflicts",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// Bounds of the work.
const (
	maxSteps    = 4000    // of a window
	maxAttempts = 100     // of the accesses at two places of the program, in a window
	maxClocks   = 1 << 23 // steps of an ideal times its goroutines
)

// A detector implements analysis.Detector.
type detector struct {
	*reorder.Window
	report  func(*analysis.Finding)
	known   map[analysis.Pair]bool
	witness ideal.Places
}

func newDetector(config analysis.Config) analysis.Detector {
	d := &detector{report: config.Report, known: make(map[analysis.Pair]bool)}
	d.Window = reorder.NewWindow(config, dependence.Said, maxSteps, d.look)
	return d
}

// look reports the races of the window.
func (d *detector) look(ctx context.Context) error {
	var w *window
	attempts := map[analysis.Pair]int{}
	for a, b := range d.Conflicts() {
		s, t := &d.Steps[a], &d.Steps[b]
		pair, located := analysis.PairOf(&s.Site, &t.Site)
		if located && (d.known[pair] || attempts[pair] == maxAttempts) {
			continue
		}
		attempts[pair]++
		if w == nil {
			w = newWindow(d.Window)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		order, ok := w.race(a, b)
		if !ok {
			continue
		}
		d.known[pair] = located
		f := &analysis.Finding{Kind: analysis.DataRace, Certainty: analysis.Predicted, Sites: []analysis.Site{s.Site, t.Site}}
		if d.witness.Add(f.Sites...) {
			f.Witness = d.Witness(slices.Values(order), a, b)
		}
		d.report(f)
	}
	return nil
}
