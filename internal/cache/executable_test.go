package cache

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestBuildID builds programs: two that are the same, one that is not, and two without an ID of
// their own.
func TestBuildID(t *testing.T) {
	dir := t.TempDir()
	build := func(name, text string, flags ...string) string {
		source, binary := filepath.Join(dir, name+".go"), filepath.Join(dir, name)
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", append(append([]string{"build", "-o", binary}, flags...), source)...)
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return buildID(binary)
	}
	const one, other = "package main\n\nfunc main() {}\n", "package main\n\nfunc main() { panic(1) }\n"
	first := build("a", one)
	if first == "" {
		t.Fatal("the go command writes an ID")
	}
	if id := build("b", other); id == first || id == "" {
		t.Errorf("%q is the ID of two programs", id)
	}
	if id := build("a", one, "-ldflags=-X main.version=1"); id == first || id == "" {
		t.Errorf("%q is the ID of programs that are linked with other flags", id)
	}
	for _, fixed := range []string{"", "redacted"} {
		if id := build("a", one, "-ldflags=-buildid="+fixed); id != "" {
			t.Errorf("-buildid=%s: %q tells it from no other", fixed, id)
		}
	}
	if id := buildID(filepath.Join(dir, "a.go")); id != "" {
		t.Errorf("a file that is no program: %q", id)
	}
}
