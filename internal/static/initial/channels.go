package initial

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/closing"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// operations are those on channels, of the whole program and from a context on.
type operations struct {
	all  []ssa.Instruction
	from map[ssa.Instruction]bool
}

// channelOperations returns the operations on channels of a program.
func channelOperations(g *callgraph.Graph) (list []ssa.Instruction) {
	for _, n := range g.Nodes {
		if n.Body != nil {
			list = append(list, channelOperationsIn(n)...)
		}
	}
	return list
}

func channelOperationsIn(n *callgraph.Node) (list []ssa.Instruction) {
	anyOf(n.Body, func(instr ssa.Instruction) bool {
		if len(channelsIn(instr)) > 0 {
			list = append(list, instr)
		}
		return false
	})
	return list
}

// operationsFrom returns the operations of a program, and which of them are executed from a context on.
func (v *Variables) operationsFrom(stacks [][]ssa.Instruction) operations {
	o := operations{all: v.channels, from: make(map[ssa.Instruction]bool)}
	for n := range reached(nodesOf(v.calls, stacks)) {
		if n.Body == nil {
			continue
		}
		for _, instr := range channelOperationsIn(n) {
			o.from[instr] = true
		}
	}
	return o
}

// A use is one of a channel.
type use struct {
	of          ssa.Value
	sent, close bool
}

// channelsIn returns what an instruction does with channels.
func channelsIn(instr ssa.Instruction) (list []use) {
	switch instr := instr.(type) {
	case *ssa.Send:
		return []use{{of: instr.Chan, sent: true}}
	case *ssa.UnOp:
		if isReceive(instr) {
			return []use{{of: instr.X}}
		}
	case *ssa.Select:
		for _, s := range instr.States {
			list = append(list, use{of: s.Chan, sent: s.Send != nil})
		}
	case ssa.CallInstruction:
		if b, ok := instr.Common().Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "close":
				return []use{{of: instr.Common().Args[0], close: true}}
			case "len", "cap":
				if isChannel(instr.Common().Args[0]) {
					return []use{{of: instr.Common().Args[0]}}
				}
			}
		}
	}
	return list
}

// channelsOf returns what is known of the channels of regions.
func channelsOf(result *pointsto.Result, ops operations, regions []pointsto.Region) []fragment.Channel {
	list := make([]fragment.Channel, len(regions))
	for i := 1; i < len(regions); i++ {
		list[i].Capacities = capacitiesOf(regions[i])
	}
	for _, instr := range ops.all {
		for _, u := range channelsIn(instr) {
			to := result.Pointees(u.of)
			for i := 1; i < len(regions); i++ {
				if c := &list[i]; regions[i].May(to) {
					c.Used = c.Used || ops.from[instr]
					c.Sent = c.Sent || u.sent
					c.Closed = c.Closed || u.close
				}
			}
		}
	}
	return list
}

// capacitiesOf returns the capacities of the channels of a region, in order, nil if they are not constants.
func capacitiesOf(r pointsto.Region) (list []uint64) {
	for _, o := range r.Objects() {
		made, ok := o.Instr.(*ssa.MakeChan)
		if !ok {
			return nil
		}
		k, ok := made.Size.(*ssa.Const)
		if !ok || k.Value == nil {
			return nil
		}
		n, exact := constant.Uint64Val(constant.ToInt(k.Value))
		if !exact {
			return nil
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// open returns the channels that are not closed, since a goroutine has still to close them, and
// those that are not as long as nobody has.
func (v *Variables) open(stacks [][]ssa.Instruction) (list [][]fragment.Open, guarded []fragment.Guarded) {
	if v.closes == nil {
		v.closes = closing.New(v.calls, v.pointers)
	}
	for _, g := range v.closes.Guarded(stacks) {
		guarded = append(guarded, fragment.Guarded(g))
	}
	list = make([][]fragment.Open, len(stacks))
	for i, stack := range stacks {
		for _, o := range v.closes.Open(stack) {
			list[i] = append(list[i], fragment.Open(o))
		}
	}
	return list, guarded
}

// isFresh reports whether nothing can have been done with a channel of a function, which every path
// to an instruction makes, when that is about to be executed or, if it is a call that is being made,
// while the function is executed that it calls.
func isFresh(made *ssa.MakeChan, at ssa.Instruction, called bool) bool {
	return !slices.ContainsFunc(*made.Referrers(), func(ref ssa.Instruction) bool {
		return called && ref == at || mayPrecede(ref, at)
	})
}

// mayPrecede reports whether an instruction may be executed before another one of its function.
func mayPrecede(instr, at ssa.Instruction) bool {
	if _, debug := instr.(*ssa.DebugRef); debug {
		return false
	}
	b := instr.Block()
	if b == at.Block() && slices.Index(b.Instrs, instr) < slices.Index(b.Instrs, at) {
		return true
	}
	return control.Leads(b, at.Block())
}
