package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/recording"
	"github.com/everyway-go/everyway/internal/report"
	runs "github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// recordingSize is how many bytes a native run records at most.
const recordingSize = 4 << 30

// checkNative says which flags do not go with -native.
func (f *recordFlags) checkNative() error {
	for _, x := range []struct {
		given bool
		name  string
	}{
		{f.seed != 0, "-seed"}, {f.concrete, "-concrete"}, {f.function != "", "-func"}, {f.fuzz != "", "-fuzz"}, {f.args != nil, "-args"},
	} {
		if x.given {
			return usagef("-native cannot be combined with %s", x.name)
		}
	}
	for _, b := range f.build {
		if strings.HasPrefix(b, "-overlay=") {
			return usagef("-native cannot be combined with -overlay: it has one of its own")
		}
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return usagef("-native needs Linux on amd64 or arm64, and this is %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return nil
}

// native records a native run of each target, which are of one program.
func (r *recorder) native(ctx context.Context, prog *program.Program, targets []load.Target) (err error) {
	t, err := disk.MakeTemporary(disk.Host{}, os.TempDir(), "everyway-record-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Remove()) }()
	binaries := map[string]*recording.Program{}
	for i := range targets {
		target := &targets[i]
		if target.Kind != load.TargetTest {
			fmt.Fprintf(r.stderr, "everyway: %s.%s: a %s is not recorded natively, only tests are\n", target.Package.Path, target.Name, target.Kind)
			continue
		}
		dir := target.Package.Dir
		if binaries[dir] == nil {
			work := filepath.Join(t.Path, fmt.Sprint(len(binaries)))
			if binaries[dir], err = recording.Build(ctx, dir, work, prog.Toolchain.GOROOT, r.build); err != nil {
				return usageError{err}
			}
		}
		if err := r.nativeTarget(ctx, binaries[dir], prog, target); err != nil {
			return err
		}
	}
	return nil
}

// nativeTarget records a native run of a target.
func (r *recorder) nativeTarget(ctx context.Context, binary *recording.Program, prog *program.Program, target *load.Target) (err error) {
	var flags []string
	if r.short {
		flags = append(flags, "-test.short")
	}
	result, err := binary.Record(ctx, target.Name, flags, recordingSize)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	build, err := prog.Build(target)
	if err != nil {
		return err
	}
	settings := runs.Settings{Limits: worker.DefaultLimits, Short: r.short, Run: r.run, Skip: r.skip}
	about, err := worker.Properties(worker.Header(prog, target, build, settings))
	if err != nil {
		return err
	}
	var sum recording.Summary
	written, err := r.put(prog.Output("", target, r.extension()), func(to io.Writer) (events int64, err error) {
		table := schedule.NewTable()
		w, err := schedule.NewWriter(to, r.encoding(), table, about...)
		if err != nil {
			return 0, err
		}
		o := recording.Options{Program: binary.Binary(), GOROOT: prog.Toolchain.GOROOT, Root: prog.RootOf(target.Package)}
		if sum, err = result.WriteSchedule(w, table, o); err != nil {
			return 0, err
		}
		return w.Events(), w.Close()
	})
	if errors.Is(err, recording.ErrNothing) {
		return usageError{fmt.Errorf("%s.%s: %w", target.Package.Path, target.Name, err)}
	}
	if err != nil || r.out == "-" {
		return err
	}
	fmt.Fprintf(r.stdout, "recorded %s.%s\t%d events, %d goroutines, natively\n", target.Package.Path, target.Name, written.events, sum.Goroutines)
	switch {
	case sum.Full:
		fmt.Fprintf(r.stdout, "        not to its end: more than %d MB were recorded\n", recordingSize>>20)
	case sum.Cut != nil:
		fmt.Fprintf(r.stdout, "        not to its end: %v\n", sum.Cut)
	}
	if sum.Others > 0 {
		fmt.Fprintf(r.stdout, "        without %d operations of goroutines that the test has not started\n", sum.Others)
	}
	if result.Failed {
		fmt.Fprintf(r.stdout, "        the run itself fails:\n")
		for line := range strings.Lines(result.Output) {
			fmt.Fprintf(r.stdout, "        | %s\n", strings.TrimRight(line, "\n"))
		}
	}
	fmt.Fprintf(r.stdout, "        %s\n", report.Relative(r.dir, written.file))
	return nil
}
