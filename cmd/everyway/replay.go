package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/schedule"
)

const replayHelp = `
usage: everyway replay [flags] file.run

Replay runs a recorded run again, in the module in which it was recorded, and
shows it. The run ends the same way, with exit code 1 if it fails. If it does not,
since the code has changed, replay says so.
`

func runReplay(ctx context.Context, args []string, stdout, stderr io.Writer, system disk.System) (int, error) {
	var output outputFlags
	fs := flag.NewFlagSet("replay", flag.ContinueOnError)
	chdir := registerChdir(fs)
	output.register(fs, "print call stacks and what the code under test prints", false)
	files, err := parseFlags(fs, args, stdout, replayHelp)
	if err != nil {
		return 0, err
	}
	if len(files) != 1 {
		return 0, usagef("replay takes one run file; run 'everyway help replay'")
	}
	dir, err := enterDir(*chdir)
	if err != nil {
		return 0, err
	}
	format, err := output.format()
	if err != nil {
		return 0, err
	}
	recorded, err := readRun(ctx, files[0])
	if err != nil {
		return 0, err
	}
	ctx, share := limitMemory(ctx, 0).Begin(ctx)
	defer share.End()
	prog, target, err := program.LoadRecorded(ctx, dir, recorded)
	if err != nil {
		return 0, usageError{memory.Reason(ctx, err)}
	}
	warnUntested(stderr, prog.Toolchain)
	out, err := output.open(format, report.Config{Stdout: stdout, Stderr: stderr, Chdir: *chdir, Source: prog.Line}, system)
	if err != nil {
		return 0, err
	}
	same, err := worker.Replay(ctx, prog, target, recorded, out)
	if err != nil {
		return 0, memory.Reason(ctx, err)
	}
	if !same {
		fmt.Fprintf(stderr, "everyway: %s: the run ended differently than when it was recorded\n", filepath.Base(files[0]))
	}
	out.Done(0)
	return out.exitCode()
}

// readRun reads a run file, which is held in memory. The error is a usageError unless the context
// has ended, or there is not enough memory.
func readRun(ctx context.Context, path string) (*schedule.Run, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, usagef("%s: not a regular file", path) // a device or a named pipe may not end
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError{err}
	}
	defer file.Close()
	watched, cancel := context.WithCancel(ctx)
	defer cancel()
	limited, share := limitMemory(watched, 0).Begin(watched)
	defer share.End()
	r, err := schedule.ReadRun(disk.NewReader(limited, file), path)
	switch {
	case limited.Err() != nil && err != nil:
		return nil, fmt.Errorf("%s: %w", path, memory.Reason(limited, err))
	case err != nil:
		return nil, usageError{err}
	}
	return r, nil
}
