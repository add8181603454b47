// Vm times CPU-bound programs in the machine, compiled by the go command, in
// x/tools' go/ssa/interp and in yaegi, all in one run, and prints the ratios: those
// of the machine with a symbolic value alive in main, which the work does not touch,
// too. Then it times small runs of three goroutines, in the machine and with native
// ways to hand control over at every step.
//
//	go run ./bench/vm
//
// Yaegi is a module of its own, in the directory yaegi; its column is empty when the
// go command cannot build it. What yaegi's programs import is compiled code, where
// the machine and go/ssa/interp run its source.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
)

// repeats is how often a program is run in the machine and natively; the median counts.
const repeats = 3

// programs are the directories in testdata of the programs that are timed.
var programs = []string{"xorshift", "quicksort", "bst", "nbody", "concat", "words", "sha256", "jsontrip"}

func main() {
	only := flag.String("only", strings.Join(programs, ","), "the programs that are timed")
	others := flag.Bool("others", true, "time the other interpreters and the handing over of control too")
	profile := flag.String("cpuprofile", "", "write a profile of the runs in the machine to this file")
	flag.Parse()
	table.Main(func(ctx context.Context) error { return measure(ctx, strings.Split(*only, ","), *others, *profile) })
}

func measure(ctx context.Context, names []string, others bool, profile string) error {
	tmp, err := os.MkdirTemp("", "bench-vm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var yaegi string
	if others {
		if yaegi, err = buildYaegi(tmp); err != nil {
			fmt.Fprintln(os.Stderr, "vm: no yaegi:", err)
		}
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	idle, err := native(tmp, "idle")
	if err != nil {
		return err
	}
	t := table.New(os.Stdout, "program", "native", "everyway", "instructions", "ns each", "over native", "with a live input", "yaegi over native", "go/ssa/interp over native")
	var ours, live, interpreters, interps ratios
	for _, name := range names {
		fast, err := native(tmp, name)
		if err != nil {
			return err
		}
		fast -= idle
		slow, instructions, err := timeMachine(ctx, name, false)
		if err != nil {
			return err
		}
		symbolic, _, err := timeMachine(ctx, name, true)
		if err != nil {
			return err
		}
		var byYaegi, byInterp time.Duration
		if others {
			if yaegi != "" {
				byYaegi, _ = once(yaegi, sourceOf(name))
			}
			byInterp = interpreted(name)
		}
		t.Row(name, fast.Round(time.Microsecond), slow.Round(time.Microsecond), instructions, fmt.Sprintf("%.2f", float64(slow.Nanoseconds())/float64(instructions)),
			ours.add(slow, fast), live.add(symbolic, slow), interpreters.add(byYaegi, fast), interps.add(byInterp, fast))
	}
	t.Row("geometric mean", "", "", "", "", ours.mean(), live.mean(), interpreters.mean(), interps.mean())
	if err := t.Flush(); err != nil || !others {
		return err
	}
	fmt.Println()
	return handovers(ctx)
}

// ratios are those of a column.
type ratios []float64

// add adds the ratio of two times and returns it as text, that of one which could
// not be had as a dash.
func (r *ratios) add(time, over time.Duration) string {
	if time <= 0 {
		return "-"
	}
	x := time.Seconds() / over.Seconds()
	*r = append(*r, x)
	return fmt.Sprintf("%.2fx", x)
}

// mean returns the geometric mean as text.
func (r ratios) mean() string {
	if len(r) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2fx", table.GeometricMean(r))
}

// median runs f repeatedly and returns the median of the times that it gives.
func median(f func() (time.Duration, error)) (time.Duration, error) {
	var times []time.Duration
	for range repeats {
		t, err := f()
		if err != nil {
			return 0, err
		}
		times = append(times, t)
	}
	return table.Median(times), nil
}

// directory returns where a program is.
func directory(name string) string { return "./bench/vm/testdata/" + name }

// sourceOf returns the source file of a program.
func sourceOf(name string) string { return directory(name) + "/main.go" }

// native times the program as the go command compiles it, its start included.
func native(tmp, name string) (time.Duration, error) {
	bin := filepath.Join(tmp, name)
	if out, err := exec.Command("go", "build", "-o", bin, directory(name)).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("building %s: %w\n%s", name, err, out)
	}
	return median(func() (time.Duration, error) { return once(bin) })
}

// once runs a command and returns its processor time.
func once(name string, args ...string) (time.Duration, error) {
	cmd := exec.Command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// buildYaegi builds the command in the directory yaegi.
func buildYaegi(tmp string) (bin string, err error) {
	bin = filepath.Join(tmp, "yaegi")
	build := exec.Command("go", "build", "-C", "bench/vm/yaegi", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return "", errors.New(strings.TrimSpace(string(out)))
	}
	return bin, nil
}
