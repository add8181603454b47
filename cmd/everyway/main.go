// Everyway runs a Go test every way it can go: every input, every interleaving
// of its goroutines. See everyway help.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/fault"
)

// A checkedWriter keeps the first error of writing, and calls failed when there is one. Nothing
// more is written then.
type checkedWriter struct {
	to     io.Writer
	failed func()
	err    error
}

func (w *checkedWriter) Write(data []byte) (n int, err error) {
	if w.err == nil {
		if n, w.err = w.to.Write(data); w.err != nil {
			w.failed()
		}
	}
	return n, w.err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process
	}()
	// That nobody reads the output is an error, as any other, so that what was found is saved.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, disk.Host{})
	if code == exitPipe {
		signal.Reset(syscall.SIGPIPE)
		fmt.Println() // which ends the process, as it ends the go command
	}
	os.Exit(code)
}

// A command is a subcommand of everyway.
type command struct {
	name  string
	args  string
	short string
	run   func(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (int, error)
}

func commands() []command {
	return []command{
		{"test", "[flags] [packages]", "search tests, fuzz targets and functions", runTest},
		{"linear", "-type type [flags] [package]", "search whether a type is linearizable, without a test", runLinear},
		{"cover", "[flags] [package]", "find schedules of a program that cover all inputs", runCover},
		{"build", "-cover DIR -o file [flags] [package]", "build a program that keeps to the schedules of cover", runBuild},
		{"explain", "[kind | file.run]", "explain a kind of finding", runExplain},
		{"replay", "[flags] file.run", "run a recorded run again", runReplay},
		{"report", "[flags] file.run...", "write a page that shows recorded runs step by step", runReport},
		{"debug", "[flags] file.run", "step through a recorded run, forwards and backwards", runDebug},
		{"dap", "[flags]", "serve the debugger of recorded runs to an editor", runDAP},
		{"confirm", "[flags] file.run...", "look for findings in native runs of their tests", runConfirm},
		{"repro", "[flags] file.run", "write a test that shows a finding", runRepro},
		{"accept", "[-reason text] file.run...", "accept findings, which then make no target fail", runAccept},
		{"record", "[flags] [packages]", "write the schedule of a run of each target", runRecord},
		{"race", "[flags] file...", "find races and deadlocks in schedules, of any tool", runRace},
		{"join", "[flags] -o file file...", "find a schedule that explains what single goroutines did", runJoin},
		{"clean", "[-n] [-cache] [-runs]", "remove kept verdicts, run files and saved searches", runClean},
		{"mcp", "", "serve these commands as tools to other programs", runMCP},
		{"completion", "shell", "print a script for a shell that completes commands and flags", runCompletion},
		{"version", "", "print the version", runVersion},
	}
}

// run runs a command and returns the exit code. The files that the command writes go to a file
// system. If its output cannot be written the command ends, as if it were interrupted.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) int {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	checked := &checkedWriter{to: stdout, failed: cancel}
	code, err := runCommand(limited, args, checked, stderr, files)
	switch {
	case errors.Is(checked.err, syscall.EPIPE):
		return exitPipe
	case checked.err != nil:
		code, err = 0, fmt.Errorf("writing the output: %w", checked.err)
	case ctx.Err() != nil:
		return interrupted(stderr, err)
	}
	return explain(stderr, code, err)
}

// runCommand runs the command that args name.
func runCommand(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (code int, err error) {
	if len(args) == 0 {
		usage(stderr)
		return exitUsage, nil
	}
	name := args[0]
	if isHelp(name) {
		return runHelp(ctx, args[1:], stdout, stderr, files)
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		err = fault.Do(func() (err error) {
			code, err = c.run(ctx, args[1:], stdout, stderr, files)
			return err
		})
		return code, err
	}
	return 0, usagef("unknown command %q; run 'everyway help'", name)
}

// interrupted says that a command was interrupted, and returns the exit code, which is that of
// go test. That packages could not be loaded is a consequence, and no mistake of the user's.
func interrupted(stderr io.Writer, err error) int {
	var wrong usageError
	if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, &wrong) {
		fmt.Fprintf(stderr, "everyway: %v\n", err)
	}
	fmt.Fprintln(stderr, "everyway: interrupted")
	return exitFails
}

// explain prints err and returns the exit code.
func explain(stderr io.Writer, code int, err error) int {
	var wrong usageError
	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "everyway: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(stderr, "everyway: %v\n", err)
	if fault.Is(err) {
		fmt.Fprintf(stderr, "\n%s", &fault.Report{Err: err})
	}
	return exitProblem
}

func runVersion(_ context.Context, _ []string, stdout, _ io.Writer, _ disk.System) (int, error) {
	fmt.Fprintln(stdout, fault.Version())
	return exitOK, nil
}
