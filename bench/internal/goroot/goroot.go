// Package goroot makes modules of programs in GOROOT whose bugs are known: the tests of Go's race detector, which say
// in their names whether they have a race, and the kernels of the test of Go's goroutine leak profile.
package goroot

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
)

// RaceTests makes a module of the tests of the race detector in a directory that is not there yet.
func RaceTests(dir string) error {
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src/runtime/race/testdata/*_test.go"))
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(file string) bool {
		switch filepath.Base(file) {
		case "main_test.go", "cgo_test.go", "synctest_test.go":
			return true // they start processes, use cgo or packages internal to GOROOT
		}
		return false
	})
	return copyTo(dir, "race_test", files, func(text []byte) []byte {
		for _, call := range []string{"runtime.RaceDisable()", "runtime.RaceEnable()", "var _ LogImpl = NewLog()"} {
			text = bytes.ReplaceAll(text, []byte(call), nil)
		}
		return text
	})
}

// LeakTests makes a module of the kernels of the leak profile, with a test for each, in a directory that is not
// there yet. What they do many times, since natively few schedules leak, they do three times.
func LeakTests(dir string) error {
	from := filepath.Join(runtime.GOROOT(), "src/runtime/testdata/testgoroutineleakprofile")
	many := regexp.MustCompile(`i <=? \d{2,}; i\+\+`)
	write := regexp.MustCompile(`prof\.WriteTo\((\S+), 2\)`)
	register := regexp.MustCompile(`register\("(\w+)", (\w+)\)`)
	for _, sub := range []string{".", "goker"} {
		files, err := filepath.Glob(filepath.Join(from, sub, "*.go"))
		if err != nil {
			return err
		}
		var tests bytes.Buffer
		fmt.Fprintf(&tests, "package main\n\nimport \"testing\"\n")
		to := filepath.Join(dir, "kernels")
		if sub != "." {
			to = filepath.Join(dir, sub)
		}
		err = copyTo(to, "kernels/"+filepath.Base(to), files, func(text []byte) []byte {
			for _, m := range register.FindAllSubmatch(text, -1) {
				fmt.Fprintf(&tests, "\nfunc Test%s(t *testing.T) { %s() }\n", m[1], m[2])
			}
			text = write.ReplaceAll(text, []byte("_, _ = prof, $1"))
			return many.ReplaceAll(text, []byte("i < 3; i++"))
		})
		if err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(to, "go.mod")); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, "kernels_test.go"), tests.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module kernels\n\ngo 1.26\n"), 0o666)
}

// copyTo copies Go files into a new module, changed.
func copyTo(dir, module string, files []string, change func([]byte) []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+module+"\n\ngo 1.26\n"), 0o666); err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), change(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
