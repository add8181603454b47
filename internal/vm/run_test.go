package vm_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

var update = flag.Bool("update", false, "rewrite the expected output of testdata/run with what native runs print")

// ownPrograms has the programs of testdata, loaded once for all tests.
var ownPrograms = sync.OnceValues(func() (*vmtest.Programs, error) {
	var all []string
	for _, dir := range []string{"run", "supported", "maporder", "variants"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.go"))
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return vmtest.LoadPrograms(all)
})

// bootOwn returns a machine at the start of the main function of a program of testdata.
func bootOwn(t *testing.T, file string, out io.Writer, limits run.Limits) *vm.Machine {
	t.Helper()
	p, err := ownPrograms()
	if err != nil {
		t.Fatal(err)
	}
	return p.Boot(t, file, out, limits)
}

// The programs in testdata/run print the same, and end the same way, in the
// machine as natively.
func TestRun(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range sample.Each(files, len(files), 10) {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			golden := strings.TrimSuffix(file, ".go") + ".out"
			if *update {
				if err := os.WriteFile(golden, []byte(native(t, file)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			m := bootOwn(t, file, &out, run.Limits{Instructions: 1 << 28, Depth: 10000})
			for range 2 { // the second run starts from the rewound state
				out.Reset()
				trace, err := m.Run(t.Context(), &run.Plan{}, run.NonPreemptive{})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range check.Judge(trace) {
					out.WriteString(f.Message + "\n")
				}
				if trace.Outcome != run.Finished && trace.Outcome != run.Failed {
					t.Errorf("outcome %v: %s", trace.Outcome, trace.Message)
				}
				compareLines(t, out.String(), string(want))
			}
		})
	}
}

// native returns what a program prints when it is run by the go command: the
// output and the lines with which it crashes.
func native(t *testing.T, file string) string {
	bin := filepath.Join(t.TempDir(), "prog")
	if out, err := exec.Command("go", "build", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	// The exit code says no more than the output does.
	out, _ := exec.Command(bin).CombinedOutput()
	text := string(out)
	if i := strings.Index(text, "\ngoroutine "); i >= 0 {
		text = text[:i]
	}
	if i := strings.Index(text, "[signal "); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, "\n") + "\n"
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(strings.TrimRight(got, "\n"), "\n"), strings.Split(strings.TrimRight(want, "\n"), "\n")
	wrong := 0
	for i := range max(len(g), len(w)) {
		var gl, wl string
		if i < len(g) {
			gl = g[i]
		}
		if i < len(w) {
			wl = w[i]
		}
		if gl != wl {
			t.Errorf("line %d: %s\n  natively: %s", i+1, gl, wl)
			if wrong++; wrong == 12 {
				return
			}
		}
	}
}
