package main

import (
	"bytes"
	"context"
	"crypto/sha256"
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
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// faultyFiles are a module that has a finding with a run file, a search file and a seed, and a
// verdict that is kept.
var faultyFiles = map[string]string{
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
				m := newFaultyModule(t, before)
				count := m.search(t, &disktest.System{Fault: fault}).Count()
				if count < 3 {
					t.Fatalf("only %d operations can fail", count)
				}
				t.Logf("%d operations", count)
				if fault == disktest.ReadOnly {
					count = 1 // from the beginning: what is being written then cannot be removed
				}
				every := 1
				if before {
					every = 4 // most of what it does it does on a new module too
				}
				cases := (count + every - 1) / every
				for i := range sample.Of(cases, min(cases, 3), 1) {
					at := i * every
					if files := m.search(t, &disktest.System{Fault: fault, At: at + 1}); files.Failed() == "" && at < count/2 {
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

// A faultyModule is a directory that is searched again and again.
type faultyModule struct {
	dir   string // with the module and the cache in it
	saved string // what is in dir before a search
}

// newFaultyModule returns a module that has been searched before, or has not.
func newFaultyModule(t *testing.T, before bool) *faultyModule {
	t.Helper()
	m := &faultyModule{dir: t.TempDir(), saved: t.TempDir()}
	module := filepath.Join(m.dir, "m")
	if err := os.CopyFS(module, os.DirFS(writeModule(t, faultyFiles))); err != nil {
		t.Fatal(err)
	}
	t.Setenv(cache.Variable, filepath.Join(m.dir, "cache"))
	t.Chdir(module)
	loadOnce(t)
	if before {
		searchModule(t, disk.Host{})
	}
	if err := os.CopyFS(m.saved, os.DirFS(m.dir)); err != nil {
		t.Fatal(err)
	}
	return m
}

// loadOnce has all commands of a test use one program, since the source that they search does not
// change and is not read through a disk.System.
func loadOnce(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { loadPartial = program.LoadPartial })
	var loaded *program.Program
	loadPartial = func(ctx context.Context, cfg load.Config) (*program.Program, error) {
		if loaded == nil {
			p, err := program.LoadPartial(ctx, cfg)
			if err != nil {
				return nil, err
			}
			loaded = p
		}
		return &program.Program{
			Result: loaded.Result, Root: loaded.Root, Toolchain: loaded.Toolchain,
			Tags: loaded.Tags, Flags: loaded.Flags, Disk: loaded.Disk,
		}, nil
	}
}

// restore makes what is in the directory what it was before the first search.
func (m *faultyModule) restore(t *testing.T) {
	t.Helper()
	// The current directory stays.
	for _, pattern := range []string{"cache", "m/*", "m/.*"} {
		names, err := filepath.Glob(filepath.Join(m.dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.CopyFS(m.dir, os.DirFS(m.saved)); err != nil {
		t.Fatal(err)
	}
}

// search searches the module.
func (m *faultyModule) search(t *testing.T, files *disktest.System) *disktest.System {
	t.Helper()
	m.restore(t)
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
	checkWhole(t, m.dir, what)
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
		if want, ok := faultyFiles[e.Name()]; ok && string(text) != want {
			t.Errorf("%s has changed, %s", path, what)
		}
		switch {
		case disk.IsTemporary(e.Name()):
			t.Errorf("%s is left, %s", path, what)
		case strings.HasSuffix(path, ".run"):
			if _, err := schedule.ReadRun(bytes.NewReader(text), "a.run"); err != nil {
				t.Errorf("%s: %v, %s", path, err, what)
			}
		case strings.HasSuffix(path, ".search"):
			if !isWholeSearch(text) {
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

// isWholeSearch reports whether the last line of a search file is the hash of those before it.
func isWholeSearch(text []byte) bool {
	text, ok := bytes.CutSuffix(text, []byte("\n"))
	last := bytes.LastIndexByte(text, '\n') + 1
	return ok && string(text[last:]) == fmt.Sprintf("%x", sha256.Sum256(text[:last]))
}
