package worker

import (
	"go/token"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Ends are where runs have ended at the limit on their instructions, with how many did: the stacks
// of goroutines, as program.Program.Context takes them, a line each.
type Ends map[string]int

// maxEnds bounds the places at which the runs of a search end that are kept.
const maxEnds = 256

// add counts a run, or several.
func (e Ends) add(at string, n int) {
	if _, ok := e[at]; ok || len(e) < maxEnds {
		e[at] += n
	}
}

// note counts a run of a machine that has ended at the limit: where its goroutines are that are in
// code of the main module. Position tells of a place in the source.
func (e Ends) note(m *vm.Machine, position func(token.Pos) string) {
	var stacks []string
	for _, g := range m.Goroutines {
		if g.Status == state.Ended {
			continue
		}
		if stack := ownStack(g, position); stack != "" {
			stacks = append(stacks, stack)
		}
	}
	if len(stacks) > 0 {
		slices.Sort(stacks)
		e.add(strings.Join(stacks, "\n"), 1)
	}
}

// ownStack returns the innermost frames of a goroutine in the main module, with those that have
// called them, up to the first one of another package; empty if there are none.
func ownStack(g *state.Goroutine, position func(token.Pos) string) string {
	var frames []string
	waits := false
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := &g.Frames[i]
		if f.Func.Standard || !f.Func.Own {
			if len(frames) > 0 {
				break
			}
			waits = waits || g.Status == state.Parked && g.At == state.AtPrimitive && g.Prim.Name == fragment.CondWait
			continue
		}
		at := ""
		for pc := int(f.PC); pc >= 0 && at == ""; pc-- { // some instructions are the compiler's own
			if pc < len(f.Func.Pos) && f.Func.Pos[pc].IsValid() {
				at = position(f.Func.Pos[pc])
			}
		}
		if at == "" {
			break
		}
		frames = append(frames, at)
	}
	if len(frames) == 0 {
		return ""
	}
	text := strings.Join(frames, ",")
	if waits {
		text = program.Waiting + text
	}
	return text
}
