package strategy

import (
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// Refine makes visible the sites of the races in a trace, what goroutines hold on to if there was a
// collection, how many goroutines there are if the program has seen that, and logs if they matter.
// It reports whether any of that was not visible: then a search that looks at every interleaving
// begins again. Plans that refer to what was visible before do not change.
func Refine(visible *run.Visible, trace *run.Trace) bool {
	again := false
	show := func(object run.ObjectID) {
		if visible.Objects[object] {
			return
		}
		objects := maps.Clone(visible.Objects)
		if objects == nil {
			objects = map[run.ObjectID]bool{}
		}
		objects[object] = true
		visible.Objects, again = objects, true
	}
	if trace.Collected {
		show(run.CollectorObject)
	}
	if trace.GoroutinesMatter {
		show(run.GoroutinesObject)
	}
	if visible.HideLogs && trace.LogsMatter {
		visible.HideLogs, again = false, true
	}
	var fresh []run.SiteID
	note := func(site run.SiteID) {
		if !visible.Sites[site] {
			fresh = append(fresh, site)
		}
	}
	for i := range trace.Unordered {
		note(trace.Unordered[i].Earlier.Innermost())
		note(trace.Unordered[i].Later.Innermost())
	}
	if len(fresh) == 0 {
		return again
	}
	sites := maps.Clone(visible.Sites)
	if sites == nil {
		sites = map[run.SiteID]bool{}
	}
	for _, site := range fresh {
		sites[site] = true
	}
	visible.Sites = sites
	return true
}

// RefineAtomics makes atomic operations visible that are hidden, where a trace shows that nothing
// orders them with what they depend on, or what depends on them. It reports whether there were any:
// then a search begins again, as with Refine.
func RefineAtomics(visible *run.Visible, trace *run.Trace) bool {
	if !visible.HideAtomics || !slices.ContainsFunc(trace.Atomics, func(at run.SiteID) bool { return !visible.Atomics[at] }) {
		return false
	}
	sites := maps.Clone(visible.Atomics)
	if sites == nil {
		sites = map[run.SiteID]bool{}
	}
	for _, at := range trace.Atomics {
		sites[at] = true
	}
	visible.Atomics = sites
	return true
}
