package static_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/waitgroup"
)

// TestWaitGroups checks of which goroutines it is known that a wait group counts them.
func TestWaitGroups(t *testing.T) {
	a, pkg, text := analyseFile(t, "testdata/waitgroups.go")
	lines := strings.Split(text, "\n")
	pointers := pointersOf(t, a)
	definitions, err := a.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	counts := waitgroup.New(a.Calls(), pointers, definitions)
	asked := make(map[int]bool)
	for _, n := range a.Calls().Nodes {
		if n.Body == nil || n.Body.Pkg != pkg {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				line := pkg.Prog.Fset.Position(instr.Pos()).Line
				if line == 0 || asked[line] {
					continue
				}
				_, want, marked := strings.Cut(lines[line-1], "// ")
				if !marked {
					continue
				}
				asked[line] = true
				got := len(counts.Owed([]ssa.Instruction{instr})) > 0
				if got != strings.HasPrefix(want, "owed") {
					t.Errorf("line %d, in %s: owed: %v, want %q", line, n.Name, got, want)
				}
			}
		}
	}
	if len(asked) < 15 {
		t.Errorf("%d lines were asked about", len(asked))
	}
}
