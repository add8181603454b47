//go:build unix

package vm_test

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa/interp"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// BenchmarkPrograms runs CPU-bound programs in the machine and, for comparison,
// natively and in x/tools' go/ssa/interp. x-native is how many times slower than
// native code the machine is, x-interp how many times faster than the interpreter.
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
			native := timeOf(b, bin) - timeOf(b, "true")

			r := vmtest.Load(b, load.Config{Patterns: []string{file}})
			pkg := r.Packages[0].SSA
			m := vmtest.Boot(b, compile.NewProgram(r.Prog, r.Sizes, nil, nil), vmtest.Function(pkg, "main"), run.Settings{}, nil)
			m.FromStart = true // all runs are the same
			var instructions uint64
			runtime.GC()
			start := cpuTime(b)
			for b.Loop() {
				trace, err := m.Run(b.Context(), &run.Plan{}, run.NonPreemptive{})
				if err != nil || trace.Outcome != run.Finished {
					b.Fatal(err, trace)
				}
				instructions = trace.Instructions
			}
			machine := (cpuTime(b) - start) / time.Duration(b.N)

			r.Prog.Build()
			start = cpuTime(b)
			interp.Interpret(pkg, 0, r.Sizes, file, nil)
			other := cpuTime(b) - start

			b.ReportMetric(machine.Seconds()/native.Seconds(), "x-native")
			b.ReportMetric(other.Seconds()/machine.Seconds(), "x-interp")
			b.ReportMetric(float64(machine.Nanoseconds())/float64(instructions), "ns/instr")
			b.ReportMetric(float64(native.Microseconds())/1000, "native-ms")
		})
	}
}

// timeOf returns the least processor time that five runs of a program took.
func timeOf(b *testing.B, bin string) time.Duration {
	least := time.Hour
	for range 5 {
		cmd := exec.Command(bin)
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		least = min(least, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	return least
}

// cpuTime returns the processor time that this process has taken.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
