package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/schedule"
)

const joinHelp = `
usage: everyway join [flags] -o file file...

Join finds a schedule that explains what the goroutines of a run did, if that is
known only of each goroutine by itself, and writes it.

	everyway join -o pool.schedule g0.trace g1.trace g2.trace
	everyway race pool.schedule

The files, one or several, are of one run. They list the events of each
goroutine in order, without an order between goroutines, in the format of
schedules (run 'everyway help format'). In the schedule that is found,
goroutines begin after they have been started, critical sections exclude each
other, reads see the values that they saw, and channels, wait groups, conditions
and the like did what they did.

There may be several such schedules; one of them is written. So what is wrong
with it is predicted, not observed, as far as the files say what goroutines
depended on. Everyway race can also join files itself, and prints what it finds.

A file may also be a trace of the Go runtime, as go test -trace writes it. It is
written as a schedule.

The exit code is 2 if a file is not in this format, or if no schedule explains
what the goroutines did: join then names the goroutine and the event, and says
whether that is certain.
`

func runJoin(ctx context.Context, args []string, stdout, _ io.Writer, disks disk.System) (int, error) {
	fs := flag.NewFlagSet("join", flag.ContinueOnError)
	to := scheduleFile{stdout: stdout, disks: disks}
	fs.StringVar(&to.name, "o", "", "write the schedule to `file`, or to the standard output if that is -")
	text := fs.Bool("text", false, "write the schedule as text, which people can read")
	chdir := registerChdir(fs)
	files, err := parseFlags(fs, args, stdout, joinHelp)
	if err != nil {
		return 0, err
	}
	switch {
	case len(files) == 0:
		return 0, usagef("join takes what goroutines did; run 'everyway help join'")
	case to.name == "":
		return 0, usagef("join needs -o and the name of a file, or -o - for the standard output")
	}
	dir, err := enterDir(*chdir)
	if err != nil {
		return 0, err
	}
	limited, share := limitMemory(ctx, 0).Begin(ctx)
	defer share.End()
	s, err := openSource(limited, files, len(files) > 1)
	if isInputError(err) {
		return 0, usageError{err}
	}
	if err != nil {
		return 0, memory.Reason(limited, err)
	}
	defer s.Close()
	if s.joined == nil && !s.traced {
		return 0, usagef("%s: the file has an order; a file to be joined has the property %s %s",
			s.name, schedule.OrderProperty, schedule.LocalOrder)
	}
	as := schedule.BinaryEncoding
	if *text {
		as = schedule.TextEncoding
	}
	written, err := to.put(disk.Path{}, func(w io.Writer) (int64, error) { return s.writeTo(w, as) })
	if err != nil || to.name == "-" {
		return exitOK, err
	}
	fmt.Fprintf(stdout, "joined %s\t%s\n        %s\n", s.name, report.Count(written.events, "event"), report.Relative(dir, written.file))
	return exitOK, nil
}
