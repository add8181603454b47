package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A DocumentFormat is a form of document about searches, which is written to a file beside what is
// printed.
type DocumentFormat struct {
	Name string // also of the flag that takes the file
	Doc  string // help of that flag
	New  func(Config) Document
	// Blocks says that the document is about the blocks of statements of the program: Config.Blocks has to
	// have them.
	Blocks bool
	// Profile says that the document is about what searches cost: results have to have it.
	Profile bool
}

// Documents returns all formats of documents.
func Documents() []DocumentFormat {
	return []DocumentFormat{
		{Name: "sarif", Doc: "write the findings to `file` in SARIF 2.1.0, which code hosts and editors show", New: newSARIF},
		{Name: "junit", Doc: "write the verdicts to `file` in the form of JUnit, which build servers show", New: newJUnit},
		{Name: "coverprofile", Doc: "write which statements the searches have executed to `file`, for go tool cover", New: newCoverProfile, Blocks: true},
		{Name: "profile", Doc: "write where the searches spend their runs and their time to `file`, for go tool pprof", New: newCostProfile, Profile: true},
	}
}

// A Document is an observer that makes one text of all that it is called with.
type Document interface {
	verdict.Observer
	// NotBuilt is called as that of a Report.
	NotBuilt(p *NotBuilt)
	// Encode writes the document as far as it is known. It may be called again when more is.
	Encode(w io.Writer) error
}

// InFile returns a report that keeps a document in a file. The file is written whole, by replace: when the
// targets are known, after each finding, and at the end, so that nothing that was found is lost if the
// command is ended by force.
func InFile(d Document, replace func(fill func(io.Writer) error) error) Report {
	return &documentFile{Document: d, replace: replace}
}

// A documentFile is a document in a file.
type documentFile struct {
	Document
	replace func(fill func(io.Writer) error) error
	err     error
}

// save writes the document, unless that has failed before.
func (d *documentFile) save() {
	if d.err == nil {
		d.err = d.replace(d.Encode)
	}
}

// Loaded implements Report.
func (d *documentFile) Loaded(int, time.Duration) { d.save() }

// Found implements verdict.Observer.
func (d *documentFile) Found(r *verdict.Result, f *verdict.Counterexample) {
	d.Document.Found(r, f)
	d.save()
}

// Done implements Report.
func (d *documentFile) Done(time.Duration) { d.save() }

// Err implements Report.
func (d *documentFile) Err() error { return d.err }

// headline says what a finding is, in a line without positions.
func headline(kind, message string) string {
	if message == "" {
		return kind
	}
	if strings.HasPrefix(message, kind+": ") {
		return message
	}
	return fmt.Sprintf("%s: %s", kind, message)
}
