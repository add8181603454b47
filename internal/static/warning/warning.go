package warning

import (
	"cmp"
	"context"
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/escape"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// A Warning is something that may go wrong when goroutines are at its places at the same time, a different one at each.
type Warning struct {
	Places  []Place
	Message string // what may go wrong, without the places
	Rank    int    // how likely that is: those of rank 0 are the likeliest
}

// A Place is a line, with those of its instructions that are meant.
type Place struct {
	Instrs []ssa.Instruction
	Pos    token.Position
}

// A Report has the warnings of one kind.
type Report struct {
	Warnings []Warning
	Locked   int  // number of pairs of lines that are none because of a lock that is held at both
	Partial  bool // there may be more: a bound was reached
}

// A Finder finds warnings in a program.
type Finder struct {
	Fset     *token.FileSet
	Own      []*callgraph.Node // the functions to look at
	Calls    *callgraph.Graph  // which is narrowed
	Pointers *pointsto.Result
	Locks    *lockset.Result
	Shared   *escape.Result
	Control  func(fn *ssa.Function) *control.Graph

	live    map[*callgraph.Node]bool // see reached
	started map[*callgraph.Node]bool // what goroutines call
	spawns  map[*callgraph.Node]bool // what starts goroutines

	inherited inheritance // see inherit
}

// place returns the place of instructions of one line.
func (f *Finder) place(instrs ...ssa.Instruction) Place {
	return Place{Instrs: instrs, Pos: f.line(instrs[0])}
}

// line returns the position of an instruction, or of one nearby.
func (f *Finder) line(instr ssa.Instruction) token.Position {
	pos := instr.Pos()
	if call, ok := instr.(ssa.CallInstruction); ok {
		pos = call.Common().Pos()
	}
	if store, ok := instr.(*ssa.Store); ok && !pos.IsValid() {
		pos = store.Addr.Pos()
	}
	if !pos.IsValid() {
		for _, v := range instr.Operands(nil) {
			if *v != nil && (*v).Pos().IsValid() && (*v).Parent() == instr.Parent() {
				pos = (*v).Pos()
				break
			}
		}
	}
	if !pos.IsValid() {
		pos = instr.Parent().Pos()
	}
	return f.Fset.Position(pos)
}

// instrs calls visit with the instructions of the functions to look at, and ends with the context.
func (f *Finder) instrs(ctx context.Context, visit func(n *callgraph.Node, instr ssa.Instruction)) error {
	for _, n := range f.Own {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !f.live[n] {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				visit(n, instr)
			}
		}
	}
	return nil
}

// before reports whether no goroutine has been started by its function when an instruction is carried out.
func (f *Finder) before(n *callgraph.Node, instr ssa.Instruction) bool {
	flow := f.Control(n.Body)
	at := flow.At(instr)
	if at == nil {
		return false
	}
	// Backwards along the control flow.
	seen := map[*control.Node]bool{}
	spawning := func(instrs []ssa.Instruction) bool { return slices.ContainsFunc(instrs, f.mayStart) }
	if i := slices.Index(at.Instrs, instr); spawning(at.Instrs[:i]) {
		return false
	}
	for work := slices.Clone(at.Preds); len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if spawning(v.Instrs) {
			return false
		}
		work = append(work, v.Preds...)
	}
	return true
}

// mayStart reports whether an instruction may start a goroutine.
func (f *Finder) mayStart(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if _, ok := call.(*ssa.Go); ok {
		return true
	}
	s := f.Calls.Of(instr.Parent()).SiteOf(call)
	return s != nil && slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return f.spawns[c] })
}

// A lines has warnings by the lines of their places: those of one pair of lines are one.
type lines struct {
	list []Warning
	at   map[string]int
}

// add adds a warning. Its places are in the order of their positions, so that a pair is one however it was found.
func (l *lines) add(w Warning) {
	if len(w.Places) == 2 && comparePositions(w.Places[1].Pos, w.Places[0].Pos) < 0 {
		w.Places[0], w.Places[1] = w.Places[1], w.Places[0]
	}
	key := ""
	for _, p := range w.Places {
		key += p.Pos.Filename + ":" + strconv.Itoa(p.Pos.Line) + " "
	}
	if l.at == nil {
		l.at = make(map[string]int)
	}
	i, ok := l.at[key]
	if !ok {
		l.at[key] = len(l.list)
		l.list = append(l.list, w)
		return
	}
	for k := range w.Places {
		for _, instr := range w.Places[k].Instrs {
			if was := &l.list[i].Places[k]; !slices.Contains(was.Instrs, instr) {
				was.Instrs = append(was.Instrs, instr)
			}
		}
	}
}

// sorted returns the warnings in the order of their places.
func (l *lines) sorted() []Warning {
	slices.SortStableFunc(l.list, func(a, b Warning) int {
		return slices.CompareFunc(a.Places, b.Places, func(a, b Place) int { return comparePositions(a.Pos, b.Pos) })
	})
	return l.list
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line))
}
