package accept

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/schedule"
)

// FileName is the name of the file in the root of a module.
const FileName = "everyway.accept"

// An Entry is a finding that is accepted.
type Entry struct {
	Kind   string
	Target string // in which it was seen, as package.Test; empty for a comment
	Reason string
	Places []Place // none for a comment
	File   string  // that has the entry, relative to the root of the module
	Line   int
}

// A Place is one of the places of a finding.
type Place struct {
	Func string // as in call stacks
	Text string // of the source line, without a comment at its end
}

// A List is the accepted findings of a module. A nil list is empty.
type List struct {
	Entries []*Entry
	file    disk.Path
	source  Source
	text    []byte // of the file

	mu   sync.Mutex
	used map[place]bool
}

// A place is that of an entry: a line of a file.
type place struct {
	file string
	line int
}

// Use notes that a search has shown what an entry accepts.
func (l *List) Use(e *Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used == nil {
		l.used = map[place]bool{}
	}
	l.used[place{e.File, e.Line}] = true
}

// Unused returns those entries, and those of some comments, of which searches have not shown
// what they accept.
func (l *List) Unused(comments []*Entry) []*Entry {
	entries := slices.Concat(l.Entries, comments)
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(entries, func(e *Entry) bool { return l.used[place{e.File, e.Line}] })
}

// Read reads the list of the module in a directory, which is empty if there is no file. A list
// that is to match findings needs their source.
func Read(root disk.Dir, source Source) (*List, error) {
	l := &List{file: disk.Path{Dir: root, Name: FileName}, source: source}
	text, err := l.file.ReadFile()
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the accepted findings: %w", err)
	}
	l.text = text
	if l.Entries, err = parse(text); err != nil {
		return nil, err
	}
	return l, nil
}

// Text returns the contents of the file.
func (l *List) Text() string {
	if l == nil {
		return ""
	}
	return string(l.text)
}

// parse reads entries: a line "kind in package.Test: reason", and below it an indented line
// "function: source text" for each place.
func parse(text []byte) ([]*Entry, error) {
	var entries []*Entry
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), " \t\r")
		wrong := func(want string) error { return fmt.Errorf("%s:%d: %q: want %s", FileName, n, line, want) }
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t':
			fn, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok || len(entries) == 0 {
				return nil, wrong("\"function: source text\" below the finding that is there")
			}
			e := entries[len(entries)-1]
			e.Places = append(e.Places, Place{fn, text})
		default:
			head, reason, _ := strings.Cut(line, ": ")
			kind, target, ok := strings.Cut(head, " in ")
			if !ok || check.Of(check.Kind(kind)).Kind == "" {
				return nil, wrong("a finding, such as \"data race in example.com/m.TestX: reason\"")
			}
			entries = append(entries, &Entry{Kind: kind, Target: target, Reason: reason, File: FileName, Line: n})
		}
	}
	for _, e := range entries {
		if len(e.Places) == 0 {
			return nil, fmt.Errorf("%s:%d: the %s has no place: add a line \"function: source text\" below it, indented",
				FileName, e.Line, e.Kind)
		}
	}
	return entries, lines.Err()
}

// String returns e as the file has it.
func (e *Entry) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", e.Kind, e.Target)
	if e.Reason != "" {
		fmt.Fprintf(&b, ": %s", e.Reason)
	}
	b.WriteByte('\n')
	for _, p := range e.Places {
		fmt.Fprintf(&b, "\t%s: %s\n", p.Func, p.Text)
	}
	return b.String()
}

// Match returns the entry or the comment that accepts a finding, nil if there is none.
func (l *List) Match(f *schedule.Finding) *Entry {
	if l == nil {
		return nil
	}
	places := l.source.places(f)
	if check.Of(check.Kind(f.Kind)).AfterReturn {
		// Goroutines remain together in some run or other: each has to be accepted.
		var found *Entry
		for at := range f.All() {
			one := *at
			one.Others = nil
			e := l.source.comment(&one)
			if e == nil {
				e = l.withPlace(f.Kind, l.source.place(at))
			}
			if e == nil {
				return nil
			}
			if found == nil {
				found = e
			}
		}
		return found
	}
	for _, e := range l.Entries {
		if e.Kind == f.Kind && slices.Equal(sorted(e.Kind, e.Places), sorted(f.Kind, places)) {
			return e
		}
	}
	return l.source.comment(f)
}

// withPlace returns an entry of a kind that has a place.
func (l *List) withPlace(kind string, p Place) *Entry {
	for _, e := range l.Entries {
		if e.Kind == kind && slices.Contains(e.Places, p) {
			return e
		}
	}
	return nil
}

// sorted returns the places of a finding in an order that is the same for all that are the
// same finding.
func sorted(kind string, places []Place) []Place {
	if !check.Of(check.Kind(kind)).Symmetric {
		return places
	}
	return slices.SortedFunc(slices.Values(places), func(a, b Place) int {
		return strings.Compare(a.Func+": "+a.Text, b.Func+": "+b.Text)
	})
}

// Add accepts the finding of a run and writes the list. It returns the entry, and whether it
// is new.
func (l *List) Add(run *schedule.Run, reason string) (e *Entry, added bool, err error) {
	f := run.Finding
	if f == nil {
		return nil, false, errors.New("the run has no finding")
	}
	if e := l.Match(f); e != nil {
		return e, false, nil
	}
	e = &Entry{Kind: f.Kind, Target: run.Package + "." + run.Target, Reason: reason, Places: l.source.places(f), File: FileName}
	for _, p := range e.Places {
		if p.Func == "" || p.Text == "" {
			return nil, false, fmt.Errorf("the %s is at no source line that is still there (%s): run everyway test again", f.Kind, f.Pos)
		}
	}
	text := l.text
	if len(text) == 0 {
		text = []byte("# Findings that are known and kept: see everyway help accept.\n")
	}
	text = fmt.Appendf(slices.Clip(text), "\n%s", e)
	err = l.file.Write(func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("accepting the %s: %w", f.Kind, err)
	}
	l.text = text
	l.Entries, err = parse(text)
	return e, true, err
}
