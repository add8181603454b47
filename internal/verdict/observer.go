package verdict

import (
	"time"

	"github.com/everyway-go/everyway/schedule"
)

// An Observer is called while a search goes on. Calls come from one
// goroutine at a time.
type Observer interface {
	// Started is called before the first run of a target.
	Started(pkg, target string)
	// Restarted is called after Started, if the search in a file cannot be resumed: it begins
	// anew.
	Restarted(pkg, target, file, why string)
	// Initialised is called when the package initialisers of a test binary have run, before
	// the first run of one of its targets. They are no part of any target's time.
	Initialised(pkg string, elapsed time.Duration)
	// Paused is called when a search waits for others, and Continued when it goes on.
	Paused(pkg, target string)
	Continued(pkg, target string)
	// Progress is called now and then.
	Progress(r *Result)
	// Confirmed is called as soon as a run that was made again shows a finding: before the run
	// is saved and made smaller, so that nothing that can go wrong then loses the finding. If a run
	// shows several, all are confirmed before the first of them is made smaller.
	Confirmed(r *Result, run *schedule.Run)
	// Found is called with each of these findings, in the same order, when it is minimised and on
	// disk, or could not be written.
	Found(r *Result, f *Counterexample)
	// Output is called with what the code under test printed: the initialisers and, if there
	// is no finding, the first run. What a run with a finding printed is in its
	// Counterexample.
	Output(pkg, target string, text []byte)
	// Ended is called with the verdict.
	Ended(r *Result)
	// Unbegun is called for a target whose search does not begin, because the command was
	// interrupted or another target fails: it has no verdict.
	Unbegun(pkg, target string)
	// Faulted is called when something that is wrong with everyway itself, or with what it
	// depends on, ends the search of a target; Ended follows if it was not called before.
	Faulted(f *Fault)
}

// A Quiet observer does nothing. It is embedded by observers that implement some of the
// methods only.
type Quiet struct{}

// Started implements Observer.
func (Quiet) Started(pkg, target string) {}

// Initialised implements Observer.
func (Quiet) Initialised(pkg string, elapsed time.Duration) {}

// Restarted implements Observer.
func (Quiet) Restarted(pkg, target, file, why string) {}

// Paused implements Observer.
func (Quiet) Paused(pkg, target string) {}

// Continued implements Observer.
func (Quiet) Continued(pkg, target string) {}

// Progress implements Observer.
func (Quiet) Progress(*Result) {}

// Confirmed implements Observer.
func (Quiet) Confirmed(*Result, *schedule.Run) {}

// Found implements Observer.
func (Quiet) Found(*Result, *Counterexample) {}

// Output implements Observer.
func (Quiet) Output(pkg, target string, text []byte) {}

// Ended implements Observer.
func (Quiet) Ended(*Result) {}

// Unbegun implements Observer.
func (Quiet) Unbegun(pkg, target string) {}

// Faulted implements Observer.
func (Quiet) Faulted(*Fault) {}
