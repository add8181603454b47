package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/internal/walkthrough"
)

const reportHelp = `
usage: everyway report [flags] file.run...

Report writes an HTML page that shows recorded runs step by step, forwards and
backwards: a lane for each goroutine, what orders them, the source, variables,
objects, locks, and who waits for whom. The page is a single file, which can be
attached to a bug report. 'everyway test -html' writes such a page of a search.

	everyway report -o bug.html .everyway/pool/TestPool-deadlock.run
`

func runReport(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (int, error) {
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	chdir := registerChdir(fs)
	to := fs.String("o", "everyway.html", "write the page to `file`")
	names, err := parseFlags(fs, args, stdout, reportHelp)
	if err != nil {
		return 0, err
	}
	if len(names) == 0 {
		return 0, usagef("report takes run files; run 'everyway help report'")
	}
	dir, err := enterDir(*chdir)
	if err != nil {
		return 0, err
	}
	ctx, share := limitMemory(ctx, 0).Begin(ctx)
	defer share.End()
	m := walkthrough.NewMaker(dir, pageTitle, fault.Version())
	for _, name := range names {
		recorded, err := readRun(ctx, name)
		if err != nil {
			return 0, err
		}
		m.AddFinding(ctx, recorded, report.Replay(dir, *chdir, name))
	}
	if err := ctx.Err(); err != nil {
		return 0, memory.Reason(ctx, err)
	}
	for _, f := range m.Page().Findings {
		for _, note := range f.Notes {
			fmt.Fprintf(stderr, "everyway: %s: %s\n", f.Target, note)
		}
	}
	if err := writePage(m, *to, files); err != nil {
		return 0, err
	}
	fmt.Fprintln(stdout, *to)
	return exitOK, nil
}

// pageTitle is the title of pages.
const pageTitle = "everyway"

// writePage writes a page to a file.
func writePage(m *walkthrough.Maker, name string, files disk.System) error {
	path, err := filepath.Abs(name)
	if err != nil {
		return usagef("%s: %w", name, err)
	}
	file := disk.Path{Dir: disk.Dir{System: files, Path: filepath.Dir(path)}, Name: filepath.Base(path)}
	if err := file.Write(m.Page().Write); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// A pageReport writes the page of test -html when the searches have ended.
type pageReport struct {
	verdict.Quiet
	ctx     context.Context
	write   func(*walkthrough.Maker) error
	prog    *program.Program
	dir     string
	chdir   string
	results []*verdict.Result
	found   []*verdict.Counterexample
	err     error
}

// NotBuilt implements report.Report.
func (p *pageReport) NotBuilt(*report.NotBuilt) {}

// Loaded implements report.Report. It writes a page without searches, so that an error is known early.
func (p *pageReport) Loaded(int, time.Duration) {
	p.err = p.write(walkthrough.NewMaker(p.dir, pageTitle, fault.Version()))
}

// Err implements report.Report.
func (p *pageReport) Err() error { return p.err }

// Found implements verdict.Observer. What another target has shown is not shown again.
func (p *pageReport) Found(_ *verdict.Result, f *verdict.Counterexample) {
	if f.SameAs == "" {
		p.found = append(p.found, f)
	}
}

// Ended implements verdict.Observer.
func (p *pageReport) Ended(r *verdict.Result) {
	ended := *r
	p.results = append(p.results, &ended)
}

// Done implements report.Report. If the command was interrupted, no run is made again.
func (p *pageReport) Done(time.Duration) {
	if p.err != nil {
		return
	}
	m := walkthrough.NewMaker(p.dir, pageTitle, fault.Version())
	for _, f := range p.found {
		command := ""
		if f.RunFile != "" {
			command = report.Replay(p.dir, p.chdir, f.RunFile)
		}
		m.AddFinding(p.ctx, f.Run, command)
	}
	for _, r := range p.results {
		m.AddResult(r)
	}
	m.AddCoverage(p.prog, p.results)
	p.err = p.write(m)
}
