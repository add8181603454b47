package strategy

import (
	"maps"

	"github.com/everyway-go/everyway/internal/run"
)

// Refine makes visible the sites of the races in a trace, what goroutines hold on to if there
// was a collection, and logs if they matter. It reports whether any of that was not visible: then a search that looks at
// every interleaving begins again. Plans that refer to what was visible before do not change.
func Refine(visible *run.Visible, trace *run.Trace) bool {
	again := trace.Collected && !visible.Objects[run.CollectorObject]
	if again {
		objects := maps.Clone(visible.Objects)
		if objects == nil {
			objects = map[run.ObjectID]bool{}
		}
		objects[run.CollectorObject] = true
		visible.Objects = objects
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
