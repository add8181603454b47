package vm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
)

// A supportRow is a row of docs/supported.md.
type supportRow struct {
	what    string
	program string // that checks it, relative to this directory
	runs    bool   // in the table of what is supported
}

// supportRows returns the rows of the page's two tables.
func supportRows(t *testing.T) []supportRow {
	page, err := os.ReadFile("../../docs/supported.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`^\[\w+\]\(\.\./(.*)\)$`)
	var rows []supportRow
	section := ""
	for line := range strings.Lines(string(page)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(title)
		}
		if !strings.HasPrefix(line, "|") || section != "Supported" && section != "Not supported" {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		what := strings.TrimSpace(cells[0])
		if what == "what" || strings.Trim(what, "-") == "" {
			continue
		}
		found := link.FindStringSubmatch(strings.TrimSpace(cells[len(cells)-1]))
		if len(cells) != 3 || found == nil {
			t.Errorf("the row of %s names no program that checks it", what)
			continue
		}
		rows = append(rows, supportRow{what: what, program: filepath.Join("../..", found[1]), runs: section == "Supported"})
	}
	if len(rows) == 0 {
		t.Fatal("no rows")
	}
	return rows
}

// Each row of docs/supported.md is checked by a program: those in
// testdata/supported here, where what is supported runs to its end and what is not
// stops with a message that says what and where; the others by the tests that run
// testdata/run, testdata/testing and the scripts of cmd/everyway.
func TestSupported(t *testing.T) {
	files, err := filepath.Glob("testdata/supported/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	checked := make(map[string]bool)
	for _, row := range supportRows(t) {
		if _, err := os.Stat(row.program); err != nil {
			t.Errorf("the program of %s: %v", row.what, err)
			continue
		}
		file, err := filepath.Rel("../../internal/vm", row.program)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(files, file) {
			continue // run elsewhere
		}
		checked[file] = true
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			var out bytes.Buffer
			m := bootOwn(t, file, &out, run.Limits{Instructions: 1 << 26, Depth: 10000})
			trace, err := m.Run(t.Context(), &run.Plan{}, run.NonPreemptive{})
			if err != nil {
				t.Fatal(err)
			}
			if row.runs {
				if found := check.Judge(trace); trace.Outcome != run.Finished || len(found) > 0 {
					t.Errorf("%v: %s %v\n%s", trace.Outcome, trace.Message, found, out.String())
				}
				return
			}
			checkStop(t, trace, stopOf(t, file))
		})
	}
	for _, file := range files {
		if !checked[file] {
			t.Errorf("docs/supported.md has no row for %s", file)
		}
	}
}

// stopOf returns what stops a program, as the comment at its top says.
func stopOf(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	what, ok := strings.CutPrefix(first, "// stops: ")
	if !ok {
		t.Fatalf("%s does not say what stops it", file)
	}
	return what
}

// checkStop reports an error unless a run was stopped by what the machine does not
// have, with a message that names the operation, the page, and the way from main.
func checkStop(t *testing.T, trace *run.Trace, what string) {
	t.Helper()
	if trace.Outcome != run.Unsupported {
		t.Fatalf("outcome %v: %s", trace.Outcome, trace.Message)
	}
	lines := strings.Split(trace.Message, "\n")
	if !strings.Contains(lines[0], what) || !strings.Contains(lines[0], "docs/supported.md") {
		t.Errorf("%q names not both %q and the page", lines[0], what)
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, ".main at ") && !strings.Contains(last, "…") {
		t.Errorf("the chain of calls does not end in main:\n%s", trace.Message)
	}
}
