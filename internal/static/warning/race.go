package warning

import (
	"context"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// An access reads or writes memory, or a map.
type access struct {
	instr ssa.Instruction
	addr  ssa.Value
	write bool
	moved bool             // it runs in a goroutine that another one has started
	held  []pointsto.Label // locks
}

// maxPairs is how many pairs of accesses are compared: of an object that everything uses there are
// billions, and few are worth a look.
const maxPairs = 1 << 22

// Races returns pairs of accesses that may race.
func (f *Finder) Races(ctx context.Context) (Report, error) {
	f.prepare()
	f.inherit()
	by := make(map[*pointsto.Object][]*access)
	var objects []*pointsto.Object
	var in *callgraph.Node
	var throughout []pointsto.Label // the locks that are held in all of it
	err := f.instrs(ctx, func(n *callgraph.Node, instr ssa.Instruction) {
		if n != in {
			in, throughout = n, slices.Collect(maps.Keys(f.inheritedBy(n))) // of which it makes no difference in which order they are
		}
		for _, a := range accesses(instr) {
			a.moved = f.started[n]
			var of []*pointsto.Object
			for _, l := range f.Pointers.Of(a.addr) {
				if f.Shared.Shared(l.Object) && !slices.Contains(of, l.Object) {
					of = append(of, l.Object)
				}
			}
			if len(of) == 0 {
				continue
			}
			for _, p := range f.Locks.Must(instr) {
				a.held = append(a.held, f.Locks.Labels(p)...)
			}
			a.held = append(a.held, throughout...)
			early := f.before(n, instr)
			for _, o := range of {
				if early && (o.Instr != nil && o.Instr.Parent() == instr.Parent() || o.Global != nil && !a.moved) {
					continue // the object is being made, or no goroutine has been started yet
				}
				if by[o] == nil {
					objects = append(objects, o)
				}
				by[o] = append(by[o], a)
			}
		}
	})
	if err != nil {
		return Report{}, err
	}
	var racing, excluded lines
	pairs := 0
	for _, o := range objects {
		for i, a := range by[o] {
			if err := ctx.Err(); err != nil {
				return Report{}, err
			}
			if pairs > maxPairs {
				break
			}
			for _, b := range by[o][i:] {
				if !a.write && !b.write || !a.moved && !b.moved {
					continue
				}
				if pairs++; !f.meet(a, b) {
					continue
				}
				w := Warning{Places: []Place{f.place(a.instr), f.place(b.instr)}, Message: "access " + name(o)}
				if f.haveCommon(a, b) {
					excluded.add(w)
				} else {
					racing.add(w)
				}
			}
		}
	}
	r := Report{Warnings: racing.sorted(), Partial: pairs > maxPairs}
	for key := range excluded.at {
		if _, ok := racing.at[key]; !ok {
			r.Locked++
		}
	}
	return r, nil
}

// accesses returns the accesses of an instruction that are not atomic.
func accesses(instr ssa.Instruction) (list []*access) {
	if addr := reaching.Read(instr); addr != nil {
		list = append(list, &access{instr: instr, addr: addr})
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		list = append(list, &access{instr: instr, addr: instr.Addr, write: true})
	case *ssa.MapUpdate:
		list = append(list, &access{instr: instr, addr: instr.Map, write: true})
	case *ssa.Call:
		b, ok := instr.Call.Value.(*ssa.Builtin)
		if !ok {
			break
		}
		args := instr.Call.Args
		switch b.Name() {
		case "delete", "clear":
			list = append(list, &access{instr: instr, addr: args[0], write: true})
		case "copy", "append":
			if b.Name() == "copy" {
				list = append(list, &access{instr: instr, addr: args[0], write: true})
			}
			if _, ok := args[1].Type().Underlying().(*types.Slice); ok {
				list = append(list, &access{instr: instr, addr: args[1]})
			}
		case "len":
			if _, ok := args[0].Type().Underlying().(*types.Map); ok {
				list = append(list, &access{instr: instr, addr: args[0]})
			}
		}
	}
	return list
}

// meet reports whether two accesses may be to the same part of an object.
func (f *Finder) meet(a, b *access) bool {
	return f.Pointers.Pointees(a.addr).May(f.Pointers.Pointees(b.addr))
}

// haveCommon reports whether a lock is held at both of two accesses that may be the same.
func (f *Finder) haveCommon(a, b *access) bool {
	return slices.ContainsFunc(a.held, func(l pointsto.Label) bool { return slices.Contains(b.held, l) })
}

// name names an object for people.
func name(o *pointsto.Object) string {
	if o.Global != nil {
		return o.Global.Name()
	}
	if alloc, ok := o.Instr.(*ssa.Alloc); ok && alloc.Comment != "" && alloc.Comment != "complit" && alloc.Comment != "new" {
		return alloc.Comment
	}
	return types.TypeString(o.Type, func(p *types.Package) string { return p.Name() })
}
