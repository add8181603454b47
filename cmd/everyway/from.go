package main

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/everyway-go/everyway/internal/dump"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
)

// defaultGoroutines is how many goroutines of a dump a search begins with by default: each has an input of its own.
const defaultGoroutines = 8

// inMiddle reports whether the search begins in the middle of the program.
func (f *testFlags) inMiddle() bool { return len(f.at) > 0 || f.calls != "" || f.from != "" }

// dumped returns the target that begins where the goroutines of the dump of -from are.
func (f *testFlags) dumped(ctx context.Context, prog *program.Program) ([]load.Target, error) {
	d, err := f.readDump()
	if err != nil {
		return nil, usagef("-from %s: %w", f.from, err)
	}
	t, err := prog.DumpContext(ctx, d, cmp.Or(f.goroutines, defaultGoroutines))
	if err != nil {
		return nil, usagef("-from %s: %w", f.from, err)
	}
	return []load.Target{*t}, nil
}

// readDump reads the dump of -from.
func (f *testFlags) readDump() (*dump.Dump, error) {
	if f.from == "-" {
		return dump.Parse(os.Stdin)
	}
	file, err := os.Open(f.from)
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return nil, path.Err // the file is named already
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return dump.Parse(file)
}
