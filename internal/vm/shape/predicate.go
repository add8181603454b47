package shape

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A predicate that changes what it looks at, by marks that it leaves in a structure, say, decides
// about one structure and leaves another one to the test. Whether objects have changed is seen when
// [Assumed] is called: it compares them with what they were when they became inputs. That it was
// the predicate is seen in its code, which has a store to such a field.

// A store is one to a field in the code of a predicate.
type store struct {
	of    types.Type // the struct
	field int        // -1 for all of them
	fn    *ssa.Function
	pos   token.Pos
}

// contents are what an object had when it was compared.
type contents struct {
	words []heap.Word
	syms  []expr.ID
}

// contentsOf returns the contents of a variable.
func contentsOf(o *object) contents {
	c := contents{words: make([]heap.Word, o.typ.Words), syms: make([]expr.ID, o.typ.Words)}
	o.Load(c.words, 0)
	copy(c.syms, o.ShadowAt(0, o.typ.Words))
	return c
}

// Assumed is called by sym.Assume, in the frame of the function that has called it. If the
// predicates in that function's calls of sym.Assume have changed an object of the input, the search
// gives up that they decide about what the test works on.
func Assumed(m *exec.Interpreter, g *state.Goroutine) {
	if h, ok := m.InputHeap.(*Heap); !ok || len(h.objects) == 0 || len(g.Frames) < 2 {
		return
	}
	h := Of(m)
	stores := h.predicateStores(g.Frames[len(g.Frames)-2].Func.SSA)
	for _, o := range h.objects {
		if o.ref {
			continue
		}
		now := contentsOf(o)
		if o.was.words == nil {
			o.was = now
			continue
		}
		for i := range now.words {
			if now.words[i] == o.was.words[i] && now.syms[i] == o.was.syms[i] {
				continue
			}
			for _, s := range stores {
				if name, ok := s.reaches(o.typ, i); ok {
					h.m.GiveUpAt(h.site(s), fmt.Sprintf("a predicate of sym.Assume changes its argument: %s; let it keep what it notes in variables of its own", name))
				}
			}
		}
		o.was = now
	}
}

// site returns the place of a store.
func (h *Heap) site(s store) run.SiteID {
	fn := h.m.Link(s.fn)
	return run.SiteID{Func: fn.ID, Instr: int32(max(0, slices.Index(fn.Pos, s.pos)))}
}

// reaches reports whether a store can be one to a cell of a value of type t, and returns the name of the field.
func (s store) reaches(t *code.Type, cell int) (name string, ok bool) {
	switch t.Shape {
	case code.ShapeArray:
		if t.Elem.Words > 0 {
			return s.reaches(t.Elem, cell%t.Elem.Words)
		}
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if cell < f.Offset || cell >= f.Offset+f.Type.Words {
				continue
			}
			if types.Identical(s.of, t.Go) && (s.field < 0 || s.field == i) {
				return t.String() + "." + f.Name, true
			}
			return s.reaches(f.Type, cell-f.Offset)
		}
	}
	return "", false
}

// predicateStores returns the stores in the functions that a function calls to find out what it passes to sym.Assume.
func (h *Heap) predicateStores(fn *ssa.Function) []store {
	if list, ok := h.stores[fn]; ok || fn == nil {
		return list
	}
	p := predicates{standard: h.m.Program.Standard, seen: map[any]bool{}}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(*ssa.Call); ok && isAssume(call.Call.StaticCallee()) {
				p.value(call.Call.Args[1])
			}
		}
	}
	h.stores[fn] = p.stores
	return p.stores
}

func isAssume(fn *ssa.Function) bool {
	return fn != nil && fn.Name() == "Assume" && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "github.com/everyway-go/everyway/sym"
}

// predicates finds the stores of predicates.
type predicates struct {
	standard func(*types.Package) bool
	seen     map[any]bool
	stores   []store
}

// value finds those in the calls on which a value depends.
func (p *predicates) value(v ssa.Value) {
	if p.seen[v] {
		return
	}
	p.seen[v] = true
	switch v := v.(type) {
	case *ssa.Call:
		p.function(v.Call.StaticCallee())
	case *ssa.UnOp:
		p.value(v.X)
	case *ssa.BinOp:
		p.value(v.X)
		p.value(v.Y)
	case *ssa.Extract:
		p.value(v.Tuple)
	case *ssa.Phi: // of && and ||
		for i, e := range v.Edges {
			p.value(e)
			from := v.Block().Preds[i]
			if branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok {
				p.value(branch.Cond)
			}
		}
	}
}

// function finds those in a function and in what it calls. A function of which there is no code yet
// has not been called.
func (p *predicates) function(fn *ssa.Function) {
	if fn == nil || p.seen[fn] || fn.Pkg != nil && p.standard(fn.Pkg.Pkg) {
		return
	}
	p.seen[fn] = true
	for _, inner := range fn.AnonFuncs {
		p.function(inner)
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case ssa.CallInstruction:
				p.function(i.Common().StaticCallee())
			case *ssa.Store:
				p.store(fn, i)
			}
		}
	}
}

// store notes the fields that a store can change.
func (p *predicates) store(fn *ssa.Function, s *ssa.Store) {
	for addr := s.Addr; ; {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			p.stores = append(p.stores, store{a.X.Type().Underlying().(*types.Pointer).Elem(), a.Field, fn, s.Pos()})
			addr = a.X
			continue
		case *ssa.IndexAddr:
			addr = a.X
			continue
		case *ssa.Alloc:
			return
		}
		if t, ok := addr.Type().Underlying().(*types.Pointer); ok && addr == s.Addr {
			p.stores = append(p.stores, store{t.Elem(), -1, fn, s.Pos()})
		}
		return
	}
}
