package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/everyway-go/everyway/internal/confirm"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
)

const confirmHelp = `
usage: everyway confirm [flags] file.run...

Confirm has the go command build the package of each recorded run, and runs its
test natively, with the input of the run and under its schedule: control points
in copies of the sources hold each goroutine until it is its turn. It says
whether the test fails natively as the finding says: with the same panic or the
same failure, with goroutines that are blocked at the same places, or with a
report of the race detector for the same two accesses. The sources stay as they
are.

The native program may do whatever it does under go test: it is not kept from
files, the network or other processes.

The exit code is 0 if all runs are confirmed, and 1 if one of them is not.
`

// A confirmation is a line of the output of everyway confirm -json.
type confirmation struct {
	File      string `json:"file"`
	Package   string `json:"package"`
	Target    string `json:"target"`
	Kind      string `json:"kind"`
	Confirmed bool   `json:"confirmed"`
	Why       string `json:"why,omitempty"`
	Attempts  int    `json:"attempts"`
}

func runConfirm(ctx context.Context, args []string, stdout, stderr io.Writer, _ disk.System) (int, error) {
	fs := flag.NewFlagSet("confirm", flag.ContinueOnError)
	chdir := registerChdir(fs)
	timeout := fs.Duration("timeout", 10*time.Second, "end a native run after this `time`")
	attempts := fs.Int("attempts", 3, "make at most `N` native runs of each file with control points within expressions, and as many without")
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
	if *timeout <= 0 || *attempts <= 0 {
		return 0, usagef("-timeout and -attempts are positive; run 'everyway help confirm'")
	}
	if err := changeDir(*chdir); err != nil {
		return 0, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return 0, fmt.Errorf("finding the current directory: %w", err)
	}
	code := exitOK
	for _, name := range files {
		recorded, err := readRun(name)
		if err != nil {
			return 0, usageError{err}
		}
		res, err := confirm.Confirm(ctx, recorded, confirm.Options{Dir: program.FindRoot(dir), Attempts: *attempts, Timeout: *timeout, Work: *work, Keep: *work != ""})
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		if !res.Confirmed {
			code = exitFails
		}
		if *verbose {
			fmt.Fprint(stderr, res.Output)
		}
		kind := ""
		if recorded.Finding != nil {
			kind = recorded.Finding.Kind
		}
		switch {
		case *asJSON:
			line := confirmation{filepath.ToSlash(name), recorded.Package, recorded.Target, kind, res.Confirmed, res.Why, res.Attempts}
			if err := json.NewEncoder(stdout).Encode(line); err != nil {
				return 0, err
			}
		case res.Confirmed:
			fmt.Fprintf(stdout, "confirmed      %s.%s\t%s, native run %d\n", recorded.Package, recorded.Target, kind, res.Attempts)
		default:
			fmt.Fprintf(stdout, "not confirmed  %s.%s\t%s: %s\n", recorded.Package, recorded.Target, kind, res.Why)
		}
	}
	return code, nil
}
