package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck checks a module that builds on one platform, and has a mistake in each place on another.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example.com/m\n\ngo 1.26\n",
		"m.go":              "package m\n\nimport \"fmt\"\n\nfunc F() { fmt.Println(limit) }\n",
		"m_linux.go":        "package m\n\nconst limit int = 1\n",
		"m_windows.go":      "package m\n\nimport \"example.com/m/only\"\n\nconst limit int8 = 300\n\nvar _ = only.X\n",
		"m_windows_test.go": "package m\n\nfunc f() string { return 1 }\n",
		"x_windows_test.go": "package m_test\n\nvar _ = missing\n",
		"only/only.go":      "//go:build !windows\n\npackage only\n\nvar X int\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if wrong, err := check(dir, "linux", "arm64"); err != nil || len(wrong) > 0 {
		t.Errorf("linux/arm64: %v %q", err, wrong)
	}
	wrong, err := check(dir, "windows", "amd64")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"overflows", "cannot use 1", "undefined: missing", "build constraints exclude all Go files"} {
		if !strings.Contains(strings.Join(wrong, "\n"), want) {
			t.Errorf("nothing about %q in\n%s", want, strings.Join(wrong, "\n"))
		}
	}
}
