package state

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// Traps show a run to somebody while it goes on. They are set before a machine boots, and do not change after.
// Functions without traps run as fast as without any.
type Traps struct {
	// At returns the instructions of a function at which there is a trap; nil if there are no traps at all.
	At func(f *code.Func) []int32
	// Sprung is called before an instruction with a trap is carried out, each time that a goroutine comes to it: if it
	// waits there, once more when its step has been granted. Sprung may look at everything, and must change
	// nothing. If it returns false, the run stops there.
	Sprung func(g *Goroutine, f *Frame) bool

	instr code.Instr // the last one with a trap
}

// SetTraps sets the traps of f, whose code has just been set.
func (m *State) SetTraps(f *Function) {
	if m.Traps.At != nil && f.Native == 0 {
		variant.Trap(f.Fused, f.Code, m.Traps.At(f.Func))
	}
}

// Sprung is called when g comes to in, an instruction of f with a trap. It returns the instruction to carry
// out, nil if the run stops.
func (m *State) Sprung(g *Goroutine, f *Frame, in *code.Instr) *code.Instr {
	if !m.Traps.Sprung(g, f) {
		m.Stop(run.Stopped, "")
		return nil
	}
	t := &m.Traps.instr
	*t = *in
	t.Op -= variant.Trapped
	return t
}
