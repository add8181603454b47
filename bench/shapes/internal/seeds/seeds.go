package seeds

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// Kinds are what can be done to a lock, or to an operation of an atomic variable: it is removed, or made for a shorter time than it has
// to be, or another object is locked.
var Kinds = []string{"removed", "narrowed", "wrong"}

// A Seed is a race that can be put into a program.
type Seed struct {
	Name   string // such as Insert/1
	Op     string // the operation, such as Insert
	Kind   string // one of Kinds
	Hidden bool   // the shape that the tests construct by default does not show it
	Race   Race
	edits  []edit
}

// A Line is one of a program, by its function and its text without space around it.
type Line struct{ Func, Text string }

// A Race is the lines of its accesses, in order.
type Race [2]Line

// An edit replaces text.
type edit struct{ before, after string }

// Read reads a file of seeds.
func Read(name string) ([]Seed, error) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		return nil, err
	}
	var all []Seed
	for _, f := range archive.Files {
		s, err := parse(f.Name, string(f.Data))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, f.Name, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// parse reads a seed.
func parse(name, text string) (s Seed, err error) {
	fields := strings.Fields(name)
	if len(fields) < 2 || !slices.Contains(Kinds, fields[1]) || len(fields) > 2 && fields[2] != "hidden" {
		return s, fmt.Errorf("the name has to be such as %q, with one of %q", "Insert/1 removed hidden", Kinds)
	}
	s.Name, s.Kind, s.Hidden = fields[0], fields[1], len(fields) > 2
	s.Op, _, _ = strings.Cut(s.Name, "/")
	var lines []Line
	var e edit
	for line := range strings.Lines(text) {
		switch line[0] {
		case '-':
			e.before += line[1:]
		case '+':
			e.after += line[1:]
		case ' ':
			e.before += line[1:]
			e.after += line[1:]
		case '@':
			s.edits = append(s.edits, e)
			e = edit{}
		default:
			function, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok {
				return s, fmt.Errorf("%q is neither a line of a function nor an edit", line)
			}
			lines = append(lines, Line{function, text})
		}
	}
	s.edits = append(s.edits, e)
	if len(lines) != 2 {
		return s, fmt.Errorf("%d lines that race, want 2", len(lines))
	}
	s.Race = RaceOf(lines[0], lines[1])
	return s, nil
}

// RaceOf returns the race of two lines.
func RaceOf(a, b Line) Race {
	r := Race{a, b}
	slices.SortFunc(r[:], func(a, b Line) int { return strings.Compare(a.Func+a.Text, b.Func+b.Text) })
	return r
}

// Apply returns the program with the race.
func (s *Seed) Apply(program []byte) ([]byte, error) {
	for _, e := range s.edits {
		before := []byte(e.before)
		if n := bytes.Count(program, before); n != 1 {
			return nil, fmt.Errorf("%s: the program has %d times, not once:\n%s", s.Name, n, before)
		}
		program = bytes.Replace(program, before, []byte(e.after), 1)
	}
	return program, nil
}

// Lines returns the lines of the functions of a file, by their numbers. Without source it reads the file.
func Lines(file string, source []byte) (map[int]Line, error) {
	if source == nil {
		var err error
		if source, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	text := strings.Split(string(source), "\n")
	lines := make(map[int]Line)
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			for n := fset.Position(d.Pos()).Line; n <= fset.Position(d.End()).Line; n++ {
				lines[n] = Line{d.Name.Name, strings.TrimSpace(text[n-1])}
			}
		}
	}
	return lines, nil
}

// Check reports lines of the race that a program does not have.
func (s *Seed) Check(lines map[int]Line) error {
	var errs []error
	for _, want := range s.Race {
		found := false
		for _, l := range lines {
			found = found || l == want
		}
		if !found {
			errs = append(errs, fmt.Errorf("%s: %s has no line %q", s.Name, want.Func, want.Text))
		}
	}
	return errors.Join(errs...)
}
