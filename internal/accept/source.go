package accept

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// A source reads the lines at positions of run files.
type source struct{ root, goroot string }

// line returns the file and number of the line at a position, and the lines of the file; nil
// if there is no such line.
func (s source) line(pos string) (file string, n int, lines []string) {
	parts := strings.Split(pos, ":")
	if len(parts) < 3 {
		return "", 0, nil
	}
	file = strings.Join(parts[:len(parts)-2], ":")
	n, err := strconv.Atoi(parts[len(parts)-2])
	if err != nil {
		return "", 0, nil
	}
	path := filepath.FromSlash(file)
	if rest, ok := strings.CutPrefix(file, "$GOROOT/"); ok {
		path = filepath.Join(s.goroot, rest)
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(s.root, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", 0, nil
	}
	if lines = strings.Split(string(text), "\n"); n < 1 || n > len(lines) {
		return "", 0, nil
	}
	return file, n, lines
}

// places returns the places of a finding.
func (s source) places(f *schedule.Finding) []Place {
	var list []Place
	for one := range f.All() {
		list = append(list, s.place(one))
	}
	return list
}

// place returns the first place of a finding. What is unknown of it is empty.
func (s source) place(f *schedule.Finding) Place {
	var p Place
	for _, frame := range f.Stack {
		if frame.Pos == f.Pos {
			p.Func = frame.Func
			break
		}
	}
	if _, n, lines := s.line(f.Pos); lines != nil {
		p.Text = strings.TrimSpace(lines[n-1])
		if code, _, ok := strings.Cut(p.Text, " //"); ok {
			p.Text = strings.TrimSpace(code)
		}
	}
	return p
}

// marker begins a comment that accepts a finding.
const marker = "//everyway:accept "

// comment returns the entry that is a comment at one of the places of a finding: on its line,
// or alone on the line above.
func (s source) comment(f *schedule.Finding) *Entry {
	for one := range f.All() {
		file, n, lines := s.line(one.Pos)
		if lines == nil {
			continue
		}
		for _, at := range []int{n, n - 1} {
			if at < 1 || at < n && !strings.HasPrefix(strings.TrimSpace(lines[at-1]), marker) {
				continue
			}
			if e := parseComment(file, at, lines[at-1]); e != nil && e.Kind == f.Kind {
				return e
			}
		}
	}
	return nil
}

// comments returns the entries that are comments in a file.
func (s source) comments(file string) []*Entry {
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
	if err != nil {
		return nil
	}
	var list []*Entry
	for i, line := range strings.Split(string(text), "\n") {
		if e := parseComment(file, i+1, line); e != nil {
			list = append(list, e)
		}
	}
	return list
}

// parseComment returns the entry in a comment on a line of a file, nil if there is none.
func parseComment(file string, n int, line string) *Entry {
	_, text, ok := strings.Cut(line, marker)
	if !ok {
		return nil
	}
	kind, reason, _ := strings.Cut(strings.TrimSpace(text), ": ")
	if check.Of(check.Kind(kind)).Kind == "" {
		return nil
	}
	return &Entry{Kind: kind, Reason: reason, File: file, Line: n}
}
