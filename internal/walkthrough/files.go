package walkthrough

import (
	"path/filepath"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/report/page"
	"github.com/everyway-go/everyway/internal/verdict"
)

// maxText is how long a source file may be that is in a report, in bytes.
const maxText = 1 << 20

// Files are the source files that a page shows. They are shared by its findings.
type Files struct {
	List []*page.File
	dir  string         // names are shown relative to it
	at   map[string]int // by path
}

// NewFiles returns no files, whose names will be shown relative to a directory.
func NewFiles(dir string) *Files { return &Files{dir: dir, at: make(map[string]int)} }

// index returns the place of a file of a program in the list, -1 if it is not part of the program or too long.
func (f *Files) index(prog *program.Program, path string) int {
	if path == "" {
		return -1
	}
	if i, ok := f.at[path]; ok {
		return i
	}
	i := -1
	if text, err := prog.Sources.Read(path); err == nil && len(text) <= maxText {
		i = len(f.List)
		f.List = append(f.List, &page.File{Name: f.name(path), Text: string(text)})
	}
	f.at[path] = i
	return i
}

// name shortens a path for people.
func (f *Files) name(path string) string {
	if rel, err := filepath.Rel(f.dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	if _, rest, ok := strings.Cut(filepath.ToSlash(path), "/pkg/mod/"); ok {
		return rest // module@version/file
	}
	return path
}

// position shortens a position of a run file for people: the file and the line.
func (f *Files) position(pos string) string {
	parts := strings.Split(pos, ":")
	if len(parts) > 2 {
		parts = parts[:len(parts)-1] // without the column
	}
	if file := strings.Join(parts[:len(parts)-1], ":"); filepath.IsAbs(file) {
		return f.name(file) + ":" + parts[len(parts)-1]
	}
	return strings.Join(parts, ":")
}

// AddBlocks adds the files of the blocks of statements of a program, and which of them were executed.
func (f *Files) AddBlocks(prog *program.Program, executed map[int]bool) {
	for n, b := range prog.Blocks {
		i := f.index(prog, b.Start.Filename)
		if i < 0 {
			continue
		}
		file := f.List[i]
		block := page.Block{Line: b.Start.Line, Column: b.Start.Column, EndLine: b.End.Line, EndColumn: b.End.Column, Executed: executed[n]}
		file.Blocks = append(file.Blocks, block)
	}
}

// Executed returns which blocks of statements the searches of some results have executed.
func Executed(results []*verdict.Result) map[int]bool {
	all := make(map[int]bool)
	for _, r := range results {
		for _, n := range r.Blocks {
			all[n] = true
		}
	}
	return all
}
