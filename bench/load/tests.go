package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The module of the third table: trivial tests with testify, which imports much.
const (
	testify      = "github.com/stretchr/testify@v1.10.0"
	trivialTests = 50
	testRepeats  = 3 // of which the medians count
)

// tests prints the table of the times that all tests of a module take. For the go command
// the packages of the module and of testify have changed each time, so that they are
// compiled again; those of the standard library are in its cache.
func tests(ctx context.Context, tmp string) error {
	tool, err := build(ctx, tmp)
	if err != nil {
		return err
	}
	dir := filepath.Join(tmp, "trivial")
	if err := writeTrivial(dir); err != nil {
		return err
	}
	command := func(name string, args ...string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			cmd := exec.CommandContext(ctx, name, args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil {
				return 0, fmt.Errorf("%s %v: %w\n%s", name, args, err, out)
			}
			return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
		}
	}
	for _, args := range [][]string{{"mod", "init", "example.com/trivial"}, {"get", testify}, {"mod", "tidy"}, {"mod", "vendor"}} {
		if _, err := command("go", args...)(); err != nil {
			return err
		}
	}
	test := command("go", "test", "-count=1", "./...")
	compile := func() (time.Duration, error) {
		if err := edit(dir); err != nil {
			return 0, err
		}
		return test()
	}
	if _, err := compile(); err != nil { // compiles the standard library
		return err
	}
	rows := []*row{
		{name: "go test, cold", run: compile},
		{name: "everyway test -count=1", run: command(tool, "test", "-count=1", "./...")},
		{name: "everyway test, unchanged", run: command(tool, "test", "./...")},
	}
	return compare(rows, testRepeats, "over go, cold")
}

// writeTrivial writes the module's test.
func writeTrivial(dir string) error {
	var b strings.Builder
	b.WriteString("package trivial\n\nimport (\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/assert\"\n\t\"github.com/stretchr/testify/require\"\n)\n")
	for i := range trivialTests {
		fmt.Fprintf(&b, "\nfunc Test%d(t *testing.T) {\n\tassert.Equal(t, %d, %d+1)\n\trequire.NoError(t, nil)\n}\n", i, i+1, i)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "trivial_test.go"), []byte(b.String()), 0o666)
}

// edit changes a file of each package of the module in dir, and of those that it imports.
func edit(dir string) error {
	edited := make(map[string]bool) // by directory
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || edited[filepath.Dir(name)] || filepath.Ext(name) != ".go" {
			return err
		}
		edited[filepath.Dir(name)] = true
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text, _, _ = bytes.Cut(text, []byte(mark))
		return os.WriteFile(name, fmt.Appendf(text, "%s%d\n", mark, time.Now().UnixNano()), 0o666)
	})
}

// mark is what edit adds to a file, before a number.
const mark = "\nconst edited = "
