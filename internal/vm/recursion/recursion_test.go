package recursion_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// A program is a function of testdata/programs.
type program struct {
	name     string
	overflow bool // its stack overflows natively
	open     bool // the machine does not find out how it ends
}

var programs = []program{
	{name: "Same", overflow: true},
	{name: "Factorial", overflow: true},
	{name: "Upwards", overflow: true},
	{name: "Mutual", overflow: true},
	{name: "Three", overflow: true},
	{name: "Depth", overflow: true},
	{name: "TwoNodes", overflow: true},
	{name: "String", overflow: true, open: true},
	{name: "Stringer", overflow: true},
	{name: "Method", overflow: true},
	{name: "Closure", overflow: true},
	{name: "Interface", overflow: true},
	{name: "Wraps", overflow: true},
	{name: "WrapsBack", overflow: true},
	{name: "Unsigned", overflow: true},
	{name: "TwoNumbers", overflow: true},
	{name: "Product", overflow: true},
	{name: "Locked", overflow: true},
	{name: "Balanced", overflow: true},
	{name: "Deferred", overflow: true},
	{name: "Loop", overflow: true},
	{name: "Branches", overflow: true},
	{name: "Allocates", overflow: true},
	{name: "Struct", overflow: true},
	{name: "Generic", overflow: true},
	{name: "Remainder", overflow: true},
	{name: "InGoroutine", overflow: true},

	{name: "Counter", overflow: true, open: true},
	{name: "Path", overflow: true, open: true},
	{name: "Squares", overflow: true},
	{name: "Floats", overflow: true, open: true},
	{name: "Indented", overflow: true},
	{name: "EvenOdd", overflow: true, open: true},
	{name: "Smallest", overflow: true, open: true},
	{name: "Atomic", overflow: true, open: true},

	{name: "Million", open: true},
	{name: "FiveMillion", open: true},
	{name: "Equal", open: true},
	{name: "Bits", open: true},
	{name: "WrapsToEnd", open: true},
	{name: "PackageCounter", open: true},
	{name: "EvenOddEnds", open: true},
	{name: "DepthEnds", open: true},
	{name: "ListEnds", open: true},
	{name: "RemainderEnds", open: true},
	{name: "Table", open: true},
	{name: "ByteEnds", open: true},
	{name: "Recovered", open: true},
	{name: "Difference", open: true},
	{name: "Text", open: true},
	{name: "Captured", open: true},
	{name: "AtomicEnds", open: true},
	{name: "SliceEnds", open: true},
	{name: "Negative", open: true},
	{name: "ShiftEnds", open: true},
	{name: "MapEnds", open: true},
}

// stackLimit is the limit, in bytes, on native stacks that overflow. It takes seconds to fill what
// Go allows a stack by default.
const stackLimit = "67108864"

// TestPrograms runs recursive programs in the machine and natively. A stack that overflows in
// one of them overflows in the other. The machine may leave it open for those that are marked,
// among them all that end, and whose stacks are deeper than its limit.
func TestPrograms(t *testing.T) {
	dir, err := filepath.Abs("testdata/programs")
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "programs")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := vmtest.Load(t, load.Config{Dir: dir})
	pkg := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
	for _, p := range sample.From(programs, 16, 6) {
		t.Run(p.name, func(t *testing.T) {
			args := []string{p.name}
			if p.overflow {
				args = append(args, stackLimit)
			}
			out, err := exec.Command(binary, args...).CombinedOutput()
			if overflow := bytes.Contains(out, []byte("fatal error: stack overflow")); overflow != p.overflow || (err != nil) != overflow {
				t.Fatalf("natively: %v, overflow %v, want %v\n%.500s", err, overflow, p.overflow, out)
			}
			m := vmtest.Boot(t, prog, vmtest.Function(pkg.SSA, p.name), run.Settings{
				Limits: run.Limits{Instructions: 50_000_000, Memory: 1 << 30, Depth: 250_000, Goroutines: 100, Decisions: 10_000},
			}, nil)
			for range 2 { // the second run begins after a rewind
				trace, err := m.Run(t.Context(), &run.Plan{}, run.NonPreemptive{})
				if err != nil {
					t.Fatal(err)
				}
				switch overflow := trace.FatalError != nil && trace.FatalError.Message == "fatal error: stack overflow"; {
				case overflow && trace.Outcome != run.Failed:
					t.Fatalf("a stack overflow is %v", trace.Outcome)
				case p.open:
					if trace.Outcome != run.Bounded {
						t.Fatalf("outcome %v, want %v; overflow %v", trace.Outcome, run.Bounded, overflow)
					}
				case overflow != p.overflow:
					t.Fatalf("overflow %v, want %v: %v %.300s", overflow, p.overflow, trace.Outcome, trace.Message)
				}
			}
		})
	}
}
