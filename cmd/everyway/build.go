package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/binary"
	"github.com/everyway-go/everyway/internal/instrument/covered"
)

const buildHelp = `
usage: everyway build -cover DIR -o FILE [flags] [package]

Build writes a native program that runs only under the schedules that everyway
cover has written to DIR, so what was found out about these holds for the
program. The package is a main package, by default the one in the current
directory.

	everyway cover -o schedules ./cmd/scan
	everyway build -cover schedules -o scan ./cmd/scan

The ordinary compiler builds the program from copies of its sources, in which
each synchronising operation waits for its turn; the sources themselves stay as
they are. Only the standard library synchronises as it likes. If goroutines
race, the program may leave its schedule.

The program takes the inputs of package sym from the environment variable
EVERYWAY_INPUT. If it comes to a state for which there is no schedule, or does
something that is not in its schedule, it prints in which epoch that was and for
which states there are schedules, and ends with exit code 96. With -uncovered
allow it says so and goes on without a schedule.

The exit code is 0 if the program was written, 2 if it cannot be kept to the
schedules or these were found for other sources, and 3 if everyway itself is at
fault.
`

func runBuild(ctx context.Context, args []string, stdout, stderr io.Writer, _ disk.System) (int, error) {
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	var flags buildFlags
	chdir := registerChdir(fs)
	flags.register(fs)
	set := fs.String("cover", "", "`directory` with the schedules that everyway cover has written")
	output := fs.String("o", "", "write the program to `file`")
	uncovered := fs.String("uncovered", "stop", "`what` the program does in a state for which there is no schedule: stop or allow")
	work := fs.String("work", "", "keep the copies of the sources in a new directory below `DIR`")
	verbose := fs.Bool("v", false, "print how much of the program had to change")
	patterns, err := parseFlags(fs, args, stdout, buildHelp, goFlags)
	switch {
	case err != nil:
		return 0, err
	case *set == "":
		return 0, usagef("name the directory with the schedules: everyway build -cover DIR -o FILE; to build a program without them, run go build")
	case *output == "":
		return 0, usagef("name the file of the program: everyway build -cover %s -o FILE", *set)
	case *uncovered != "stop" && *uncovered != "allow":
		return 0, usagef("-uncovered %s: give stop or allow", *uncovered)
	case len(patterns) > 1:
		return 0, usagef("build takes one package, and not %d", len(patterns))
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	dir, err := enterDir(*chdir)
	if err != nil {
		return 0, err
	}
	res, err := binary.Build(ctx, binary.Config{
		Dir: dir, Pattern: patterns[0], Flags: flags, Set: *set, Output: *output, Work: *work, Options: covered.Options{Allow: *uncovered == "allow"},
	})
	if err != nil {
		_, refused := errors.AsType[*binary.RefusedError](err)
		if _, not := errors.AsType[*covered.RefusedError](err); refused || not {
			return 0, usageError{err}
		}
		return 0, err
	}
	fmt.Fprintf(stdout, "built %s\t%s\n", *output, res.Set.Summary())
	if *verbose {
		fmt.Fprintf(stdout, "        %d operations and markers, %d variables that are made known, %d decisions, %d terms in conditions\n", res.Sites, res.Variables, res.Decisions, res.Terms)
	}
	if !res.Set.Complete() {
		fmt.Fprintf(stderr, "everyway: the schedules do not cover all inputs: the program may come to a state that there is none for\n")
	}
	if at := res.Set.Deferred; len(at) > 0 {
		more := ""
		if len(at) > 1 {
			more = fmt.Sprintf(" (and at %d more)", len(at)-1)
		}
		fmt.Fprintf(stderr, "everyway: if the program panics, what is deferred at %s%s may wait for ever: everyway cover -check asks whether a path does\n", at[0], more)
	}
	switch n := res.Set.Deadlocks(); {
	case n == 1:
		fmt.Fprintf(stderr, "everyway: one schedule deadlocks: the program stops where it comes to its end\n")
	case n > 1:
		fmt.Fprintf(stderr, "everyway: %d schedules deadlock: the program stops where it comes to the end of one\n", n)
	}
	return exitOK, nil
}
