package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
)

const cleanHelp = `
usage: everyway clean [-n] [-cache] [-runs]

Clean removes what everyway has written: the kept verdicts of all modules, which
are in the user's cache directory, and the run files and saved searches in the
directory .everyway of the current module. After it, everything is searched as
if for the first time.

With -cache or -runs it removes only the one or the other. To search once
without kept verdicts, use 'everyway test -count=1' instead.

The cache is in the directory everyway of the user's cache directory, or where
the environment variable EVERYWAYCACHE says; EVERYWAYCACHE=off keeps nothing.
Entries that have not been used for some days are removed anyway. Clean leaves
alone what 'everyway test -o' wrote to another directory, and the inputs in
testdata/fuzz, which belong to the tests.
`

func runClean(_ context.Context, args []string, stdout, _ io.Writer, files disk.System) (int, error) {
	var print, kept, runs bool
	flags := flag.NewFlagSet("clean", flag.ContinueOnError)
	flags.BoolVar(&print, "n", false, "print what would be removed, but do not remove it")
	flags.BoolVar(&kept, "cache", false, "remove the kept verdicts of all modules")
	flags.BoolVar(&runs, "runs", false, "remove the run files and saved searches of the module")
	rest, err := parseFlags(flags, args, stdout, cleanHelp)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("clean takes no arguments: it cleans the module of the current directory; run 'everyway help clean'")
	}
	if all := !kept && !runs; all {
		kept, runs = true, true
	}
	if kept {
		if err := cleanCache(stdout, files, print); err != nil {
			return 0, err
		}
	}
	if runs {
		if err := cleanRuns(stdout, files, print); err != nil {
			return 0, err
		}
	}
	return exitOK, nil
}

// cleanCache removes the entries of the cache, or prints that it would.
func cleanCache(stdout io.Writer, files disk.System, print bool) error {
	dir, err := cache.Dir()
	if err != nil {
		return usageError{err}
	}
	if dir == "" || !exists(dir) {
		return nil
	}
	if print {
		fmt.Fprintf(stdout, "rm -r %s\n", filepath.Join(dir, cache.Entries))
		return nil
	}
	return cache.Open(disk.Dir{System: files, Path: dir}).Clear()
}

// cleanRuns removes what searches have written in the module of the current directory, or
// prints that it would.
func cleanRuns(stdout io.Writer, files disk.System, print bool) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	dir := program.OutputDir(root)
	switch {
	case !exists(dir):
	case print:
		fmt.Fprintf(stdout, "rm -r %s\n", dir)
	default:
		if err := (disk.Path{Dir: disk.Dir{System: files, Path: root}, Name: filepath.Base(dir)}).RemoveAll(); err != nil {
			return fmt.Errorf("removing run files: %w", err)
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// moduleRoot returns the directory of the module, or workspace, that the current directory is in
// or, if it is in none, the current directory.
func moduleRoot() (string, error) {
	dir, err := workDir()
	if err != nil {
		return "", err
	}
	return program.FindRoot(dir), nil
}
