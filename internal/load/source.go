package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"iter"
	"os"
	"strings"
	"sync"
)

// Sources gives the lines of the files that a program is compiled from, and of no others:
// the name in a position is what a line directive says, which may be that of any file.
// It may be used concurrently.
type Sources struct {
	fset    *token.FileSet
	overlay map[string][]byte
	files   map[string]*source // by name

	mu        sync.Mutex
	directed  map[string]map[int]place // what line directives say, by file and line
	directing bool                     // directed is there
}

// A source is one of the files.
type source struct {
	file   *token.File
	syntax *ast.File
	parsed []byte   // the text; nil if it is not kept, as that of the standard library
	lines  []string // nil if they have not been read
}

// A place is a line of a file.
type place struct {
	in   *source
	line int
}

func newSources(fset *token.FileSet, overlay map[string][]byte, units []*unit) *Sources {
	s := &Sources{fset: fset, overlay: overlay, files: make(map[string]*source)}
	for _, u := range units {
		for i, f := range u.pkg.Files {
			in := &source{file: fset.File(f.Package), syntax: f}
			if len(u.texts) > 0 {
				in.parsed = u.texts[i]
			}
			s.files[in.file.Name()] = in
		}
	}
	return s
}

// Read returns the text of a file that is part of the program: outside the standard library, as
// it was when it was parsed.
func (s *Sources) Read(name string) ([]byte, error) {
	in := s.files[name]
	if in == nil {
		return nil, fmt.Errorf("reading %s: it is no source file of the program", name)
	}
	if in.parsed != nil {
		return in.parsed, nil
	}
	if text, ok := s.overlay[name]; ok {
		return text, nil
	}
	return os.ReadFile(name)
}

// Line returns the text of the line that is at a position, as the position has its file
// and line. If a line directive has given it the position, it is a line of the file that
// has the directive.
func (s *Sources) Line(file string, line int) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in := s.files[file]; in != nil && 1 <= line && line <= in.file.LineCount() {
		at := s.fset.PositionFor(in.file.LineStart(line), true)
		if at.Filename == file && at.Line == line {
			return s.text(in, line)
		}
	}
	if !s.directing {
		s.direct()
	}
	if at, ok := s.directed[file][line]; ok {
		return s.text(at.in, at.line)
	}
	return "", false
}

// Lines yields the lines of a file that is part of the program, with their positions.
func (s *Sources) Lines(file string) iter.Seq2[token.Position, string] {
	return func(yield func(token.Position, string) bool) {
		in := s.files[file]
		if in == nil {
			return
		}
		for line := 1; line <= in.file.LineCount(); line++ {
			s.mu.Lock()
			text, ok := s.text(in, line)
			s.mu.Unlock()
			if !ok || !yield(s.fset.PositionFor(in.file.LineStart(line), true), text) {
				return
			}
		}
	}
}

// text returns the text of a line of a file. The lock is held.
func (s *Sources) text(in *source, line int) (string, bool) {
	if in.lines == nil {
		// If the file is gone there is no text.
		text, _ := s.Read(in.file.Name())
		in.lines = strings.Split(string(text), "\n")
	}
	if line < 1 || line > len(in.lines) {
		return "", false
	}
	return in.lines[line-1], true
}

// direct finds out where line directives say that lines are. Of several lines that have one
// position, the first one counts. The lock is held.
func (s *Sources) direct() {
	s.directing = true
	s.directed = make(map[string]map[int]place)
	for name, in := range s.files {
		if !hasDirective(in.syntax) {
			continue
		}
		for line := range in.file.LineCount() {
			at := s.fset.PositionFor(in.file.LineStart(line+1), true)
			if at.Filename == name && at.Line == line+1 {
				continue
			}
			lines := s.directed[at.Filename]
			if lines == nil {
				lines = make(map[int]place)
				s.directed[at.Filename] = lines
			}
			was, ok := lines[at.Line]
			if !ok || name < was.in.file.Name() {
				lines[at.Line] = place{in, line + 1}
			}
		}
	}
}

// hasDirective reports whether a comment of f may be a line directive.
func hasDirective(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if text := c.Text[2:]; strings.HasPrefix(text, "line ") && strings.Contains(text, ":") {
				return true
			}
		}
	}
	return false
}
