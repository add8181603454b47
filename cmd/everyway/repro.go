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
	"strings"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/drawing"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/instrument"
)

const reproHelp = `
usage: everyway repro [flags] file.run

Repro writes a test with the input of a recorded run, beside the test that was
searched. Plain go test runs it: it fails, and passes when the bug is mended.
For a function that was searched with -func, the test builds what the parameters
lead to, if Go statements in its package can: pointers, slices, maps, channels
and numbers. With -dot, repro draws these objects instead, as a graph for
Graphviz.

If the run also needs a schedule, the test fails only by chance; its comment has
the command that forces the schedule.
`

func runRepro(ctx context.Context, args []string, stdout, _ io.Writer, _ disk.System) (int, error) {
	flags := flag.NewFlagSet("repro", flag.ContinueOnError)
	chdir := registerChdir(flags)
	to := flags.String("o", "", "write the test to `file`, or to the standard output if that is -\n(default everyway_TARGET_test.go in the package's directory)")
	dot := flags.Bool("dot", false, "write the objects of the input to the standard output as a graph in the DOT language,\nand no test")
	files, err := parseFlags(flags, args, stdout, reproHelp)
	if err != nil {
		return 0, err
	}
	if len(files) != 1 {
		return 0, usagef("repro takes one run file; run 'everyway help repro'")
	}
	dir, err := enterDir(*chdir)
	if err != nil {
		return 0, err
	}
	recorded, err := readRun(ctx, files[0])
	if err != nil {
		return 0, err
	}
	if *dot {
		_, err := io.WriteString(stdout, drawing.Of(recorded.Input).DOT())
		return exitOK, err
	}
	root := program.FindRoot(dir)
	text, err := instrument.Repro(recorded, root, "everyway confirm "+filepath.ToSlash(files[0]))
	if err != nil {
		return 0, usageError{fmt.Errorf("%s: %w", files[0], err)}
	}
	if *to == "-" {
		_, err := stdout.Write(text)
		return exitOK, err
	}
	name := *to
	if name == "" {
		target := strings.ToLower(strings.NewReplacer("(", "", ")", "", "*", "", ".", "_").Replace(recorded.Target))
		name = filepath.Join(root, filepath.FromSlash(recorded.Dir), "everyway_"+target+"_test.go")
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return 0, usagef("%s exists; use -o", name)
	}
	if err != nil {
		return 0, usageError{err}
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return 0, fmt.Errorf("writing the test: %w", err)
	}
	fmt.Fprintln(stdout, name)
	return exitOK, nil
}
