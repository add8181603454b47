package goroot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestExpects(t *testing.T) {
	k := &LeakKernel{Leaks: []*regexp.Regexp{
		regexp.MustCompile(`K\.func1\(.* \[chan receive\]`), regexp.MustCompile(`K\.func2\(.* \[sync\.(RW)?Mutex\.Lock\]`),
	}}
	for _, c := range []struct {
		function, waitsFor string
		want               int
	}{
		{"K.func1", "chan receive", 0}, {"K.func1", "chan send", -1}, {"K.func2", "sync.mutexLock", 1}, {"K.func2", "sync.rwLock", 1},
		{"K.func2", "sync.rwRLock", -1}, {"K.func1.1", "chan receive", -1},
	} {
		if got := k.Expects(c.function, c.waitsFor); got != c.want {
			t.Errorf("Expects(%s, %s) = %d, want %d", c.function, c.waitsFor, got, c.want)
		}
	}
}

// TestLeakKernels compares the kernels with the tests that are made of them.
func TestLeakKernels(t *testing.T) {
	kernels, err := LeakKernels()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this Go installation comes without its tests: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := LeakTests(dir); err != nil {
		t.Fatal(err)
	}
	tests := ""
	for _, name := range []string{"kernels", "goker"} {
		text, err := os.ReadFile(filepath.Join(dir, name, "kernels_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	flaky := 0
	for _, k := range kernels {
		if !strings.Contains(tests, "func Test"+k.Name+"(t *testing.T) { "+k.Name+"() }") {
			t.Errorf("there is no test of %s", k.Name)
		}
		if k.Flaky {
			flaky++
		}
	}
	if len(kernels) < 50 || flaky == 0 || flaky == len(kernels) {
		t.Errorf("%d kernels, %d of them flaky", len(kernels), flaky)
	}
}

// TestRaceTests checks that nothing is left of what a module outside of GOROOT cannot use.
func TestRaceTests(t *testing.T) {
	dir := t.TempDir()
	if err := RaceTests(dir); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("this Go installation comes without its tests")
	}
	races := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"internal/`) || strings.Contains(string(text), "runtime.RaceDisable()") {
			t.Errorf("%s cannot be built outside of GOROOT", filepath.Base(file))
		}
		races += strings.Count(string(text), "\nfunc TestRace")
	}
	if races < 200 {
		t.Errorf("%d tests with a race", races)
	}
}
