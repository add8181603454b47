package stateful

import (
	"cmp"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/portable"
)

// watchAtomics has the first run say which atomic operations need not be steps.
func (s *search) watchAtomics() {
	s.visible.WatchAtomics = s.options.HideAtomics && s.options.ForgetKnowledge && !s.visible.Pauses()
}

// hideAtomics makes the atomic operations hidden of which the first run, which has watched them,
// has not shown that they race. It reports whether there are any, so that the search begins again.
func (s *search) hideAtomics(trace *run.Trace) bool {
	if !s.plan.Visible.WatchAtomics {
		return false
	}
	s.visible.WatchAtomics = false
	if s.finished || !trace.QuietAtomics {
		return false
	}
	s.visible.HideAtomics = true
	strategy.RefineAtomics(&s.visible, trace)
	return true
}

// showAtomics makes all atomic operations visible that are hidden.
func (s *search) showAtomics() {
	s.visible.HideAtomics, s.visible.Atomics, s.visible.WatchAtomics = false, nil, false
}

// encodeAtomics writes which atomic operations are hidden.
func (s *search) encodeAtomics(e *portable.Encoder) {
	v := &s.visible
	e.Bool(v.WatchAtomics)
	e.Bool(v.HideAtomics)
	e.Int(len(v.Atomics))
	for _, at := range slices.SortedFunc(maps.Keys(v.Atomics), func(a, b run.SiteID) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Instr, b.Instr))
	}) {
		name := ""
		if s.options.Sites != nil {
			name, _ = s.options.Sites.Site(at)
		}
		e.String(name)
		e.Int(int(at.Func))
		e.Int(int(at.Instr))
	}
}

// decodeAtomics is the inverse of encodeAtomics.
func (s *search) decodeAtomics(d *portable.Decoder) {
	v := &s.visible
	v.WatchAtomics, v.HideAtomics, v.Atomics = d.Bool(), d.Bool(), nil
	for range d.Count() {
		name, at := d.String(), run.SiteID{Func: int32(d.Int()), Instr: int32(d.Int())}
		if s.options.Sites != nil {
			at = s.options.Sites.SiteOf(name, at.Instr)
		}
		if v.Atomics == nil {
			v.Atomics = map[run.SiteID]bool{}
		}
		v.Atomics[at] = true
	}
}
