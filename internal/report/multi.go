package report

import (
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// Multi is several reports of the same searches, each of which is called in turn.
type Multi []Report

// NotBuilt implements Report.
func (m Multi) NotBuilt(p *NotBuilt) {
	for _, r := range m {
		r.NotBuilt(p)
	}
}

// Loaded implements Report.
func (m Multi) Loaded(targets int, elapsed time.Duration) {
	for _, r := range m {
		r.Loaded(targets, elapsed)
	}
}

// Done implements Report.
func (m Multi) Done(elapsed time.Duration) {
	for _, r := range m {
		r.Done(elapsed)
	}
}

// Err implements Report. It returns the error of the first report that has one.
func (m Multi) Err() error {
	for _, r := range m {
		if err := r.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Started implements verdict.Observer.
func (m Multi) Started(pkg, target string) {
	for _, r := range m {
		r.Started(pkg, target)
	}
}

// Restarted implements verdict.Observer.
func (m Multi) Restarted(pkg, target, file, why string) {
	for _, r := range m {
		r.Restarted(pkg, target, file, why)
	}
}

// Initialised implements verdict.Observer.
func (m Multi) Initialised(pkg string, elapsed time.Duration) {
	for _, r := range m {
		r.Initialised(pkg, elapsed)
	}
}

// Paused implements verdict.Observer.
func (m Multi) Paused(pkg, target string) {
	for _, r := range m {
		r.Paused(pkg, target)
	}
}

// Continued implements verdict.Observer.
func (m Multi) Continued(pkg, target string) {
	for _, r := range m {
		r.Continued(pkg, target)
	}
}

// Progress implements verdict.Observer.
func (m Multi) Progress(res *verdict.Result) {
	for _, r := range m {
		r.Progress(res)
	}
}

// Confirmed implements verdict.Observer.
func (m Multi) Confirmed(res *verdict.Result, run *schedule.Run) {
	for _, r := range m {
		r.Confirmed(res, run)
	}
}

// Found implements verdict.Observer.
func (m Multi) Found(res *verdict.Result, f *verdict.Counterexample) {
	for _, r := range m {
		r.Found(res, f)
	}
}

// Output implements verdict.Observer.
func (m Multi) Output(pkg, target string, text []byte) {
	for _, r := range m {
		r.Output(pkg, target, text)
	}
}

// Ended implements verdict.Observer.
func (m Multi) Ended(res *verdict.Result) {
	for _, r := range m {
		r.Ended(res)
	}
}

// Unbegun implements verdict.Observer.
func (m Multi) Unbegun(pkg, target string) {
	for _, r := range m {
		r.Unbegun(pkg, target)
	}
}

// Faulted implements verdict.Observer.
func (m Multi) Faulted(f *verdict.Fault) {
	for _, r := range m {
		r.Faulted(f)
	}
}
