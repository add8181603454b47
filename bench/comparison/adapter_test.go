package main

import (
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestRewrite(t *testing.T) {
	for _, test := range []struct {
		name       string
		change     func(*source) error
		text, want string
	}{
		{
			"a test in a bubble", inBubble,
			"package p\n\nfunc TestX(t *testing.T) {\n\tt.Log(1)\n}\n",
			"package p\n\nimport \"testing/synctest\"\n\nfunc TestX(t *testing.T) { synctest.Test(t, func(t *testing.T) {\n\tt.Log(1)\n}) }\n",
		},
		{
			"a fuzz target in bubbles", inBubble,
			"package p\n\nfunc FuzzX(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) { t.Log(n) })\n}\n",
			"package p\n\nimport \"testing/synctest\"\n\nfunc FuzzX(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) { synctest.Test(t, func(t *testing.T) { t.Log(n) }) })\n}\n",
		},
		{
			"a test with a bubble", inBubble,
			"package p\n\nimport \"testing/synctest\"\n\nfunc TestX(t *testing.T) {}\n",
			"package p\n\nimport \"testing/synctest\"\n\nfunc TestX(t *testing.T) {}\n",
		},
		{
			"a property", asProperty,
			"package p\n\nfunc FuzzX(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, a, b uint8) { run(t, a) })\n}\n\nfunc run(t *testing.T, a uint8) {}\n",
			"package p\n\nimport \"pgregory.net/rapid\"\n\nfunc TestX(_t *testing.T) {\n\trapid.Check(_t, func(t *rapid.T) {\n" +
				"a := rapid.Uint8().Draw(t, \"a\")\nb := rapid.Uint8().Draw(t, \"b\")\nrun(t, a)\n})\n}\n\nfunc run(t *rapid.T, a uint8) {}\n",
		},
		{"no property", asProperty, "package p\n\nfunc TestX(t *testing.T) {}\n", "package p\n\nfunc TestX(t *testing.T) {}\n"},
	} {
		got, err := rewrite([]byte(test.text), test.change)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v, got:\n%s\nwant:\n%s", test.name, err, got, test.want)
		}
	}
}

// TestHistories checks that each test that records histories stands for one of the package whose tests it replaces.
func TestHistories(t *testing.T) {
	tests := 0
	err := fs.WalkDir(histories, historyRoot, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".go" {
			return err
		}
		text, err := histories.ReadFile(file)
		if err != nil {
			return err
		}
		if formatted, err := format.Source(text); err != nil || string(formatted) != string(text) {
			t.Errorf("%s is not formatted: %v", file, err)
		}
		pkg := path.Base(path.Dir(file))
		if pkg == "history" {
			return nil
		}
		var originals strings.Builder
		for _, dir := range []string{"../../examples/found", "../../examples"} {
			files, _ := filepath.Glob(filepath.Join(dir, pkg, "*_test.go"))
			for _, original := range files {
				text, err := os.ReadFile(original)
				if err != nil {
					return err
				}
				originals.Write(text)
			}
		}
		for _, m := range regexp.MustCompile(`(?m)^func Test(\w+)\(`).FindAllSubmatch(text, -1) {
			tests++
			if name := string(m[1]); !strings.Contains(originals.String(), "func Test"+name+"(") && !strings.Contains(originals.String(), "func Fuzz"+name+"(") {
				t.Errorf("%s: Test%s stands for no test", file, name)
			}
		}
		return nil
	})
	if err != nil || tests == 0 {
		t.Fatalf("%d tests, %v", tests, err)
	}
}
