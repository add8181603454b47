package class

import (
	"context"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/dependence"
)

// A detector implements analysis.Detector.
type detector struct {
	*reorder.Window
	certainty analysis.Certainty
	report    func(*analysis.Finding)
	known     map[analysis.Pair]bool
	witness   ideal.Places
}

func newDetector(config analysis.Config, c dependence.Class, certainty analysis.Certainty) *detector {
	d := &detector{certainty: certainty, report: config.Report, known: make(map[analysis.Pair]bool)}
	d.Window = reorder.NewWindow(config, c, reorder.MaxSteps, d.look)
	return d
}

// look reports the races of the window.
func (d *detector) look(ctx context.Context) error {
	var p *reorder.Problem
	for a, b := range d.Conflicts() {
		s, t := &d.Steps[a], &d.Steps[b]
		pair, located := analysis.PairOf(&s.Site, &t.Site)
		if located && d.known[pair] {
			continue
		}
		if d.Locks != dependence.AnyLocks {
			if p == nil {
				p = d.Problem()
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !p.Possible(p.Next(a), p.Next(b)) {
				continue
			}
		}
		d.known[pair] = located
		f := &analysis.Finding{Kind: analysis.DataRace, Certainty: d.certainty, Sites: []analysis.Site{s.Site, t.Site}}
		if p != nil && d.witness.Add(f.Sites...) {
			f.Witness = p.Witness(a, b)
		}
		d.report(f)
	}
	return nil
}
