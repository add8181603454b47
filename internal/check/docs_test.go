package check

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/doclist"
)

var update = flag.Bool("update", false, "rewrite the list of kinds in the documentation")

// TestDocs checks that the documentation lists the kinds as the table has them, and has a
// section with an example for each. A test of the command makes the examples.
func TestDocs(t *testing.T) {
	const path = "../../docs/findings.md"
	var want bytes.Buffer
	fmt.Fprintln(&want, "| finding | meaning |")
	fmt.Fprintln(&want, "|---|---|")
	var kinds []string
	for _, d := range Detectors {
		fmt.Fprintf(&want, "| [%s](#%s) | %s |\n", d.Kind, strings.ReplaceAll(string(d.Kind), " ", "-"), d.Doc)
		kinds = append(kinds, string(d.Kind))
	}
	page := doclist.Check(t, path, "kinds", "./internal/check", want.Bytes(), *update)
	_, after, _ := bytes.Cut(page, []byte("<!-- end of kinds -->"))
	var sections []string
	for _, section := range strings.Split(string(after), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		sections = append(sections, strings.ToLower(title))
		if !strings.Contains(text, "\n```go\n") || !strings.Contains(text, "\n```\n--- "+banner(title)+": ") {
			t.Errorf("%s: the section %q has no example: a program and what it prints", path, title)
		}
	}
	if !slices.Equal(sections, kinds) {
		t.Errorf("%s has sections for %q, want %q", path, sections, kinds)
	}
}

// banner is what the output for an example begins with.
func banner(title string) string {
	if Of(Kind(strings.ToLower(title))).Sought {
		return "REACHED"
	}
	return "FAIL"
}
