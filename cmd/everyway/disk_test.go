package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/disk/disktest"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// faultyModule has a finding with a run file, a search file and a seed, and a verdict that is
// kept.
var faultyModule = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"m_test.go": `package m

import "testing"

func TestHolds(t *testing.T) {}

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		if n == 7 {
			t.Fatalf("n = %d", n)
		}
	})
}
`,
	// It accepts something else.
	"everyway.accept": "panic in example.com/m.TestOther\n\texample.com/m.other: panic(1)\n",
}

// writeModule writes the files of a module to a new directory, and returns it.
func writeModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFaultyDisk has each operation on files fail in turn, in every way, under a search that finds
// something: the finding is printed and the exit code is 1, there are no files that are not
// complete, and those that were there before are what they were, or new. Nor, for some of
// the operations, does a second search of what was left do other than it should.
func TestFaultyDisk(t *testing.T) {
	for _, fault := range disktest.Faults {
		for _, before := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/before=%v", fault, before), func(t *testing.T) {
				count := searchFaulty(t, &disktest.System{Fault: fault}, before).Count()
				if count < 3 {
					t.Fatalf("only %d operations can fail", count)
				}
				t.Logf("%d operations", count)
				if fault == disktest.ReadOnly {
					count = 1 // from the beginning: what is being written then cannot be removed
				}
				for at := range sample.Of(count, min(count, 3), 1) {
					if files := searchFaulty(t, &disktest.System{Fault: fault, At: at + 1}, before); files.Failed() == "" && at < count/2 {
						t.Errorf("operation %d of %d did not fail", at+1, count)
					}
				}
			})
		}
	}
}

// notSearched are the operations that a search cannot begin without: it is not known then which
// findings are accepted.
var notSearched = regexp.MustCompile(`^everyway: reading the accepted findings: .*\n$`)

// searchFaulty searches the module, for the first time or after another search.
func searchFaulty(t *testing.T, files *disktest.System, before bool) *disktest.System {
	t.Helper()
	dir := writeModule(t, faultyModule)
	t.Setenv(cache.Variable, filepath.Join(dir, "..", filepath.Base(dir)+".cache"))
	t.Chdir(dir)
	if before {
		searchModule(t, disk.Host{})
	}
	code, stdout, stderr := searchModule(t, files)
	what := fmt.Sprintf("%s at %s:\n%s%s", files.Fault, files.Failed(), stdout, stderr)
	switch {
	case code == exitUsage && stdout == "" && notSearched.MatchString(stderr) && files.Failed() != "":
	case code != exitFails || !strings.Contains(stdout, "--- FAIL: FuzzX") || !strings.Contains(stdout, ": n = 7\n") || !strings.Contains(stdout, "holds   example.com/m.TestHolds\t"):
		t.Errorf("exit code %d, %s", code, what)
	case strings.Contains(stdout, "replay") == strings.Contains(stdout, "the run is not saved"):
		t.Errorf("a run file and no warning, or the other way round: %s", what)
	case strings.Contains(stdout, "saved   ") == strings.Contains(stdout, "the input is not saved"):
		t.Errorf("a seed and no warning, or the other way round: %s", what)
	}
	for _, d := range []string{dir, dir + ".cache"} {
		checkWhole(t, d, what)
	}
	if t.Failed() || files.At%8 != 1 {
		return files
	}
	// With a sound disk, a search does what it would have done.
	code, stdout, stderr = searchModule(t, disk.Host{})
	if code != exitFails || !strings.Contains(stdout, ": n = 7\n") || !strings.Contains(stdout, "replay  ") || strings.Contains(stdout, "warning") || stderr != "" {
		t.Errorf("exit code %d after %s\nthen:\n%s%s", code, what, stdout, stderr)
	}
	return files
}

// searchModule searches the module in the current directory.
func searchModule(t *testing.T, files disk.System) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(t.Context(), []string{"test", "-workers", "1", "-budget", "1h"}, &out, &err, files)
	return code, out.String(), err.String()
}

// checkWhole checks that all files that everyway writes below a directory are complete.
func checkWhole(t *testing.T, dir, what string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if want, ok := faultyModule[e.Name()]; ok && string(text) != want {
			t.Errorf("%s has changed, %s", path, what)
		}
		switch {
		case disk.IsTemporary(e.Name()):
			t.Errorf("%s is left, %s", path, what)
		case strings.HasSuffix(path, ".run"):
			if _, err := schedule.ReadRun(bytes.NewReader(text)); err != nil {
				t.Errorf("%s: %v, %s", path, err, what)
			}
		case strings.HasSuffix(path, ".search"):
			if !bytes.HasSuffix(text, []byte("}\n")) || bytes.Count(text, []byte("\n")) != 2 {
				t.Errorf("%s is not whole: %q, %s", path, text, what)
			}
		case filepath.Base(filepath.Dir(path)) == "FuzzX":
			if string(text) != "go test fuzz v1\nint(7)\n" {
				t.Errorf("%s is no seed: %q, %s", path, text, what)
			}
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
