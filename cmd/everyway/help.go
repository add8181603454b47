package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/manual"
)

// isHelp reports whether name, in the place of a command, asks for help.
func isHelp(name string) bool {
	switch name {
	case "help", "-h", "-help", "--help":
		return true
	}
	return false
}

// runHelp prints the flags of the command that args name, or the page of the documentation, or what
// there is.
func runHelp(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (int, error) {
	if len(args) == 0 || isHelp(args[0]) {
		usage(stdout)
		return exitOK, nil
	}
	name := args[0]
	if slices.ContainsFunc(commands(), func(c command) bool { return c.name == name }) {
		return runCommand(ctx, []string{name, "-h"}, stdout, stderr, files)
	}
	page, err := manual.Page(strings.TrimSuffix(name, ".md"))
	if err != nil {
		return 0, usagef("unknown command or topic %q; run 'everyway help'", name)
	}
	fmt.Fprint(stdout, manual.Text(page))
	return exitOK, nil
}

func usage(w io.Writer) {
	fmt.Fprint(w, `Everyway runs a Go test every way it can go: every input, every interleaving.

Usage:

	everyway <command> [arguments]

The commands are:

`)
	for _, c := range commands() {
		fmt.Fprintf(w, "\t%-10s  %s\n", c.name, c.short)
	}
	fmt.Fprint(w, `
Run 'everyway help <command>' for the flags of a command.

A search ends with one of three words: fails (with an input and an interleaving
that show it), holds (every input and interleaving was covered, within the
bounds that are named), or open (the budget ran out, or something was given up).

The pages of the documentation are:

`)
	topics, err := manual.Topics()
	if err != nil {
		panic(err) // the pages are part of the program
	}
	for _, t := range topics {
		name := t.Name
		if slices.ContainsFunc(commands(), func(c command) bool { return c.name == name }) {
			name += ".md" // not the command
		}
		fmt.Fprintf(w, "\t%-11s %s\n", name, t.Title)
	}
	fmt.Fprint(w, `
Run 'everyway help <page>' to read one.
`)
}

const explainHelp = `
usage: everyway explain [kind | file.run]

Explain says what a kind of finding means, with a small program that has one,
the interleaving that shows it, and what to do about it. The kind can be that
of a recorded run. Without a kind, explain lists all of them.

	everyway explain data race
	everyway explain .everyway/TestPool-deadlock.run
`

func runExplain(ctx context.Context, args []string, stdout, _ io.Writer, _ disk.System) (int, error) {
	args, err := parseFlags(flag.NewFlagSet("explain", flag.ContinueOnError), args, stdout, explainHelp)
	if err != nil {
		return 0, err
	}
	if len(args) == 0 {
		for _, d := range check.Detectors {
			fmt.Fprintf(stdout, "%s\n    \t%s\n", d.Kind, manual.Text(d.Doc))
		}
		return exitOK, nil
	}
	kind := strings.ReplaceAll(strings.Join(args, " "), "-", " ")
	if strings.HasSuffix(args[0], ".run") {
		recorded, err := readRun(ctx, args[0])
		if err != nil {
			return 0, err
		}
		if recorded.Finding == nil {
			return 0, usagef("%s: the run has no finding", args[0])
		}
		kind = recorded.Finding.Kind
	}
	if kind == "race" {
		kind = string(check.Race)
	}
	if check.Of(check.Kind(kind)).Kind == "" {
		return 0, usagef("unknown kind of finding %q; 'everyway explain' lists all", kind)
	}
	section, err := manual.Section("findings", kind)
	if err != nil {
		return 0, err
	}
	fmt.Fprint(stdout, manual.Text(section))
	return exitOK, nil
}
