package lockset

import (
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A state is what is held at a place. Almost all of its sets are empty, and then they are nil.
type state struct {
	may  bitset.Set // acquisitions
	old  bitset.Set // those among them whose path, if it is in this function, names another lock by now
	must paths
	// freed are locks of the caller that have certainly been released since the entry.
	freed paths
	// deferred are the sites whose calls may have been deferred.
	deferred deferrals
	reached  bool
}

func (s state) clone() state {
	return state{
		may: slices.Clone(s.may), old: slices.Clone(s.old), must: slices.Clone(s.must), freed: slices.Clone(s.freed),
		deferred: slices.Clone(s.deferred), reached: s.reached,
	}
}

// join adds what is held in another state, on another way to the same place, and reports whether that changes s.
func (s *state) join(t state) bool {
	if !t.reached {
		return false
	}
	if !s.reached {
		*s = t.clone()
		return true
	}
	changed := addAll(&s.may, t.may)
	changed = addAll(&s.old, t.old) || changed
	changed = s.must.removeIf(func(p int32) bool { return !t.must.has(p) }) || changed
	changed = s.freed.removeIf(func(p int32) bool { return !t.freed.has(p) }) || changed
	return s.deferred.join(t.deferred) || changed
}

// addAll adds the members of t to s and reports whether that changes it.
func addAll(s *bitset.Set, t bitset.Set) bool {
	changed := false
	for i := range t.Without(*s) {
		s.Grow(i + 1)
		s.Add(i)
		changed = true
	}
	return changed
}

// A deferral is a site whose call may have been deferred, or certainly has.
type deferral struct {
	site *callgraph.Site
	sure bool
}

// deferrals has at most one for each site. They are few.
type deferrals []deferral

func (d deferrals) of(site *callgraph.Site) (sure, ok bool) {
	for _, x := range d {
		if x.site == site {
			return x.sure, true
		}
	}
	return false, false
}

// add sets what is known of a site.
func (d *deferrals) add(site *callgraph.Site, sure bool) {
	for i := range *d {
		if (*d)[i].site == site {
			(*d)[i].sure = sure
			return
		}
	}
	*d = append(*d, deferral{site, sure})
}

// join adds what is deferred on another way, and reports whether that changes d.
func (d *deferrals) join(t deferrals) bool {
	changed := false
	for i, x := range *d {
		if sure, _ := t.of(x.site); x.sure && !sure {
			(*d)[i].sure = false
			changed = true
		}
	}
	for _, x := range t {
		if _, ok := d.of(x.site); !ok {
			*d = append(*d, deferral{x.site, false})
			changed = true
		}
	}
	return changed
}
