package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/fragment"
)

// waitsAt returns what names the condition at which a goroutine waits in the function, nil if it does not.
func (m *middle) waitsAt() *ssa.FieldAddr {
	if m.inner != nil || !fragment.Waits([]ssa.Instruction{m.at}) {
		return nil
	}
	return m.at.(*ssa.Call).Call.Args[0].(*ssa.FieldAddr)
}

// enter writes the step with which the frame is complete. If the goroutine waits at a condition, it has announced that.
func (m *middle) enter() {
	step := code.Step{Kind: code.StepEnter}
	if f := m.waitsAt(); f != nil {
		reg, ok := m.pointer(f.X)
		if !ok {
			panic("the condition has no register")
		}
		off := m.offset(f.X.Type(), []int{f.Field})
		m.emit(code.Instr{Op: code.Addr, A: m.scratch(), B: reg, C: off})
		step.Waits, step.Reg, step.From, step.Name = true, m.scratch(), int64(off), m.prefix+"is signalled"
	}
	m.emitStep(step)
}
