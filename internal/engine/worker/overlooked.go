package worker

import "github.com/everyway-go/everyway/internal/run"

// Overlooked says what runs have shown to matter that their plans leave out. The exhaustive search
// begins again then, and looks at it.
type Overlooked struct {
	// Collects says that a run has collected garbage although what goroutines hold on to is not visible.
	Collects bool `json:"collects,omitempty"`
	// GoroutinesMatter says that a run has seen how many goroutines there are although that is not visible.
	GoroutinesMatter bool `json:"goroutinesMatter,omitempty"`
	// AddsMatter says that the order of the Adds of a wait group may make a difference although the
	// plan says that it does not.
	AddsMatter bool `json:"addsMatter,omitempty"`
	// LogsMatter says that something may be written to the log of a test that is done although logs are hidden.
	LogsMatter bool `json:"logsMatter,omitempty"`
}

// overlooked returns what a run has shown that its plan leaves out.
func overlooked(plan *run.Plan, t *run.Trace) Overlooked {
	return Overlooked{
		Collects:         t.Collected && !plan.Visible.Objects[run.CollectorObject],
		GoroutinesMatter: t.GoroutinesMatter && !plan.Visible.Objects[run.GoroutinesObject],
		AddsMatter:       plan.AddsCommute && t.AddsMatter,
		LogsMatter:       plan.Visible.HideLogs && t.LogsMatter,
	}
}

// Any reports whether anything is left out that matters.
func (o Overlooked) Any() bool { return o != Overlooked{} }

// Or returns what matters by o or p.
func (o Overlooked) Or(p Overlooked) Overlooked {
	return Overlooked{o.Collects || p.Collects, o.GoroutinesMatter || p.GoroutinesMatter, o.AddsMatter || p.AddsMatter, o.LogsMatter || p.LogsMatter}
}
