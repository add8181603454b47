package vm_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/interp"

	"github.com/everyway-go/everyway/internal/vm"
)

// BenchmarkPrograms runs CPU-bound programs in the machine and, for comparison,
// natively and in x/tools' go/ssa/interp. The metrics x-native and x-interp are
// how often the others' times fit into, or the machine's fits into, one run.
func BenchmarkPrograms(b *testing.B) {
	files, err := filepath.Glob("testdata/bench/*.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(b *testing.B) {
			bin := filepath.Join(b.TempDir(), "prog")
			if out, err := exec.Command("go", "build", "-o", bin, file).CombinedOutput(); err != nil {
				b.Fatalf("go build: %v\n%s", err, out)
			}
			nothing := timeOf(b, "/bin/true")
			native := timeOf(b, bin) - nothing

			r := loadProgram(b, file)
			m := boot(b, r, nil, vm.Limits{})
			var instructions uint64
			for b.Loop() {
				trace, err := m.Run(b.Context(), &vm.Plan{}, vm.RunOn{})
				if err != nil || trace.Outcome != vm.Finished {
					b.Fatal(err, trace)
				}
				instructions = trace.Instructions
			}
			machine := b.Elapsed() / time.Duration(b.N)

			start := time.Now()
			interp.Interpret(interpretable(r.Packages[0].SSA), 0, r.Sizes, file, nil)
			other := time.Since(start)

			b.ReportMetric(machine.Seconds()/native.Seconds(), "x-native")
			b.ReportMetric(other.Seconds()/machine.Seconds(), "x-interp")
			b.ReportMetric(float64(machine.Nanoseconds())/float64(instructions), "ns/instr")
			b.ReportMetric(float64(native.Microseconds())/1000, "native-ms")
		})
	}
}

// timeOf returns the least time that five runs of a program took.
func timeOf(b *testing.B, bin string) time.Duration {
	least := time.Hour
	for range 5 {
		start := time.Now()
		if err := exec.Command(bin).Run(); err != nil {
			b.Fatal(err)
		}
		least = min(least, time.Since(start))
	}
	return least
}

// interpretable returns a package for go/ssa/interp, which wants package runtime
// to be built.
func interpretable(pkg *ssa.Package) *ssa.Package {
	pkg.Prog.Build()
	return pkg
}
