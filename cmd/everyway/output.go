package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/term"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/verdict"
)

// outputFlags say what is printed, and in which format, and which documents are written.
type outputFlags struct {
	verbose   bool
	formats   []bool   // by report.Formats
	documents []string // the file of each of report.Documents; "" for none
}

// register adds a flag for each format but the default, and for each format of documents, but for those about
// a search, what it has executed and what it has cost, if there is none.
func (f *outputFlags) register(fs *flag.FlagSet, verbose string, search bool) {
	fs.BoolVar(&f.verbose, "v", false, verbose)
	formats := report.Formats()
	f.formats = make([]bool, len(formats))
	for i := 1; i < len(formats); i++ {
		fs.BoolVar(&f.formats[i], formats[i].Name, false, formats[i].Doc)
	}
	documents := report.Documents()
	f.documents = make([]string, len(documents))
	for i, d := range documents {
		if (d.Blocks || d.Profile) && !search {
			continue
		}
		fs.StringVar(&f.documents[i], d.Name, "", d.Doc)
	}
}

// covers reports whether a document was asked for that needs blocks of statements to be marked.
func (f *outputFlags) covers() bool {
	return f.wants(func(d *report.DocumentFormat) bool { return d.Blocks })
}

// profiles reports whether a document was asked for that needs what the searches cost.
func (f *outputFlags) profiles() bool {
	return f.wants(func(d *report.DocumentFormat) bool { return d.Profile })
}

// wants reports whether a document of some form was asked for.
func (f *outputFlags) wants(form func(*report.DocumentFormat) bool) bool {
	for i, d := range report.Documents() {
		if f.documents[i] != "" && form(&d) {
			return true
		}
	}
	return false
}

// format returns the format that was asked for.
func (f *outputFlags) format() (report.Format, error) {
	formats := report.Formats()
	chosen := 0
	for i, on := range f.formats {
		if on && chosen > 0 {
			return formats[i], usagef("-%s cannot be combined with -%s", formats[i].Name, formats[chosen].Name)
		}
		if on {
			chosen = i
		}
	}
	return formats[chosen], nil
}

// An output reports searches and keeps whether one of them found something.
type output struct {
	report.Report
	failed bool
	broken bool // a package was not built
	fault  bool // the search of a target could not go on
	// nowhere says that a search from the middle of the program has found no state to begin in.
	nowhere bool
	facts   []string        // that cannot hold there at once, as far as they are known
	held    map[string]bool // targets that hold, as package.Test
}

// warnUntested says when everyway is not tested with the user's toolchain.
func warnUntested(stderr io.Writer, toolchain *load.Toolchain) {
	if untested := toolchain.Untested(); untested != "" {
		fmt.Fprintln(stderr, "everyway:", untested)
	}
}

// terminal returns the terminal that stderr is, nil if it is none on which a line can be
// written again.
func terminal(stderr io.Writer) *report.Terminal {
	file, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &report.Terminal{To: file, Width: func() int {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
		return 80
	}}
}

// newOutput returns an output in a format. Of the configuration, the user's directory and the width of
// the screen need not be given.
func newOutput(format report.Format, c report.Config) *output {
	c = completed(c)
	return &output{held: map[string]bool{}, Report: format.New(c)}
}

// completed adds to a configuration what does not depend on the command.
func completed(c report.Config) report.Config {
	var err error
	if c.Dir, err = os.Getwd(); err != nil {
		c.Dir = "/" // paths are shown whole
	}
	c.Width, c.Color = screen(c.Stdout)
	c.Now = time.Now
	return c
}

// screen returns the width of the terminal that a file is, or what COLUMNS says otherwise, 0 for nothing,
// and whether what is written there has colours: NO_COLOR and FORCE_COLOR, if they are not empty,
// decide (no-color.org, force-color.org), and otherwise whether it is a terminal.
func screen(to io.Writer) (width int, color bool) {
	width, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	file, ok := to.(*os.File)
	isTerminal := ok && term.IsTerminal(int(file.Fd()))
	if isTerminal {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
			width = columns
		}
	}
	switch {
	case os.Getenv("NO_COLOR") != "":
		return width, false
	case os.Getenv("FORCE_COLOR") != "":
		return width, true
	}
	return width, isTerminal && os.Getenv("TERM") != "dumb"
}

// open returns the output that the flags ask for, in a format that format has returned. The
// documents are files of a file system.
func (f *outputFlags) open(format report.Format, c report.Config, files disk.System) (*output, error) {
	c.Verbose = f.verbose
	out := newOutput(format, c)
	all := report.Multi{out.Report}
	for i, d := range report.Documents() {
		if f.documents[i] == "" {
			continue
		}
		path, err := filepath.Abs(f.documents[i])
		if err != nil {
			return nil, usagef("-%s %s: %w", d.Name, f.documents[i], err)
		}
		file := disk.Path{Dir: disk.Dir{System: files, Path: filepath.Dir(path)}, Name: filepath.Base(path)}
		all = append(all, report.InFile(d.New(completed(c)), file.Write))
	}
	if len(all) > 1 {
		out.Report = all
	}
	return out, nil
}

// Ended implements verdict.Observer.
func (o *output) Ended(r *verdict.Result) {
	o.failed = o.failed || r.Verdict == verdict.Fails
	if r.Verdict == verdict.Skipped && len(r.Assumes) > 0 {
		o.nowhere, o.facts = true, r.Contradicting
		return // which is an error
	}
	o.held[r.Package+"."+r.Target] = r.Verdict == verdict.Holds
	o.Report.Ended(r)
}

// notBuilt reports packages that are not searched, since they do not build.
func (o *output) notBuilt(broken []load.Broken) {
	for i := range broken {
		p := &report.NotBuilt{Package: broken[i].Package, Setup: broken[i].Setup}
		for _, f := range broken[i].Faults {
			p.Errors = append(p.Errors, report.BuildError{Package: f.Package, Text: f.Err.Error()})
		}
		o.NotBuilt(p)
		o.broken = true
	}
}

// Faulted implements verdict.Observer.
func (o *output) Faulted(f *verdict.Fault) {
	o.fault = true
	o.Report.Faulted(f)
}

// exitCode returns the exit code of the searches that were reported.
func (o *output) exitCode() (int, error) {
	if err := o.Err(); err != nil {
		return 0, fmt.Errorf("writing the report: %w", err)
	}
	if o.fault {
		return exitProblem, nil
	}
	if o.failed {
		return exitFails, nil
	}
	if o.broken {
		return exitUsage, nil
	}
	return exitOK, nil
}
