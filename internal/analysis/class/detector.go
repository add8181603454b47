package class

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/schedule"
)

// A detector implements analysis.Detector.
type detector struct {
	*reorder.Window
	certainty analysis.Certainty
	report    func(*analysis.Finding)
	known     map[[2]place]bool
	witness   ideal.Places
}

// A place is where in the program an access is.
type place struct {
	location schedule.LocationID
	op       schedule.Op
}

func newDetector(config analysis.Config, c reorder.Class, certainty analysis.Certainty) *detector {
	d := &detector{certainty: certainty, report: config.Report, known: make(map[[2]place]bool)}
	d.Window = reorder.NewWindow(config, c, d.look)
	return d
}

// look reports the races of the window.
func (d *detector) look(ctx context.Context) error {
	var p *reorder.Problem
	for _, list := range byCell(d.Steps) {
		for i, b := range list {
			for _, a := range list[:i] {
				s, t := &d.Steps[a], &d.Steps[b]
				if !access.Conflict(s.Kind, t.Kind) || s.Before(t) {
					continue
				}
				places := [2]place{{s.Site.Location, s.Site.Op}, {t.Site.Location, t.Site.Op}}
				located := s.Site.Location != 0 && t.Site.Location != 0
				if located && d.known[places] {
					continue
				}
				if d.Locks != reorder.AnyLocks {
					if d.Exclude(s.Held, t.Held) {
						continue
					}
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
				d.known[places] = located
				f := &analysis.Finding{Kind: analysis.DataRace, Certainty: d.certainty, Sites: []analysis.Site{s.Site, t.Site}}
				if p != nil && d.witness.Add(f.Sites...) {
					f.Witness = p.Witness(a, b)
				}
				d.report(f)
			}
		}
	}
	return nil
}

// byCell returns the accesses to each cell that more than one goroutine accesses, one of which
// writes.
func byCell(steps []reorder.Step) [][]int {
	index := map[schedule.Cell]int{}
	var lists [][]int
	for i := range steps {
		if steps[i].Kind == access.None {
			continue
		}
		n, ok := index[steps[i].Site.Cell]
		if !ok {
			n = len(lists)
			index[steps[i].Site.Cell] = n
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], i)
	}
	return slices.DeleteFunc(lists, func(list []int) bool {
		write, first := false, steps[list[0]].Goroutine
		several := false
		for _, i := range list {
			write = write || steps[i].Kind.IsWrite()
			several = several || steps[i].Goroutine != first
		}
		return !write || !several
	})
}
