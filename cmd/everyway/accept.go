package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/everyway-go/everyway/internal/accept"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
)

const acceptHelp = `
usage: everyway accept [-reason text] file.run...

Accept notes that the findings of run files are known and accepted. They no
longer make a target fail: a search lists them and goes on.

	everyway accept -reason 'only a statistic' .everyway/TestGet-data-race.run

The findings are added to the file everyway.accept in the root of the module,
which you check in. An entry has the kind of the finding, the test in which it
was seen, the reason and, on lines of their own, its places: each a function and
the text of the source line. You may edit and remove entries. A finding that is
not exactly an accepted one still fails. When the test of an entry holds without
it, everyway test says that it can be removed.

A comment on the line of one of its places, or on the line above, accepts a
finding, too:

	hits++ //everyway:accept data race: only a statistic
`

func runAccept(ctx context.Context, args []string, stdout, _ io.Writer, disks disk.System) (int, error) {
	fs := flag.NewFlagSet("accept", flag.ContinueOnError)
	reason := fs.String("reason", "", "`text` that says why the findings are accepted")
	files, err := parseFlags(fs, args, stdout, acceptHelp)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, usagef("accept takes run files; run 'everyway help accept'")
	}
	dir, err := workDir()
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		run, err := readRun(ctx, file)
		if err != nil {
			return 0, err
		}
		prog, target, err := program.LoadRecorded(ctx, dir, run)
		if err != nil {
			return 0, usageError{err}
		}
		root := prog.RootOf(target.Package)
		list, err := accept.Read(disk.Dir{System: disks, Path: root}, prog.Source(root))
		if err != nil {
			return 0, usageError{err}
		}
		entry, added, err := list.Add(run, *reason)
		switch {
		case err != nil:
			return 0, usagef("%s: %w", file, err)
		case added:
			fmt.Fprint(stdout, entry)
		default:
			fmt.Fprintf(stdout, "%s:%d: the %s is accepted already\n", entry.File, entry.Line, entry.Kind)
		}
	}
	return exitOK, nil
}

// reportGone says which entries accept what does not occur any more: those of tests that
// hold, and comments in files of packages of which all targets do.
func reportGone(stderr io.Writer, list *accept.List, comments []*accept.Entry, held map[string]bool) {
	for _, e := range list.Unused(comments) {
		switch {
		case e.Target == "":
			fmt.Fprintf(stderr, "%s:%d: the %s that is accepted here no longer occurs: remove the comment\n", e.File, e.Line, e.Kind)
		case held[e.Target]:
			fmt.Fprintf(stderr, "%s:%d: the %s in %s that is accepted no longer occurs: remove the entry\n",
				e.File, e.Line, e.Kind, e.Target)
		}
	}
}

// acceptedFindings reads the lists of the modules that targets are in.
func acceptedFindings(prog *program.Program, targets []load.Target) (map[string]*accept.List, error) {
	lists := map[string]*accept.List{}
	for i := range targets {
		root := prog.RootOf(targets[i].Package)
		if lists[root] != nil {
			continue
		}
		list, err := accept.Read(disk.Dir{System: prog.Disk, Path: root}, prog.Source(root))
		if err != nil {
			return nil, usageError{err}
		}
		lists[root] = list
	}
	return lists, nil
}

// searchedComments returns the comments that accept findings in the packages of the module with
// a root of which all targets were searched and hold.
func searchedComments(prog *program.Program, root string, targets []load.Target, held map[string]bool) []*accept.Entry {
	left := map[string]int{} // targets that do not hold or were not searched, by test binary
	for _, t := range prog.Targets() {
		switch t.Kind {
		case load.TargetTest, load.TargetFuzz, load.TargetExample:
			left[t.Package.Binary()]++
		}
	}
	for i := range targets {
		if held[targets[i].Package.Path+"."+targets[i].Name] {
			left[targets[i].Package.Binary()]--
		}
	}
	var comments []*accept.Entry
	for _, p := range prog.Packages {
		if n, tested := left[p.Binary()]; n != 0 || !tested || prog.RootOf(p) != root {
			continue
		}
		for at, text := range prog.Lines(p) {
			if e := accept.ParseComment(at.Filename, at.Line, text); e != nil && filepath.IsLocal(at.Filename) {
				comments = append(comments, e)
			}
		}
	}
	return comments
}
