package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/term"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/verdict"
)

// outputFlags say what is printed, and in which format.
type outputFlags struct {
	verbose bool
	formats []bool // by report.Formats
}

// register adds a flag for each format but the default.
func (f *outputFlags) register(fs *flag.FlagSet, verbose string) {
	fs.BoolVar(&f.verbose, "v", false, verbose)
	formats := report.Formats()
	f.formats = make([]bool, len(formats))
	for i := 1; i < len(formats); i++ {
		fs.BoolVar(&f.formats[i], formats[i].Name, false, formats[i].Doc)
	}
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
	broken bool            // a package was not built
	fault  bool            // the search of a target could not go on
	held   map[string]bool // targets that hold, as package.Test
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

// newOutput returns an output for searches of the tests of one test binary or of several, by a
// command that has changed to a directory before, if that is not empty. The source is that of the
// program that is searched, nil if there is none.
func newOutput(stdout, stderr io.Writer, screen *report.Terminal, chdir string, source func(root, file string, line int) (string, bool), several bool, format report.Format, verbose bool) *output {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/" // paths are shown whole
	}
	width, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	return &output{held: map[string]bool{}, Report: format.New(report.Config{
		Stdout: stdout, Stderr: stderr, Verbose: verbose, Qualified: several,
		Dir: dir, Chdir: chdir, Source: source, Width: width, Now: time.Now, Terminal: screen,
	})}
}

// Ended implements verdict.Observer.
func (o *output) Ended(r *verdict.Result) {
	o.failed = o.failed || r.Verdict == verdict.Fails
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
