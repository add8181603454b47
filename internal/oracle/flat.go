package oracle

import "slices"

// A body as a list of instructions: statements without their nested lists, and
// jumps.

type instr struct {
	op instrOp
	s  *Stmt
	to int // jump: the target; test, unless, doing: the target when the condition does not hold
	// catch is where a panic in the instruction leads, 0 if nowhere in the body.
	catch int
}

type instrOp uint8

const (
	perform instrOp = iota // the statement, neither an If nor a Spawn
	spawn
	test
	enter  // a Kept, which has local variables of its own
	kept   // what a Kept has returned, or has panicked with
	unless // the Hold, Upgrade or Peek before it has got a node
	doing  // the Once before it is the first one
	jump
	begin     // a Try
	caught    // the end of a Try
	continues // the end of an Ensure or a Once
	end
)

// flatten lists the instructions of every body.
func flatten(p *Program) [][]instr {
	bodies := make([][]instr, len(p.Bodies))
	for b, list := range p.Bodies {
		var out []instr
		var walk func([]Stmt)
		// protected walks a list, and notes that panics in it lead to what comes after it.
		protected := func(list []Stmt) {
			from := len(out)
			walk(list)
			for i := from; i < len(out); i++ {
				if out[i].catch == 0 {
					out[i].catch = len(out)
				}
			}
		}
		walk = func(list []Stmt) {
			for i := range list {
				s := &list[i]
				switch s.Op {
				case Spawn:
					out = append(out, instr{op: spawn, s: s})
				case If, Hold, Upgrade, Peek:
					at := len(out)
					if s.Op == If {
						out = append(out, instr{op: test, s: s})
						walk(s.Then)
					} else {
						at++
						out = append(out, instr{op: perform, s: s}, instr{op: unless, s: s})
						walk(s.Then)
						out = append(out, instr{op: perform, s: &Stmt{Op: LetGo, Obj: s.Obj}})
					}
					if len(s.Else) > 0 {
						skip := len(out)
						out = append(out, instr{op: jump})
						out[at].to = len(out)
						walk(s.Else)
						out[skip].to = len(out)
					} else {
						out[at].to = len(out)
					}
				case Once:
					at := len(out) + 1
					out = append(out, instr{op: perform, s: s}, instr{op: doing, s: s})
					protected(s.Then)
					out = append(out, instr{op: perform, s: &Stmt{Op: Leave, Obj: s.Obj}}, instr{op: continues, s: &Stmt{Op: crash}})
					out[at].to = len(out)
				case CallOnce:
					at := len(out) + 1
					once := &Stmt{Op: Once, Obj: s.Obj}
					out = append(out, instr{op: perform, s: once}, instr{op: doing, s: once}, instr{op: enter, s: s})
					protected(p.Kept[s.Obj].Func)
					out = append(out, instr{op: perform, s: &Stmt{Op: Leave, Obj: s.Obj}}, instr{op: continues, s: &Stmt{Op: crash}})
					out[at].to = len(out)
					out = append(out, instr{op: kept, s: s})
				case CleanUp: // comes later
				case While:
					at := len(out)
					out = append(out, instr{op: test, s: s})
					walk(s.Then)
					out = append(out, instr{op: jump, to: at})
					out[at].to = len(out)
				case Try:
					out = append(out, instr{op: begin, s: s})
					protected(s.Then)
					out = append(out, instr{op: caught, s: s})
				case Ensure:
					protected(s.Then)
					walk(s.Else)
					out = append(out, instr{op: continues, s: &Stmt{Op: crash}})
				default:
					out = append(out, instr{op: perform, s: s})
				}
			}
		}
		walk(list)
		if b == 0 && p.Subtests {
			out = append(out, instr{op: perform, s: &Stmt{Op: release}}, instr{op: perform, s: &Stmt{Op: await}})
		}
		for i := range slices.Backward(list) {
			if list[i].Op == CleanUp {
				walk(list[i].Then)
			}
		}
		if b == 0 && p.Logs {
			out = append(out, instr{op: perform, s: &Stmt{Op: finish}})
		}
		bodies[b] = append(out, instr{op: end})
	}
	return bodies
}
