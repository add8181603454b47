package vm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/vm"
)

// Programs of the Go distribution's own tests, in GOROOT/test. The first few
// are run with -short too.
var gorootPrograms = []string{
	"defer.go", "mapclear.go", "chan/select3.go", "ken/string.go", "interface/fake.go",
	"chan/doubleselect.go", "chan/select7.go", "chan/sieve1.go", "chan/zerosize.go", "closedchan.go", "closure1.go",
	"defernil.go", "deferprint.go", "devirtualization_nil_panics.go", "func.go", "interface/noeq.go", "ken/cplx4.go",
	"fixedbugs/issue14646.go", "fixedbugs/issue22662.go", "fixedbugs/issue29190.go", "inline_callers.go", "typeparam/issue47716.go",
	"ken/range.go", "ken/shift.go", "ken/sliceslice.go", "literal.go", "map.go", "recover2.go", "typeparam/list2.go",
}

func TestGoroot(t *testing.T) {
	root := filepath.Join(runtime.GOROOT(), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skip("this Go installation comes without its tests: ", err)
	}
	programs := gorootPrograms
	if testing.Short() {
		programs = programs[:5]
	}
	files := make([]string, len(programs))
	for i, name := range programs {
		files[i] = filepath.Join(root, name)
	}
	r, pkgs := loadTogether(t, files)
	for i, file := range files {
		t.Run(strings.TrimSuffix(programs[i], ".go"), func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			var out bytes.Buffer
			m := bootPackage(t, r, pkgs[i], &out, vm.Limits{Instructions: 1 << 30})
			out.Reset()
			trace, err := m.Run(t.Context(), &vm.Plan{}, vm.RunOn{})
			if err != nil {
				t.Fatal(err)
			}
			if trace.Outcome != vm.Finished {
				t.Errorf("outcome %v: %s %v", trace.Outcome, trace.Message, trace.Findings)
			}
			compareLines(t, out.String(), string(want))
		})
	}
}
