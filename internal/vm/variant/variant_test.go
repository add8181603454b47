package variant

import (
	"testing"

	"github.com/everyway-go/everyway/internal/code"
)

// TestTraps has instructions with traps in all variants of a function, also in the one for frames
// of which anything may be symbolic.
func TestTraps(t *testing.T) {
	f := &code.Func{Regs: 2, Code: []code.Instr{
		{Op: code.AddI, A: 0, B: 0, K: 1},
		{Op: code.AddI, A: 1, B: 0, K: 1},
		{Op: code.Return},
	}}
	fused := Fuse(f.Code)
	Trap(fused, f.Code, []int32{1})
	for name, v := range map[string]Variant{"general": General(f, fused), "of a register": For(f, fused, 0, []uint64{1})} {
		for i, in := range v.Code {
			if trapped := in.Op&Trapped != 0; trapped != (i == 1) {
				t.Errorf("variant %s: instruction %d has a trap: %t", name, i, trapped)
			}
		}
	}
}
