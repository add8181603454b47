package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// Parts are slots of objects, to which more are added.
type Parts struct {
	r     *Result
	slots set
	at    map[ssa.Instruction][]*Object
	alike map[*Object][]*Object
	made  map[*ssa.Function]*typeutil.Map // by underlying type: []*Object
	grown bool
}

// NewParts returns an empty set of parts. Of objects that some functions make it is known only
// which function has made them and of what type they are: they are one, so that what is added of
// one is added of all.
func (r *Result) NewParts(some func(*ssa.Function) bool) *Parts {
	p := &Parts{
		r: r, at: make(map[ssa.Instruction][]*Object), alike: make(map[*Object][]*Object),
		made: make(map[*ssa.Function]*typeutil.Map),
	}
	for _, o := range r.Objects() {
		if o.Instr == nil || o.Kind != Variable && o.Kind != Box && o.Kind != Array && o.Kind != Map {
			continue
		}
		p.at[o.Instr] = append(p.at[o.Instr], o)
		fn := o.Instr.Parent()
		if !some(fn) {
			continue
		}
		if p.made[fn] == nil {
			p.made[fn] = &typeutil.Map{}
		}
		list, _ := p.made[fn].At(o.Type.Underlying()).([]*Object)
		p.made[fn].Set(o.Type.Underlying(), append(list, o))
	}
	for _, of := range p.made {
		of.Iterate(func(_ types.Type, list any) {
			for _, o := range list.([]*Object) {
				p.alike[o] = list.([]*Object)
			}
		})
	}
	return p
}

// Add adds what a pointer may point to.
func (p *Parts) Add(to Pointees) {
	p.addSlots(to.slots)
	if to.unknown {
		for i := range p.r.exposed.All() {
			p.addSlot(int32(i))
		}
	}
	if to.exposed {
		for i := range p.r.unknown.All() {
			p.addSlot(int32(i))
		}
	}
}

func (p *Parts) addSlots(slots set) {
	for slot := range slots.all() {
		p.addSlot(slot)
	}
}

func (p *Parts) addSlot(slot int32) {
	if !p.slots.add(slot) {
		return
	}
	p.grown = true
	o := p.r.s.object(slot)
	for _, other := range p.alike[o] {
		if n := slot - o.base; int(n) < len(other.layout.slots) {
			p.slots.add(other.base + n)
		}
	}
}

// AddAll adds all parts of some objects.
func (p *Parts) AddAll(objects []*Object) {
	for _, o := range objects {
		for i := range o.layout.slots {
			p.addSlot(o.base + int32(i))
		}
	}
}

// Grown reports whether there are more parts than at the last call.
func (p *Parts) Grown() bool {
	is := p.grown
	p.grown = false
	return is
}

// Meet reports whether a pointer may point to one of the parts.
func (p *Parts) Meet(to Pointees) bool {
	return p.slots.meets(to.slots) || to.unknown && p.slots.meetsAny(p.r.exposed) || to.exposed && p.slots.meetsAny(p.r.unknown)
}

// At returns the variables, arrays and maps that an instruction makes.
func (p *Parts) At(instr ssa.Instruction) []*Object { return p.at[instr] }

// Made returns those that one of the functions makes of which no more is known, if they are of a
// type, or arrays with elements of that.
func (p *Parts) Made(by *ssa.Function, t types.Type) []*Object {
	of := p.made[by]
	if of == nil {
		return nil
	}
	list, _ := of.At(t.Underlying()).([]*Object)
	return list
}

// Has reports whether a slot of an object is one of the parts. What comes after the slots that an
// object has shares the last one.
func (p *Parts) Has(o *Object, slot int) bool {
	return p.slots.has(o.base + int32(min(slot, len(o.layout.slots)-1)))
}

// Variable returns the object of a package variable, nil if no code that is reached refers to it.
func (r *Result) Variable(g *ssa.Global) *Object { return r.s.globals[g] }
