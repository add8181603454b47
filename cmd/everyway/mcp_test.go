package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCP has a client call the tools of a server that is a process, and compares with the session that
// docs/mcp.md shows. With -update it writes that.
func TestMCP(t *testing.T) {
	const page = "../../docs/mcp.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```go\n")
	source, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatalf("%s has no test", page)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.26\n",
		"m_test.go":   "package m; import (\"sync\"; \"testing\")\n" + source,
		"broken/b.go": "package broken\n\nvar x int = \"\"\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("everyway", "mcp")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "COLUMNS=90")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()

	var got strings.Builder
	const run = ".everyway/TestRace-data-race.run"
	for _, call := range []struct {
		tool string
		args map[string]any
	}{
		{"list_targets", map[string]any{"packages": []string{"."}}},
		{"search", map[string]any{"run": "TestRace", "packages": []string{"."}}},
		{"show_finding", map[string]any{"runFile": run, "whole": true}},
		{"evaluate", map[string]any{"runFile": run, "expressions": []string{"n", "n > 1"}}},
		{"replay", map[string]any{"runFile": run}},
		{"write_test", map[string]any{"runFile": run}},
		{"explain", map[string]any{"kind": "nonsense"}},
	} {
		args, err := json.Marshal(call.args)
		if err != nil {
			t.Fatal(err)
		}
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: call.args})
		if err != nil {
			t.Fatalf("%s: %v", call.tool, err)
		}
		fmt.Fprintf(&got, "> %s %s\n%s\n", call.tool, args, shownAnswer(t, res))
	}
	answers := got.String()
	for _, want := range []string{`"example.com/m.TestRace"`, `"verdict": "fails"`, `"kind": "data race"`, `"runFile": "`, "func TestEverywayRace", "unknown kind of finding"} {
		if !strings.Contains(answers, want) {
			t.Errorf("no answer has %s:\n%s", want, answers)
		}
	}
	if res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"packages": []string{"./broken"}}}); err != nil || !res.IsError {
		t.Errorf("a package that does not build: %+v, error %v", res, err)
	}

	const begin, end = "<!-- session: written by go test ./cmd/everyway -run TestMCP -update -->\n", "\n<!-- end of session -->"
	before, rest, ok1 := strings.Cut(string(text), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the session", page)
	}
	shown := "\n```\n" + strings.ReplaceAll(answers, dir, "/home/me/m") + "```\n"
	// Times and what follows from them are not compared.
	varying := regexp.MustCompile(`\(\d+\.\d+s\)|\d+\.\d+s|\d+ runs|"runs": \d+|\d+/\d+ branches`)
	fixed := func(text string) string { return varying.ReplaceAllString(text, "*") }
	if fixed(old) == fixed(shown) {
		return
	}
	if !*update {
		t.Fatalf("%s shows\n%s\nwant\n%s", page, old, shown)
	}
	if err := os.WriteFile(page, []byte(before+begin+shown+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// shownAnswer returns the answer of a tool for people: its fields, and a text as it is.
func shownAnswer(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	answer := res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		return "error: " + answer + "\n"
	}
	var fields map[string]any
	if err := json.Unmarshal([]byte(answer), &fields); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	long, _ := fields["text"].(string)
	delete(fields, "text")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value, err := json.MarshalIndent(fields[name], "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	b.WriteString(strings.TrimRight(long, "\n"))
	return strings.TrimRight(b.String(), "\n") + "\n"
}
