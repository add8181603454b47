package manual

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/everyway-go/everyway/docs"
)

// index is the page that lists the others.
const index = "README"

// A Topic is a page of the documentation.
type Topic struct {
	Name  string // of the file, without .md
	Title string
}

// listed matches an entry of the index: a link to a page, with its title.
var listed = regexp.MustCompile(`(?m)^- \[([^\]]+)\]\((\w+)\.md\)`)

// Topics returns the pages in the order of the index.
func Topics() ([]Topic, error) {
	text, err := Page(index)
	if err != nil {
		return nil, err
	}
	var topics []Topic
	seen := map[string]bool{}
	for _, m := range listed.FindAllStringSubmatch(text, -1) {
		if !seen[m[2]] {
			seen[m[2]] = true
			topics = append(topics, Topic{Name: m[2], Title: m[1]})
		}
	}
	return topics, nil
}

// Page returns the Markdown of a page.
func Page(name string) (string, error) {
	text, err := docs.Pages.ReadFile(name + ".md")
	if err != nil {
		return "", fmt.Errorf("no page %s in the documentation", name)
	}
	return string(text), nil
}

// Section returns the Markdown of the section of a page that has a title, with those below it.
// It compares titles without regard to case.
func Section(page, title string) (string, error) {
	text, err := Page(page)
	if err != nil {
		return "", err
	}
	var section strings.Builder
	level := 0 // of the section, 0 outside of it
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if n := headingLevel(line); n > 0 && !code {
			is := strings.EqualFold(strings.TrimSpace(line[n:]), title)
			switch {
			case is && level == 0:
				level = n
			case n <= level:
				return section.String(), nil
			}
		}
		if level > 0 {
			section.WriteString(line)
		}
	}
	if level == 0 {
		return "", fmt.Errorf("no section %s of the page %s in the documentation", title, page)
	}
	return section.String(), nil
}

// headingLevel returns the level of the heading that a line is, 0 for none.
func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 0 && strings.HasPrefix(line[n:], " ") {
		return n
	}
	return 0
}
