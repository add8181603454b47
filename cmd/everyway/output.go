package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/everyway-go/everyway/internal/engine"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/verdict"
)

// An output shows a search as it goes on. It is an verdict.Observer.
type output struct {
	text    *report.Text
	json    *report.JSON // nil for text
	stderr  io.Writer
	verbose bool
	failed  bool
	err     error // of writing
}

func newOutput(stdout, stderr io.Writer, program *engine.Program, json, verbose bool) *output {
	dir, err := os.Getwd()
	if err != nil {
		dir = program.Root
	}
	width, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	o := &output{
		text:    &report.Text{W: stdout, Root: program.Root, Dir: dir, Width: width, Verbose: verbose},
		stderr:  stderr,
		verbose: verbose,
	}
	if json {
		o.json = &report.JSON{W: stdout, Now: time.Now}
	}
	return o
}

func (o *output) loaded(targets int, elapsed time.Duration) {
	if o.verbose && o.json == nil {
		fmt.Fprintf(o.stderr, "loaded %d targets in %.2fs\n", targets, elapsed.Seconds())
	}
}

func (o *output) exitCode() int {
	if o.failed {
		return exitFails
	}
	return exitOK
}

// Started implements verdict.Observer.
func (o *output) Started(pkg, target string) {
	if o.json != nil {
		o.keep(o.json.Started(pkg, target))
	} else if o.verbose {
		fmt.Fprintf(o.text.W, "=== RUN   %s\n", target)
	}
}

// Progress implements verdict.Observer.
func (o *output) Progress(r *verdict.Result) {
	if o.json != nil {
		o.keep(o.json.Progress(r))
	} else if o.verbose {
		fmt.Fprintf(o.stderr, "%s: %.0fs, %s, %d/%d branches, %d candidates%s\n",
			r.Target, r.Elapsed.Seconds(), r.Share(), r.Covered, r.Branches, r.Candidates, report.Wasted(r))
	}
}

// Found implements verdict.Observer.
func (o *output) Found(r *verdict.Result, f *verdict.Found) {
	if o.json != nil {
		o.keep(o.json.Found(r, f))
	} else {
		o.text.Found(r, f)
	}
}

// Output implements verdict.Observer.
func (o *output) Output(pkg, target string, text []byte) {
	if o.json != nil {
		o.keep(o.json.Output(pkg, target, text))
	} else if o.verbose {
		_, err := o.text.W.Write(text)
		o.keep(err)
	}
}

// Ended implements verdict.Observer.
func (o *output) Ended(r *verdict.Result) {
	o.failed = o.failed || r.Verdict == verdict.Fails
	if o.json != nil {
		o.keep(o.json.Ended(r))
	} else {
		o.text.Ended(r)
	}
}

func (o *output) keep(err error) {
	if o.err == nil {
		o.err = err
	}
}
