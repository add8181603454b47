package compile_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/load"
)

// TestMiddle prepares every instruction of functions that is no phi: what the code from there on
// reads is prepared, or was before it.
func TestMiddle(t *testing.T) {
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{"strings", "sort"}})
	if err != nil {
		t.Fatal(err)
	}
	p := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
	made := 0
	for _, pkg := range r.Packages {
		step := pkg.SSA.Func("init")
		for _, m := range pkg.SSA.Members {
			fn, ok := m.(*ssa.Function)
			if !ok || fn == step {
				continue
			}
			of := p.Func(fn)
			if of.Body != fn {
				continue
			}
			for _, b := range fn.Blocks {
				for _, at := range b.Instrs {
					if _, ok := at.(*ssa.Phi); ok {
						continue
					}
					for _, undefined := range []bool{false, true} {
						mid, err := compile.Middle(p, &fragment.Context{Stacks: [][]ssa.Instruction{{at}}, NoDefinitions: undefined}, 0, step)
						if err != nil {
							continue // the block for recovered panics
						}
						made++
						check(t, mid, at)
					}
				}
			}
		}
	}
	if made < 1000 {
		t.Errorf("%d instructions were prepared", made)
	}
}

// check reports registers that are needed at an instruction and that nothing writes before.
func check(t *testing.T, mid *code.Middle, at ssa.Instruction) {
	written := make(map[int32]bool)
	for _, s := range mid.Steps {
		if s.Kind == code.StepMade {
			written[s.Reg] = true
		}
		if s.Kind == code.StepDraw {
			for i := range s.Type.Words {
				written[s.Reg+int32(i)] = true
			}
		}
	}
	for i := range mid.Code.Code {
		for _, w := range mid.Code.Writes(&mid.Code.Code[i]) {
			for r := w.First; r < w.First+int32(w.Words); r++ {
				written[r] = true
			}
		}
	}
	for w, bits := range mid.Of.Needed().Before(int(mid.PC)) {
		for b := range 64 {
			if r := int32(w*64 + b); bits>>b&1 != 0 && !written[r] {
				t.Errorf("%s: register %d is needed at %s (instruction %d) and not prepared", mid.Of.Name, r, at, mid.PC)
			}
		}
	}
}
