package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
)

// example matches an example of docs/findings.md: the section's title, the function, and
// what the search of it prints.
var example = regexp.MustCompile("(?s)\n## ([^\n]*)\n.*?\n```go\n(func (\\w+)\\(.*?)```\n\n```\n(.*?)```\n")

// TestFindings checks that the search of each example in docs/findings.md prints what the page
// shows, whose times are not compared.
func TestFindings(t *testing.T) {
	const page = "../../docs/findings.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n"}
	examples := example.FindAllStringSubmatch(string(text), -1)
	for _, e := range examples {
		kind, source := strings.ToLower(e[1]), e[2]
		head := "package m; "
		for _, pkg := range []string{"context", "errors", "fmt", "os", "sync", "sync/atomic", "testing", "time"} {
			if regexp.MustCompile(`\b` + path.Base(pkg) + `\.`).MatchString(source) {
				head += fmt.Sprintf("import %q; ", pkg)
			}
		}
		// The function begins in the first line, so that lines are numbered as in the page.
		name := strings.ReplaceAll(kind, " ", "_") + "_test.go"
		if check.Kind(kind) == check.NotLinearizable {
			name = "counter.go" // its tests are made
		}
		files[name] = head + source
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("everyway", "test", "-budget", "1h", "-workers", "1", "-leaks", "all")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "COLUMNS=90")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != exitFails {
		t.Fatalf("%v\n%s%s", err, out, stderr.String())
	}
	// What is sought is found only by who looks for it.
	reach := exec.Command("everyway", "test", "-run", "TestReached", "-reach", "reached_test.go:5")
	reach.Dir, reach.Env = dir, cmd.Env
	sought, err := reach.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, sought)
	}
	// The tests of a type are made by a command of its own.
	linear := exec.Command("everyway", "linear", "-type", "*Counter", "-budget", "1h", "-workers", "1")
	linear.Dir, linear.Env = dir, cmd.Env
	histories, err := linear.Output()
	if linear.ProcessState.ExitCode() != exitFails {
		t.Fatalf("%v\n%s", err, histories)
	}
	times := regexp.MustCompile(`(?m)^(--- (?:FAIL|REACHED): \w+ )\(.*\)$`)
	untimed := func(text string) string { return times.ReplaceAllString(text, "$1(0.01s)") }
	updated := text
	for _, e := range examples {
		name, want := e[3], e[4]
		var got string
		all, banner := out, "--- FAIL: "
		if kind := strings.ToLower(e[1]); check.Of(check.Kind(kind)).Sought {
			all, banner = sought, "--- REACHED: "
		}
		if check.Kind(strings.ToLower(e[1])) == check.NotLinearizable {
			name, all = "FuzzLinear2x2", histories
		}
		for found := range strings.SplitSeq(untimed("\n"+string(all)), "\n"+banner) {
			// There may be findings of other kinds in the same run.
			if kind := strings.ToLower(e[1]); strings.HasPrefix(found, name+" ") && (strings.Contains(found, ": "+kind+": ") || strings.Contains(found, "\n    "+kind+" in ")) {
				found, _, _ = strings.Cut(found, "\n\nfails ")
				found, _, _ = strings.Cut(found, "\n\nreached ")
				got = banner + strings.TrimRight(found, "\n") + "\n"
				break
			}
		}
		if got == untimed(want) {
			continue
		}
		if !*update || got == "" {
			t.Errorf("%s has for %s\n%s\nwhich prints\n%s", page, name, want, got)
			continue
		}
		updated = bytes.Replace(updated, []byte(e[2]+"```\n\n```\n"+want), []byte(e[2]+"```\n\n```\n"+got), 1)
	}
	if *update && !bytes.Equal(text, updated) {
		if err := os.WriteFile(page, updated, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
