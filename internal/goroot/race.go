package goroot

import (
	"bytes"
	"path/filepath"
	"runtime"
	"slices"
)

// raceChanges are made to the tests of the race detector.
var raceChanges = []struct{ from, to string }{
	{"runtime.RaceDisable()", ""}, // exists only in binaries that are built with -race
	{"runtime.RaceEnable()", ""},
	{"var _ LogImpl = NewLog()", ""}, // an initialiser with a race that gc compiles away: every target would have it
	{`"internal/synctest"`, `"testing/synctest"`},
	{"synctest.Run(func() {", "synctest.Test(t, func(*testing.T) {"},
}

// RaceTests makes a module of the tests of the race detector that need no cgo, in a directory that is not there yet.
func RaceTests(dir string) error {
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src/runtime/race/testdata/*_test.go"))
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(file string) bool {
		switch filepath.Base(file) {
		case "main_test.go", "cgo_test.go":
			return true // they have a main function of their own, and use cgo
		}
		return false
	})
	return copyTo(dir, "race_test", files, func(text []byte) []byte {
		for _, c := range raceChanges {
			text = bytes.ReplaceAll(text, []byte(c.from), []byte(c.to))
		}
		return text
	})
}
