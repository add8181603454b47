package initial

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// An action is what goroutines wait for.
type action uint8

const (
	sends action = iota
	receives
	counts  // changes the counter of a wait group
	signals // a condition
)

// A meeting is an operation on something that goroutines synchronise with: it does something, or
// waits for that, or both.
type meeting struct {
	instr ssa.Instruction
	on    ssa.Value
	does  []action
	waits []action
}

// meetings returns the operations in a function.
func meetings(n *callgraph.Node) (list []meeting) {
	add := func(instr ssa.Instruction, on ssa.Value, does, waits []action) {
		list = append(list, meeting{instr, on, does, waits})
	}
	send := func(instr ssa.Instruction, ch ssa.Value) { add(instr, ch, []action{sends}, []action{receives}) }
	receive := func(instr ssa.Instruction, ch ssa.Value) { add(instr, ch, []action{receives}, []action{sends}) }
	anyOf(n.Body, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Send:
			send(instr, instr.Chan)
		case *ssa.UnOp:
			if isReceive(instr) {
				receive(instr, instr.X)
			}
		case *ssa.Select:
			for _, s := range instr.States {
				if s.Send != nil {
					send(instr, s.Chan)
				} else {
					receive(instr, s.Chan)
				}
			}
		case ssa.CallInstruction:
			args := instr.Common().Args
			if b, ok := instr.Common().Value.(*ssa.Builtin); ok {
				if b.Name() == "close" {
					add(instr, args[0], []action{sends, receives}, nil) // who waits to send goes on, with a panic
				}
				return false
			}
			fn := instr.Common().StaticCallee()
			if fn == nil || len(args) == 0 || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "sync" {
				return false
			}
			switch fn.String() {
			case "(*sync.WaitGroup).Wait":
				add(instr, args[0], nil, []action{counts})
			case "(*sync.WaitGroup).Done", "(*sync.WaitGroup).Add":
				add(instr, args[0], []action{counts}, nil)
			case "(*sync.Cond).Wait":
				add(instr, args[0], nil, []action{signals})
			case "(*sync.Cond).Signal", "(*sync.Cond).Broadcast":
				add(instr, args[0], []action{signals}, nil)
			}
		}
		return false
	})
	return list
}

// awaited returns the operations of a program, without the standard library's, at which a goroutine
// may wait for another one, which is not of the context. They may be executed from there on
// although nothing leads there, by functions that are inputs.
func (v *Variables) awaited(others func(*callgraph.Node) bool) map[ssa.Instruction]bool {
	if others == nil {
		return nil
	}
	var by []meeting
	for _, n := range v.calls.Nodes {
		if list := v.meetings[n]; len(list) > 0 && others(n) {
			by = append(by, list...)
		}
	}
	is := make(map[ssa.Instruction]bool)
	for _, n := range v.calls.Nodes {
		if n.Body == nil || n.Body.Pkg != nil && v.code.Standard(n.Body.Pkg.Pkg) {
			continue
		}
		for _, m := range v.meetings[n] {
			for i := 0; i < len(by) && !is[m.instr]; i++ {
				is[m.instr] = m.waitsFor(&by[i], v.pointers)
			}
		}
	}
	return is
}

// waitsFor reports whether what another operation does may be what one waits for.
func (m *meeting) waitsFor(by *meeting, pointers *pointsto.Result) bool {
	for _, w := range m.waits {
		for _, d := range by.does {
			if w != d {
				continue
			}
			to, from := pointers.Pointees(m.on), pointers.Pointees(by.on)
			if m.on == by.on || to.Empty() || from.Empty() || to.May(from) {
				return true
			}
		}
	}
	return false
}

func isReceive(v *ssa.UnOp) bool { return v.Op == token.ARROW }

func isChannel(v ssa.Value) bool {
	_, is := v.Type().Underlying().(*types.Chan)
	return is
}
