package report

import (
	"io"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A Format is a way to report searches.
type Format struct {
	Name string // also of the flag that chooses the format
	Doc  string // help of that flag
	New  func(Config) Report
}

// Formats returns all formats. The first is the default, which needs no flag.
func Formats() []Format {
	return []Format{
		{"text", "print text for people, shaped after go test", newText},
		{"json", "print one JSON object a line, shaped after go test -json", newJSON},
		{"github", "print text for people and, for each finding, an annotation for GitHub Actions", newGitHub},
	}
}

// A Report is an observer that writes what it is called with. It stops writing at the
// first error.
type Report interface {
	verdict.Observer
	// NotBuilt is called for each package whose tests could not be built, before Loaded.
	NotBuilt(p *NotBuilt)
	// Loaded is called when the targets are known, before the first search.
	Loaded(targets int, elapsed time.Duration)
	// Done is called when all searches have ended, or the first of them has with an error.
	// They took so long together.
	Done(elapsed time.Duration)
	// Err returns the first error of writing the report.
	Err() error
}

// NotBuilt is a package whose tests could not be built.
type NotBuilt struct {
	Package string
	Setup   bool // the packages that it consists of could not be found
	Errors  []BuildError
}

// Text says in the words of go test what is wrong with p.
func (p *NotBuilt) Text() string {
	if p.Setup {
		return p.Package + " [setup failed]"
	}
	return p.Package + " [build failed]"
}

// A BuildError is why a package does not build.
type BuildError struct {
	Package string // with the error: that of the NotBuilt, or one that it imports
	Text    string // lines "file:line:column: message"
}

// A Config says where a report is written and how.
type Config struct {
	Stdout  io.Writer // gets the report
	Stderr  io.Writer // gets what is no part of it, such as progress
	Verbose bool
	// Qualified says that what has failed is named with its package: there are several.
	Qualified bool
	Dir       string // the user's directory: paths are shown relative to it
	Chdir     string // to which the command has changed before, as -C says; empty for none
	// Source returns the text of a line of a source file, as positions of run files whose
	// files are relative to a root name it; nil when there is none.
	Source func(root, file string, line int) (text string, ok bool)
	// Blocks are the blocks of statements of the program, by their numbers; for documents about them.
	Blocks []verdict.Block
	Width  int              // of the screen in columns; 0 means 120
	Color  bool             // text has colours
	Now    func() time.Time // nil leaves out when a line was written
	// Terminal is where a line says how far the searches are; nil for nowhere.
	Terminal *Terminal
}

// A writer keeps the first error of what is written, and writes no more after it.
type writer struct {
	to      io.Writer
	written int64 // bytes
	err     error
}

func (w *writer) Write(data []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	var n int
	n, w.err = w.to.Write(data)
	w.written += int64(n)
	return n, w.err
}

// Err implements Report.
func (w *writer) Err() error { return w.err }
