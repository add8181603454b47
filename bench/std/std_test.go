package main

import (
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSmall runs the tests of packages that need little.
func TestSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the tests of packages natively and in the machine")
	}
	o := options{match: regexp.MustCompile(""), short: true, instructions: 1 << 30, time: time.Hour}
	reasons, err := readReasons()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"container/list", "errors", "unicode/utf16", "hash/fnv"} {
		native, err := runNative(t.Context(), name, o)
		if err != nil {
			t.Fatal(err)
		}
		machine, err := runMachine(t.Context(), name, o, reasons)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		c := compare(name, native, machine, reasons)
		if n := c.print(&out); n != 0 || c.tests == 0 {
			t.Error(out.String())
		}
	}
}

func TestCompare(t *testing.T) {
	native := outcomes{Tests: map[string]outcome{
		"TestSame":      {Status: pass},
		"TestSkip":      {Status: skip},
		"TestLess":      {Status: pass},
		"TestKnown":     {Status: pass},
		"TestMended":    {Status: pass},
		"TestNotThere":  {Status: pass},
		"TestNative":    {Status: fail},
		"ExampleSecret": {Status: pass},
	}}
	machine := outcomes{Tests: map[string]outcome{
		"TestSame":      {Status: pass},
		"TestSkip":      {Status: skip},
		"TestLess":      {Status: skip},
		"TestKnown":     {Status: fail, Why: "why"},
		"TestMended":    {Status: pass},
		"TestNative":    {Status: pass},
		"ExampleSecret": {Status: fail, Why: "secret"},
	}}
	r := &reasons{tests: map[string]string{"p.TestKnown": "known", "p.TestMended": "mended"}}
	c := compare("p", native, machine, r)
	if c.tests != 7 || c.same != 3 {
		t.Errorf("%d of %d the same, want 3 of 7", c.same, c.tests)
	}
	for _, test := range []struct {
		what      string
		got, want []difference
	}{
		{"differ", c.differ, []difference{{"TestKnown", "why", "known"}}},
		{"wrong", c.wrong, []difference{{"ExampleSecret", "secret", ""}, {"TestLess", "is a skip, natively a pass", ""}, {"TestNotThere", "is not there", ""}}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.got, test.want)
		}
	}
	if !slices.Equal(c.stale, []string{"TestMended"}) || !slices.Equal(c.failing, []string{"TestNative"}) {
		t.Errorf("stale %v, failing %v", c.stale, c.failing)
	}
}

// TestReasons checks that what reasons.txt lists is there.
func TestReasons(t *testing.T) {
	r, err := readReasons()
	if err != nil {
		t.Fatal(err)
	}
	for test := range r.tests {
		i := strings.LastIndexByte(test, '.')
		pkg, name := test[:i], test[i+1:]
		if !slices.Contains(packages, pkg) {
			t.Errorf("%s: no such package is run", test)
		}
		files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(files, func(file string) bool {
			names, err := testsIn(file)
			return err == nil && slices.Contains(names, name)
		})
		if !found {
			t.Errorf("%s is not there", test)
		}
	}
}

func TestReadReasons(t *testing.T) {
	for _, test := range []struct{ text, err string }{
		{"# nothing\n", ""},
		{"= why\np.TestX\np.TestY # and more\n", ""},
		{"p.TestX\n", `"p.TestX" has no reason`},
		{"= why\nstrings/nosuch_test.go\n", "no such file"},
	} {
		_, err := parseReasons(test.text)
		if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%q: error %v, want %q", test.text, err, test.err)
		}
	}
	r, err := parseReasons("= why\nerrors/join_test.go\n")
	if err != nil {
		t.Fatal(err)
	}
	if r.tests["errors.TestJoin"] != "why" || !slices.Equal(r.files["errors"], []string{"join_test.go"}) {
		t.Errorf("a file left out: %v", r)
	}
}
