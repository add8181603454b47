package analysis

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/everyway-go/everyway/schedule"
)

// A Report is what detectors have found in a schedule.
type Report struct {
	Findings   []*Finding
	Dropped    int64 // findings beyond those that are kept
	Events     int64
	Goroutines int
	Table      *schedule.Table
	Names      []string // of the goroutines, by number
	Parts      []Parts  // of detectors that have not looked at the whole schedule at once
}

// Parts says that a detector has looked at a schedule in parts.
type Parts struct {
	Detector string
	Number   int64
}

// Run has detectors look at a schedule. If reading it fails, or it is not valid, or ctx ends,
// the report is of the events before that.
func Run(ctx context.Context, r *schedule.Reader, infos []Info, l Limits) (*Report, error) {
	s := schedule.NewState(r.Table())
	// What is in an order that has been found by joining has not been observed.
	joined := r.Property(schedule.OrderProperty) == schedule.JoinedOrder
	var found Collector
	detectors := make([]Detector, len(infos))
	for i, info := range infos {
		detectors[i] = info.New(Config{
			State: s, Table: r.Table(), Limits: l,
			Report: func(f *Finding) {
				f.Detector = info.Name
				if joined {
					f.Certainty = min(f.Certainty, Predicted)
				}
				found.Add(f)
			},
		})
	}
	err := each(ctx, r, s, detectors)
	for i, d := range detectors {
		if finish := d.Finish(ctx); finish != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", infos[i].Name, finish))
		}
	}
	report := &Report{Events: s.Events(), Goroutines: s.Goroutines(), Table: r.Table(), Names: names(s, r.Table())}
	for i, d := range detectors {
		if p, ok := d.(Parted); ok && p.Parts() > 1 {
			report.Parts = append(report.Parts, Parts{infos[i].Name, p.Parts()})
		}
	}
	report.Findings, report.Dropped = found.Findings()
	return report, err
}

// each passes the events of r on to detectors.
func each(ctx context.Context, r *schedule.Reader, s *schedule.State, detectors []Detector) error {
	for n := 0; ; n++ {
		e, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.Next(e); err != nil {
			return r.Fail(err.Error())
		}
		for _, d := range detectors {
			if err := d.Event(ctx, e); err != nil {
				return err
			}
		}
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// names returns the names of the goroutines of a schedule.
func names(s *schedule.State, t *schedule.Table) []string {
	list := make([]string, s.Goroutines())
	for i := range list {
		g := s.Goroutine(schedule.GoroutineID(i))
		switch name := t.Name(g.Name); {
		case name != "":
			list[i] = name
		case i == 0:
			list[i] = "0"
		default:
			list[i] = fmt.Sprintf("g%d", i)
		}
	}
	return list
}
