package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDebugPage carries out the session of docs/debug.md, which has to show what the page has.
func TestDebugPage(t *testing.T) {
	const page = "../../docs/debug.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	session := regexp.MustCompile("(?s)(<!-- session: [^\n]*-->\n\n```\n)(\\$ everyway debug ([^\n]*)\n.*?)(```\n\n<!-- end of session -->)").FindSubmatch(text)
	if session == nil {
		t.Fatalf("%s has no session", page)
	}
	var commands strings.Builder
	for line := range strings.Lines(string(session[2])) {
		if command, ok := strings.CutPrefix(line, "(everyway) "); ok {
			commands.WriteString(command)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/addall\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"addall.go", "addall_test.go"} {
		data, err := os.ReadFile(filepath.Join("../../examples/addall", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(stdin string, args ...string) (string, int) {
		cmd := exec.Command("everyway", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run() // the exit code says it
		return out.String(), cmd.ProcessState.ExitCode()
	}
	if out, code := run("", "test", "-budget", "1h", "-workers", "1"); code != exitFails {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	out, code := run(commands.String(), "debug", string(session[3]))
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	got := "$ everyway debug " + string(session[3]) + "\n" + out
	if got == string(session[2]) {
		return
	}
	if !*update {
		t.Fatalf("the session of %s prints\n%s", page, got)
	}
	updated := bytes.Replace(text, session[2], []byte(got), 1)
	if err := os.WriteFile(page, updated, 0o666); err != nil {
		t.Fatal(err)
	}
}
