package check

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
)

// A Finding is something wrong with a run.
type Finding struct {
	Kind           Kind
	Message        string
	run.StackTrace           // of what is to blame, or of the first of several
	Test           string    // in which it is, if the test itself says so: TestA or TestA/sub
	Again          bool      // a failure that says nothing new of a test that has failed before, unless that is accepted
	Others         []Finding // the other access of a race, the other goroutines of a deadlock, …
}

// All returns a sequence of the finding and its Others.
func (f *Finding) All() iter.Seq[*Finding] {
	return func(yield func(*Finding) bool) {
		if !yield(f) {
			return
		}
		for i := range f.Others {
			if !yield(&f.Others[i]) {
				return
			}
		}
	}
}

// A Kind is a kind of finding, by the name that reports and run files have for it.
type Kind string

// A Key identifies a finding across the runs of a search: two findings with
// equal keys are the same bug. Messages are not part of it, as they hold values
// that differ from input to input.
type Key struct {
	Kind        Kind
	Site, Other run.SiteID
	places      string // of all goroutines, in order, if they remain or are more than two
}

// KeyOf returns the key of a finding. The places of a symmetric finding are ordered, so
// that it does not matter which of the accesses of a race came first. Of goroutines that remain,
// only the places count, and not which of them is the first, or how many there are.
func KeyOf(f *Finding) Key {
	if Of(f.Kind).AfterReturn {
		return Key{Kind: f.Kind, places: placesOf(f)}
	}
	k := Key{Kind: f.Kind, Site: f.Site}
	if len(f.Others) == 0 {
		return k
	}
	if len(f.Others) > 1 {
		k.places = placesOf(f)
	}
	k.Other = f.Others[0].Site
	if Of(f.Kind).Symmetric && compareSites(k.Other, k.Site) < 0 {
		k.Site, k.Other = k.Other, k.Site
	}
	return k
}

// placesOf lists the different places of a finding, in order.
func placesOf(f *Finding) string {
	var places []string
	for one := range f.All() {
		places = append(places, fmt.Sprintf("%d.%d", one.Site.Func, one.Site.Instr))
	}
	slices.Sort(places)
	return strings.Join(slices.Compact(places), " ")
}

// Shows reports whether a run with a finding that has key k shows the one with the other key, too: in a deadlock, more
// goroutines than the first two may wait, and where goroutines remain, there may be more of them at other places.
func (k Key) Shows(other Key) bool {
	if k.Kind != other.Kind || k.Site != other.Site || k.Other != other.Other {
		return false
	}
	if !Of(k.Kind).AfterReturn {
		return true
	}
	places := strings.Fields(k.places)
	for place := range strings.FieldsSeq(other.places) {
		if !slices.Contains(places, place) {
			return false
		}
	}
	return true
}

func compareSites(a, b run.SiteID) int {
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Instr, b.Instr))
}

// together makes one finding of those of several goroutines.
func together(fs []Finding) []Finding {
	if len(fs) == 0 {
		return nil
	}
	fs[0].Others = fs[1:]
	return fs[:1]
}
