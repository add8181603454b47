package conflict

import (
	"errors"
	"iter"
	"regexp"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
)

func seeds(all, usual, short int) (list []uint64) {
	for seed := range sample.Of(all, usual, short) {
		list = append(list, uint64(seed))
	}
	return list
}

func report(t *testing.T, r *suite.Results) {
	t.Helper()
	for _, d := range r.Differences {
		t.Errorf("%s\n%s", d.What, d.Source)
	}
	t.Logf("%d of %d programs compared, %d runs", r.Compared, r.Programs, r.Runs)
	for reason, n := range r.Left {
		t.Logf("%d: %s", n, reason)
	}
}

// TestVerdicts compares the verdicts on programs with what is known of them.
func TestVerdicts(t *testing.T) {
	r, err := Compare(t.Context(), seeds(300, 100, 20))
	if err != nil {
		t.Fatal(err)
	}
	report(t, r)
	if r.Compared < r.Programs*9/10 {
		t.Errorf("only %d of %d programs were compared", r.Compared, r.Programs)
	}
}

// TestRaceDetector compares what is known of the programs with what Go's race detector
// finds.
func TestRaceDetector(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary with the race detector")
	}
	r, err := Native(t.Context(), seeds(300, 100, 0), 20)
	if errors.Is(err, ErrNoDetector) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	report(t, r)
}

// TestEveryForm compares the verdict on each form, without anything wrong or beside it.
func TestEveryForm(t *testing.T) {
	var programs []*Program
	list := slices.Collect(formsOf())
	for _, f := range sample.From(list, len(list), 20) {
		programs = append(programs, plain(&f))
	}
	r, err := compare(t.Context(), programs)
	if err != nil {
		t.Fatal(err)
	}
	report(t, r)
}

// formsOf yields all forms, those with atomics only now and then.
func formsOf() iter.Seq[form] {
	return func(yield func(form) bool) {
		list := forms()
		few := len(list) - len(atomics()) - len(mapForms())
		for i, f := range list {
			if (i < few || i%sample.Size(3, 10, 40) == 0) && !yield(f) {
				return
			}
		}
	}
}

// TestForms checks that the forms have names of their own, and that programs are made of
// each of them.
func TestForms(t *testing.T) {
	names := map[string]bool{}
	for _, f := range forms() {
		if names[f.name] {
			t.Errorf("two forms are named %q", f.name)
		}
		names[f.name] = true
	}
	mistake := regexp.MustCompile(", the (first too late|second too early)$")
	for seed := uint64(0); seed < 20_000 && len(names) > 0; seed++ {
		g := newGenerator(seed)
		g.draw()
		for _, what := range g.what {
			delete(names, mistake.ReplaceAllString(what, ""))
		}
	}
	for name := range names {
		t.Errorf("no program is made of the form %q", name)
	}
	if !slices.ContainsFunc(forms(), func(f form) bool { return f.fixed && f.ordered }) {
		t.Error("no form is fixed")
	}
}
