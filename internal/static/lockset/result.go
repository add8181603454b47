package lockset

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// An Acquisition is a call that locks.
type Acquisition struct {
	Site  *callgraph.Site
	Locks []pointsto.Label // which it may be of
}

// May returns the acquisitions that may be in force just before instr is executed: the lock is
// held. They are in the order of the call graph.
func (r *Result) May(instr ssa.Instruction) []Acquisition {
	var list []Acquisition
	for i := range r.before(instr).may.All() {
		list = append(list, r.acquisition(i))
	}
	return list
}

func (r *Result) acquisition(i int) Acquisition {
	a := r.acquisitions[i]
	if a.path.Root == nil {
		return Acquisition{a.site, r.pointers.Receivers(a.addr)}
	}
	return Acquisition{a.site, r.pointers.Of(a.addr)}
}

// Releases returns the locks that a function, or one that it calls, may unlock.
func (r *Result) Releases(n *callgraph.Node) []pointsto.Label {
	var list []pointsto.Label
	for i := range r.funcs[n.ID].released.All() {
		of := r.ends[i]
		labels := r.pointers.Of(of.addr)
		if of.path.Root == nil {
			labels = r.pointers.Receivers(of.addr)
		}
		for _, l := range labels {
			if !slices.Contains(list, l) {
				list = append(list, l)
			}
		}
	}
	return list
}

// Must returns the locks that are held just before instr is executed, whatever has happened.
func (r *Result) Must(instr ssa.Instruction) []Path {
	var list []Path
	for _, p := range r.before(instr).must {
		list = append(list, r.paths.list[p])
	}
	slices.SortFunc(list, func(a, b Path) int {
		return cmp.Or(strings.Compare(a.Root.Name(), b.Root.Name()), strings.Compare(a.Fields, b.Fields))
	})
	return list
}

// Labels returns what the address of a lock may point to.
func (r *Result) Labels(p Path) []pointsto.Label { return r.pointers.OfField(p.Root, p.FieldNumbers()) }

// Acquisitions returns all of them, in the order of the call graph.
func (r *Result) Acquisitions() []Acquisition {
	list := make([]Acquisition, len(r.acquisitions))
	for i := range list {
		list[i] = r.acquisition(i)
	}
	return list
}

// before returns what is held before an instruction.
func (r *Result) before(instr ssa.Instruction) state {
	n := r.graph.Of(instr.Parent())
	if n == nil {
		return state{}
	}
	f := &r.funcs[n.ID]
	if f.states == nil {
		return f.entry
	}
	return r.beforeIn(n, f.entry, f.states, instr)
}

// beforeIn is before for a function of which it is known what is held when it is called, and at the
// beginning of its nodes.
func (r *Result) beforeIn(n *callgraph.Node, entry state, states []state, instr ssa.Instruction) state {
	v := r.flow(n.Body).At(instr)
	if v == nil || !states[v.ID].reached {
		return state{}
	}
	now := states[v.ID].clone()
	for _, other := range v.Instrs {
		if other == instr {
			break
		}
		r.step(n, entry, &now, other, nil)
	}
	return now
}

// Print writes what is held in a function, wherever that changes.
func (r *Result) Print(w io.Writer, n *callgraph.Node) (int64, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", n.Name)
	last := ""
	if n.Body != nil {
		for _, v := range r.flow(n.Body).Nodes {
			for _, instr := range v.Instrs {
				var may, must []string
				for _, a := range r.May(instr) {
					for _, l := range a.Locks {
						may = append(may, l.String())
					}
				}
				for _, p := range r.Must(instr) {
					must = append(must, p.String())
				}
				slices.Sort(may)
				held := fmt.Sprintf("may hold [%s], must hold [%s]", strings.Join(slices.Compact(may), ", "), strings.Join(must, ", "))
				if held != last && instr.Pos().IsValid() {
					fmt.Fprintf(&out, "\tline %d: %s\n", n.Body.Prog.Fset.Position(instr.Pos()).Line, held)
					last = held
				}
			}
		}
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}
