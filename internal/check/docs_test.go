package check

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the list of kinds in the documentation")

// TestDocs checks that the documentation lists the kinds as the table has them, and has a
// section with an example for each. A test of the command makes the examples.
func TestDocs(t *testing.T) {
	const (
		path  = "../../docs/findings.md"
		begin = "<!-- kinds: written by go generate ./internal/check -->\n\n"
		end   = "\n<!-- end of kinds -->\n"
	)
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := bytes.Cut(doc, []byte(begin))
	list, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the list of kinds", path)
	}
	var want bytes.Buffer
	fmt.Fprintln(&want, "| finding | meaning |")
	fmt.Fprintln(&want, "|---|---|")
	var kinds []string
	for _, d := range Detectors {
		fmt.Fprintf(&want, "| [%s](#%s) | %s |\n", d.Kind, strings.ReplaceAll(string(d.Kind), " ", "-"), d.Doc)
		kinds = append(kinds, string(d.Kind))
	}
	if !bytes.Equal(list, want.Bytes()) {
		if !*update {
			t.Fatalf("%s lists\n%s\nrun go generate for\n%s", path, list, want.Bytes())
		}
		doc = slices.Concat(before, []byte(begin), want.Bytes(), []byte(end), after)
		if err := os.WriteFile(path, doc, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var sections []string
	for _, section := range strings.Split(string(after), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		sections = append(sections, strings.ToLower(title))
		if !strings.Contains(text, "\n```go\n") || !strings.Contains(text, "\n```\n--- FAIL: ") {
			t.Errorf("%s: the section %q has no example: a program and what it prints", path, title)
		}
	}
	if !slices.Equal(sections, kinds) {
		t.Errorf("%s has sections for %q, want %q", path, sections, kinds)
	}
}
