package race

import "github.com/everyway-go/everyway/internal/run"

// Chains of calls are numbered, so that an access holds the chain that led to it in a
// word. Numbers follow from the program, so they stay from one run to the next, until
// there are too many.

// A callContext is a chain of calls: fn, called from the site in its parent.
type callContext struct {
	parent int32
	site   run.SiteID
	fn     int32

	child, sibling int32 // the last chain made that is one call longer, the next such one of the parent; 0 for none
}

// maxContexts is the number of chains of calls after which numbering begins anew,
// with the next run.
const maxContexts = 1 << 14

func (d *Detector) beginContexts() {
	if n := len(d.contexts); n == 0 || n > maxContexts {
		d.contexts = append(d.contexts[:0], callContext{})
		d.numbering++
	}
}

// Numbering returns the number of the present numbering of contexts. Numbers of others
// are void.
func (d *Detector) Numbering() uint32 { return d.numbering }

// Context returns the number of the chain of calls in which the function numbered fn is
// called from a site of the innermost function of parent. The parent of the first function
// of a goroutine is 0.
func (d *Detector) Context(parent int32, site run.SiteID, fn int32) int32 {
	n := d.contexts[parent].child
	for n != 0 && (d.contexts[n].site != site || d.contexts[n].fn != fn) {
		n = d.contexts[n].sibling
	}
	if n == 0 {
		n = int32(len(d.contexts))
		d.contexts = append(d.contexts, callContext{parent: parent, site: site, fn: fn, sibling: d.contexts[parent].child})
		d.contexts[parent].child = n
	}
	return n
}

// Stack appends the sites of a chain of calls that ends at site, the innermost first. The
// function of each is that of the call.
func (d *Detector) Stack(context int32, site run.SiteID, fn func(fn int32, site run.SiteID)) {
	for c := context; c != 0; c = d.contexts[c].parent {
		ctx := &d.contexts[c]
		fn(ctx.fn, site)
		site = ctx.site
	}
}
