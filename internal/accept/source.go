package accept

import (
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// A Source returns the text of a line of a source file, as positions of run files name it.
type Source func(file string, line int) (text string, ok bool)

// at returns the file and the number of the line at a position, and its text.
func (s Source) at(pos string) (file string, n int, text string, ok bool) {
	file, n = splitNumber(pos)
	if at, line := splitNumber(file); line > 0 {
		file, n = at, line // there is a column, unless a line directive has given none
	}
	if n == 0 || s == nil {
		return "", 0, "", false
	}
	text, ok = s(file, n)
	return file, n, text, ok
}

// splitNumber splits a position before the number at its end, which is 0 if there is none.
func splitNumber(pos string) (rest string, n int) {
	i := strings.LastIndexByte(pos, ':')
	if i < 0 {
		return pos, 0
	}
	n, err := strconv.Atoi(pos[i+1:])
	if err != nil || n < 1 {
		return pos, 0
	}
	return pos[:i], n
}

// places returns the places of a finding.
func (s Source) places(f *schedule.Finding) []Place {
	var list []Place
	for one := range f.All() {
		list = append(list, s.place(one))
	}
	return list
}

// place returns the first place of a finding. What is unknown of it is empty.
func (s Source) place(f *schedule.Finding) Place {
	var p Place
	for _, frame := range f.Stack {
		if frame.Pos == f.Pos {
			p.Func = frame.Func
			break
		}
	}
	if _, _, text, ok := s.at(f.Pos); ok {
		p.Text = strings.TrimSpace(text)
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
func (s Source) comment(f *schedule.Finding) *Entry {
	for one := range f.All() {
		file, n, text, ok := s.at(one.Pos)
		if !ok {
			continue
		}
		if e := ParseComment(file, n, text); e != nil && e.Kind == f.Kind {
			return e
		}
		above, ok := s(file, n-1)
		if !ok || !strings.HasPrefix(strings.TrimSpace(above), marker) {
			continue
		}
		if e := ParseComment(file, n-1, above); e != nil && e.Kind == f.Kind {
			return e
		}
	}
	return nil
}

// ParseComment returns the entry in a comment on a line of a file, nil if there is none.
func ParseComment(file string, n int, line string) *Entry {
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
