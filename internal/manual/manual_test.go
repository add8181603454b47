package manual

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/docs"
)

// Every page but the index is a topic, and has a title.
func TestTopics(t *testing.T) {
	topics, err := Topics()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{index: true}
	for _, topic := range topics {
		known[topic.Name] = true
		page, err := Page(topic.Name)
		if err != nil {
			t.Errorf("the index lists %s: %v", topic.Name, err)
		}
		if !strings.HasPrefix(page, "# ") {
			t.Errorf("%s has no title", topic.Name)
		}
	}
	files, err := fs.Glob(docs.Pages, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !known[strings.TrimSuffix(file, ".md")] {
			t.Errorf("the index does not list %s", file)
		}
	}
}

func TestSection(t *testing.T) {
	for _, test := range []struct{ page, title, begin string }{
		{"findings", "data race", "## Data race\n"},
		{"verdicts", "What \"every interleaving\" means", "## What"},
		{"verdicts", "orders of maps", "### Orders of maps\n"},
		{"format", "Operations", "## Operations\n"},
	} {
		text, err := Section(test.page, test.title)
		if err != nil {
			t.Error(err)
			continue
		}
		mark, _, _ := strings.Cut(test.begin, " ")
		if !strings.HasPrefix(text, test.begin) || len(text) < 100 || strings.Contains(text, "\n"+mark+" ") {
			t.Errorf("%s, %s:\n%s", test.page, test.title, text)
		}
	}
	if _, err := Section("findings", "nothing"); err == nil || !strings.Contains(err.Error(), "no section nothing") {
		t.Errorf("error %v", err)
	}
	if _, err := Page("nothing"); err == nil {
		t.Error("a page that there is not")
	}
}

func TestText(t *testing.T) {
	const markdown = "# The title\n\n<!-- a\ncomment -->\n\nA `word *p*` and [a\nlink](x.md#y), **and**\n*more* 2 * 3.\n\n\tcode `x`\n\n" +
		"```go\nfunc f() { // # no heading\n\n}\n```\n\n| flag | meaning | more |\n|---|---|---|\n| `-v` | says more | |\n| -x | y | z |\n"
	const want = "THE TITLE\n\nA word *p* and a\nlink, and\nmore 2 * 3.\n\n\tcode x\n\n" +
		"    func f() { // # no heading\n\n    }\n\n  flag\n      meaning\n      more\n  -v\n      says more\n  -x\n      y\n      z\n"
	if got := Text(markdown); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// linked matches the target of a link in Markdown.
var linked = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links between the pages of the project lead to files and headings that there are.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md", "bench/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	anchors := map[string]map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linked.FindAllSubmatch(text, -1) {
			target := string(m[1])
			if strings.Contains(target, "://") || strings.HasPrefix(target, `"`) {
				continue // what looks like a link is the call of a generic function
			}
			file, anchor, _ := strings.Cut(target, "#")
			path := page
			if file != "" {
				path = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: link to %s: %v", page, target, err)
				continue
			}
			if anchor == "" || filepath.Ext(path) != ".md" {
				continue
			}
			if anchors[path] == nil {
				anchors[path] = headings(t, path)
			}
			if !anchors[path][anchor] {
				t.Errorf("%s: link to %s: no such heading", page, target)
			}
		}
	}
}

// headings returns the anchors of the headings of a page.
func headings(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		n := headingLevel(line)
		if n == 0 {
			continue
		}
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
				return r
			}
			return -1
		}, strings.ToLower(strings.TrimSpace(line[n:])))
		anchors[anchor] = true
	}
	return anchors
}
