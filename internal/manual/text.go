package manual

import (
	"regexp"
	"strings"
)

var (
	comment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)
	link    = regexp.MustCompile(`(?s)\[([^\]]+)\]\(([^)]+)\)`)
	stress  = regexp.MustCompile(`\*{1,2}([^*\s][^*\n]*)\*{1,2}`)
	rule    = regexp.MustCompile(`^\|[-| ]+\|$`) // between the head of a table and its rows
	blank   = regexp.MustCompile(`\n{3,}`)
)

// Text returns Markdown as text: without comments, marks of code and of stress, fences and the targets of links;
// headings in capitals, as in manual pages; code indented.
func Text(markdown string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(comment.ReplaceAllString(prose(markdown), "")) {
		line = strings.TrimRight(line, "\n")
		n := headingLevel(line)
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			continue
		case code && line != "":
			line = "    " + line
		case code || strings.HasPrefix(line, "\t"):
		case n > 0:
			line = strings.ToUpper(strings.TrimSpace(line[n:]))
		case rule.MatchString(line):
			continue
		case strings.HasPrefix(line, "|"):
			line = row(line)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return strings.TrimLeft(blank.ReplaceAllString(b.String(), "\n\n"), "\n")
}

// prose drops the targets of links, which may go over two lines, and the marks of code and of stress from
// what is no code block.
func prose(markdown string) string {
	blocks := strings.Split(markdown, "```")
	for i := 0; i < len(blocks); i += 2 {
		text := link.ReplaceAllString(blocks[i], "$1")
		spans := strings.Split(text, "`")
		for j := 0; j < len(spans); j += 2 { // what is between them is code
			spans[j] = stress.ReplaceAllString(spans[j], "$1")
		}
		blocks[i] = strings.Join(spans, "")
	}
	return strings.Join(blocks, "```")
}

// row returns a row of a table: its first cell on a line, and the others below.
func row(line string) string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	var b strings.Builder
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		switch {
		case i == 0:
			b.WriteString("  " + cell)
		case cell != "":
			b.WriteString("\n      " + cell)
		}
	}
	return b.String()
}
