package race

import "github.com/everyway-go/everyway/internal/run"

// Call chains are numbered, so that an access can refer to the one that led to it by a
// single word. They are kept from one run to the next, since runs of a program have most
// of them in common, until there are too many.

// A callContext is a call chain: fn, called at site in the chain parent. The chains form
// a tree.
type callContext struct {
	parent int32
	site   run.SiteID
	fn     int32

	// child is the newest chain that is one call longer than this one, and sibling the
	// next older one with the same parent; 0 if there is none.
	child, sibling int32
}

// maxContexts is the number of call chains after which the next run starts a new
// numbering.
const maxContexts = 1 << 14

// beginContexts makes d ready to number the call chains of a run.
func (d *Detector) beginContexts() {
	if n := len(d.contexts); n == 0 || n > maxContexts {
		d.contexts = append(d.contexts[:0], callContext{})
		d.numbering++
	}
}

// Numbering identifies the current numbering of contexts. Numbers that were returned by
// Context under another numbering are not valid any more.
func (d *Detector) Numbering() uint32 { return d.numbering }

// Context returns the number of the call chain in which the function numbered fn is
// called at site, in the innermost function of the chain parent. The parent of the first
// function of a goroutine is 0.
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

// Site returns the place of an access in the program. The chain that has led to it is of the current numbering.
func (d *Detector) Site(a *Access) run.SiteID {
	return run.SiteID{Func: d.contexts[a.Context()].fn, Instr: a.instr()}
}

// Stack calls fn for each function of a call chain, innermost first, with the number of
// the function and the site at which it is: that of the access for the innermost function,
// and that of the call for the others.
func (d *Detector) Stack(context int32, site run.SiteID, fn func(fn int32, site run.SiteID)) {
	for c := context; c != 0; c = d.contexts[c].parent {
		ctx := &d.contexts[c]
		fn(ctx.fn, site)
		site = ctx.site
	}
}
