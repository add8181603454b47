package initial

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// maxRegions bounds the regions that are told apart, and maxSlots the slots of one whose content
// is. Pointers of others may lead anywhere.
const (
	maxRegions = 1000
	maxSlots   = 1000
)

// pointers finds out where the pointers in the values of functions, and in what these lead to, may
// lead (Bergan 2014, section 2.4.1: two inputs are the same only if the analysis of pointers says
// that they may be).
type pointers struct {
	result  *pointsto.Result
	known   map[string]fragment.Region
	regions []pointsto.Region // number 0 is none
	out     *fragment.Pointers
}

// pointersOf returns it for the functions of some stacks, and for package variables. Used are the
// operations on what goroutines synchronise with, as meetings finds them.
//
// Single says of an object that it stands for one variable.
func pointersOf(result *pointsto.Result, stacks [][]ssa.Instruction, variables []*ssa.Global, used operations, single func(*pointsto.Object) bool) *fragment.Pointers {
	p := &pointers{
		result: result, known: make(map[string]fragment.Region), regions: make([]pointsto.Region, 1),
		out: &fragment.Pointers{Of: make(map[ssa.Value][]fragment.Region)},
	}
	for _, stack := range stacks {
		for _, at := range stack {
			p.function(at.Parent())
		}
	}
	for _, v := range variables {
		p.value(v)
	}
	p.out.Content = append(p.out.Content, nil)
	for i := 1; i < len(p.regions); i++ {
		content := make([]fragment.Region, min(p.regions[i].Slots(), maxSlots))
		for slot := range content {
			if r, ok := p.regions[i].Content(slot); ok {
				content[slot] = p.number(r)
			}
		}
		p.out.Content = append(p.out.Content, content)
	}
	p.out.Channels = channelsOf(result, used, p.regions)
	n := len(p.regions)
	p.out.Single = make([]bool, n)
	for i := 1; i < n; i++ {
		objects := p.regions[i].Objects()
		p.out.Single[i] = len(objects) == 1 && single(objects[0])
	}
	p.out.Meets, p.out.MeetsObject = make([][]bool, n), make([][]bool, n)
	for i := range n {
		p.out.Meets[i], p.out.MeetsObject[i] = make([]bool, n), make([]bool, n)
		for k := 1; k < n && i > 0; k++ {
			p.out.Meets[i][k] = p.regions[i].Meets(p.regions[k])
			p.out.MeetsObject[i][k] = p.out.Meets[i][k] || p.regions[i].MeetsObject(p.regions[k])
		}
	}
	return p.out
}

// function notes the values of a function.
func (p *pointers) function(fn *ssa.Function) {
	for _, v := range fn.Params {
		p.value(v)
	}
	for _, v := range fn.FreeVars {
		p.value(v)
	}
	anyOf(fn, func(instr ssa.Instruction) bool {
		if v, ok := instr.(ssa.Value); ok {
			p.value(v)
		}
		return false
	})
}

// value notes where a value leads.
func (p *pointers) value(v ssa.Value) {
	list := make([]fragment.Region, slotsOf(v.Type()))
	some := false
	for slot := range list {
		if r, ok := p.result.Region(v, slot); ok {
			list[slot], some = p.number(r), true
		}
	}
	if some {
		p.out.Of[v] = list
	}
}

// number returns the number of a region.
func (p *pointers) number(r pointsto.Region) fragment.Region {
	key := r.Key()
	n, ok := p.known[key]
	if !ok {
		if len(p.regions) == maxRegions {
			return 0
		}
		n = fragment.Region(len(p.regions))
		p.known[key] = n
		p.regions = append(p.regions, r)
	}
	return n
}

// slotsOf returns the number of slots of a type, at most maxSlots.
func slotsOf(t types.Type) int {
	n := 0
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			n += slotsOf(f.Type())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			n += slotsOf(v.Type())
		}
	case *types.Array:
		return slotsOf(t.Elem())
	}
	return min(max(n, 1), maxSlots)
}
