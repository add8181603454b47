package reach_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/reach"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestObjects compares what can be reached from a goroutine that is blocked with what the
// functions of testdata/objects say: the names of the nodes that it can reach begin with
// "kept".
func TestObjects(t *testing.T) {
	dir, err := filepath.Abs("testdata/objects")
	if err != nil {
		t.Fatal(err)
	}
	r := vmtest.Load(t, load.Config{Dir: dir})
	pkg := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
	for _, name := range []string{"Registers", "Arguments", "Closures", "Deferred", "Panicking", "Buffered", "Maps", "Values"} {
		t.Run(name, func(t *testing.T) {
			m := vmtest.Boot(t, prog, vmtest.Function(pkg.SSA, name), run.Settings{}, nil)
			trace, err := m.Run(t.Context(), &run.Plan{}, run.NonPreemptive{})
			if err != nil || trace.Stuck == nil {
				t.Fatalf("the run is not blocked: %v, %+v", err, trace)
			}
			made := m.Globals[pkg.SSA.Var("made")].Cells
			if made[1].N == 0 {
				t.Fatal("no nodes")
			}
			objects := reach.NewObjects(&m.Heap)
			objects.AddGoroutine(m.Goroutines[0])
			for _, w := range made[0].P.Cells[:made[1].N] {
				name := heap.StringAt(w.P.Cells[0], int(w.P.Cells[1].N))
				if got, want := objects.Has(w.P), strings.HasPrefix(name, "kept"); got != want {
					t.Errorf("%q is reached: %v", name, got)
				}
			}
			all := reach.NewObjects(&m.Heap)
			all.AddVariables(&m.State)
			for _, w := range made[0].P.Cells[:made[1].N] {
				if !all.Has(w.P) {
					t.Error("a package variable does not reach its element")
				}
			}
		})
	}
}
