package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/everyway-go/everyway/internal/confirm"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
)

const confirmHelp = `
usage: everyway confirm [flags] file.run...

Confirm runs the test of each recorded run natively, built by the go command,
with the input of the run and under its schedule, and says whether it fails as
the finding says: in the same way at the same file and line, that is, with the
message of the panic or of the failure, with goroutines blocked where those of
the finding are, or with a report of the race detector for the same two
accesses.

	everyway confirm .everyway/pool/TestPool-deadlock.run

Control points in copies of the sources hold each goroutine until it is its
turn; the sources themselves stay as they are. A few runs without control points
show whether the test fails that way anyhow. A function that was searched with
-func is called by a test like that of everyway repro.

The native program can do whatever it does under go test: nothing keeps it from
files, the network or other processes.

The exit code is 0 if all runs are confirmed, 1 if one is not, and 2 if one
cannot be made natively, such as that of an example.
`

// A confirmation is a line of the output of everyway confirm -json.
type confirmation struct {
	File      string `json:"file"`
	Package   string `json:"package"`
	Target    string `json:"target"`
	Kind      string `json:"kind"`
	Confirmed bool   `json:"confirmed"`
	Scheduled bool   `json:"scheduled"` // by a native run with control points
	Why       string `json:"why,omitempty"`
	Attempts  int    `json:"attempts"`
	Anyhow    int    `json:"anyhow"`   // native runs without control points that show the finding, too
	Baseline  int    `json:"baseline"` // native runs without control points
}

func runConfirm(ctx context.Context, args []string, stdout, stderr io.Writer, _ disk.System) (int, error) {
	fs := flag.NewFlagSet("confirm", flag.ContinueOnError)
	chdir := registerChdir(fs)
	timeout := fs.Duration("timeout", 10*time.Second, "end a native run after this `time`")
	attempts := fs.Int("attempts", 3, "make at most `n` native runs of each file with control points within expressions,\nand as many without these")
	baseline := fs.Int("baseline", 3, "make `n` native runs without any control points, to see whether the test fails anyhow")
	work := fs.String("work", "", "keep the instrumented sources in a new directory below `DIR`")
	asJSON := fs.Bool("json", false, "print a JSON line for each file")
	verbose := fs.Bool("v", false, "print the output of the last native run")
	files, err := parseFlags(fs, args, stdout, confirmHelp)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, usagef("confirm takes run files; run 'everyway help confirm'")
	}
	if *timeout <= 0 || *attempts <= 0 || *baseline < 0 {
		return 0, usagef("-timeout and -attempts are positive, and -baseline is not negative; run 'everyway help confirm'")
	}
	dir, err := enterDir(*chdir)
	if err != nil {
		return 0, err
	}
	code := exitOK
	for _, name := range files {
		recorded, err := readRun(ctx, name)
		if err != nil {
			return 0, err
		}
		res, err := confirm.Confirm(ctx, recorded, confirm.Options{
			Dir: program.FindRoot(dir), Attempts: *attempts, Timeout: *timeout, Work: *work, Baseline: *baseline,
		})
		if _, ok := errors.AsType[*confirm.RefusedError](err); ok {
			// The other files are confirmed all the same.
			fmt.Fprintf(stderr, "everyway: %s: %v\n", name, err)
			code = exitUsage
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		if !res.Confirmed && code == exitOK {
			code = exitFails
		}
		if *verbose {
			fmt.Fprint(stderr, res.Output)
		}
		kind := recorded.Finding.Kind
		switch {
		case *asJSON:
			line := confirmation{filepath.ToSlash(name), recorded.Package, recorded.Target, kind, res.Confirmed, res.Scheduled, res.Why, res.Attempts, res.Anyhow, res.Baseline}
			if err := json.NewEncoder(stdout).Encode(line); err != nil {
				return 0, err
			}
		case res.Confirmed:
			fmt.Fprintf(stdout, "confirmed      %s.%s\t%s, %s\n", recorded.Package, recorded.Target, kind, shown(res))
		default:
			fmt.Fprintf(stdout, "not confirmed  %s.%s\t%s: %s\n", recorded.Package, recorded.Target, kind, res.Why)
		}
	}
	return code, nil
}

// shown says which native runs show a finding.
func shown(res *confirm.Result) string {
	anyhow := fmt.Sprintf("%d of %d runs without control points", res.Anyhow, res.Baseline)
	switch {
	case !res.Scheduled:
		return anyhow + ", and none with them"
	case res.Anyhow > 0:
		return fmt.Sprintf("native run %d; also %s", res.Attempts, anyhow)
	}
	return fmt.Sprintf("native run %d", res.Attempts)
}
