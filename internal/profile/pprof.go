package profile

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/google/pprof/profile"
)

// Period is the number of instructions between two samples. It is prime, so that it is in no
// step with the loops of a program.
const Period = 1009

// A Target is a target with the profile of its search.
type Target struct {
	Package, Name string
	Profile       Profile
}

// A File is what [Write] writes.
type File struct {
	Targets  []Target
	Comments []string
	Began    time.Time     // of the searches; zero if that is not to be said
	Elapsed  time.Duration // since then
}

// Write writes profiles for go tool pprof: in the format of package github.com/google/pprof/profile, compressed.
// Each sample has the labels package and target, activity, and departs if it is of a run.
func Write(w io.Writer, f *File) error {
	b := builder{
		to: &profile.Profile{
			SampleType: []*profile.ValueType{
				{Type: "runs", Unit: "count"},
				{Type: "steps", Unit: "count"},
				{Type: "instructions", Unit: "count"},
				{Type: "queries", Unit: "count"},
				{Type: "solver", Unit: "nanoseconds"},
				{Type: "time", Unit: "nanoseconds"},
			},
			DefaultSampleType: "runs",
			PeriodType:        &profile.ValueType{Type: "instructions", Unit: "count"},
			Period:            Period,
			Comments:          f.Comments,
			DurationNanos:     int64(f.Elapsed),
			// With a mapping that has all names, pprof looks for no binary.
			Mapping: []*profile.Mapping{{ID: 1, HasFunctions: true, HasFilenames: true, HasLineNumbers: true}},
		},
		functions: map[functionKey]*profile.Function{},
		locations: map[Frame]*profile.Location{},
	}
	if !f.Began.IsZero() {
		b.to.TimeNanos = f.Began.UnixNano()
	}
	for i := range f.Targets {
		t := &f.Targets[i]
		for _, at := range slices.Sorted(maps.Keys(t.Profile)) {
			b.add(t, at, t.Profile[at])
		}
	}
	if err := b.to.CheckValid(); err != nil {
		return fmt.Errorf("making a profile: %w", err)
	}
	return b.to.Write(w)
}

// A builder makes a profile.
type builder struct {
	to        *profile.Profile
	functions map[functionKey]*profile.Function
	locations map[Frame]*profile.Location
}

type functionKey struct{ name, file string }

// add adds a sample.
func (b *builder) add(t *Target, at Place, c Costs) {
	activity, departs, stack := at.Parts()
	s := &profile.Sample{
		Value: []int64{c.Runs, c.Steps, c.Instructions, c.Queries, int64(c.Solver), int64(c.Time)},
		Label: map[string][]string{"package": {t.Package}, "target": {t.Name}, "activity": {string(activity)}},
	}
	if departs != "" {
		s.Label["departs"] = []string{string(departs)}
	}
	for _, f := range stack {
		s.Location = append(s.Location, b.location(f))
	}
	b.to.Sample = append(b.to.Sample, s)
}

// location returns the location of a frame.
func (b *builder) location(f Frame) *profile.Location {
	if l := b.locations[f]; l != nil {
		return l
	}
	key := functionKey{f.Func, f.File}
	fn := b.functions[key]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(b.to.Function) + 1), Name: f.Func, SystemName: f.Func, Filename: f.File}
		b.to.Function = append(b.to.Function, fn)
		b.functions[key] = fn
	}
	l := &profile.Location{
		ID: uint64(len(b.to.Location) + 1), Mapping: b.to.Mapping[0],
		Line: []profile.Line{{Function: fn, Line: int64(f.Line)}},
	}
	b.to.Location = append(b.to.Location, l)
	b.locations[f] = l
	return l
}
