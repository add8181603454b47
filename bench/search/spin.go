package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// spin measures the programs for which there is a Promela model. It is false,
// and nothing is done, when Spin or gcc is not there.
func (b *bench) spin(ctx context.Context) (installed bool, err error) {
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(tool); errors.Is(err, exec.ErrNotFound) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	for _, r := range []struct {
		name     string
		n, known int
	}{
		{"bluetooth", 2, 0},
		{"bluetooth", 3, 0},
		{"philosophers", 6, 62},
		{"philosophers", 8, 254},
		{"stack", 7, 3432},
		{"queue", 4, 4900},
	} {
		o, err := verify(ctx, r.name, r.n)
		if err != nil {
			return true, err
		}
		if err := b.measure(ctx, r.name, r.n, r.known, math.MaxInt, o); err != nil {
			return true, err
		}
	}
	return true, nil
}

var (
	stored = regexp.MustCompile(`(?m)^ *([0-9]+) states, stored`)
	faults = regexp.MustCompile(`errors: ([0-9]+)`)
)

// verify lets Spin search the model of that name, with parameter n.
func verify(ctx context.Context, name string, n int) (other, error) {
	model, err := filepath.Abs(filepath.Join("bench/search/testdata/spin", name+".pml"))
	if err != nil {
		return other{}, err
	}
	dir, err := os.MkdirTemp("", "spin")
	if err != nil {
		return other{}, err
	}
	defer os.RemoveAll(dir)
	command := func(name string, args ...string) (out []byte, cpu time.Duration, err error) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = dir
		if out, err = cmd.CombinedOutput(); err != nil {
			return nil, 0, fmt.Errorf("running %v: %w\n%s", cmd.Args, err, out)
		}
		return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
	}
	if _, _, err := command("spin", "-a", fmt.Sprintf("-DN=%d", n), model); err != nil {
		return other{}, err
	}
	if _, _, err := command("gcc", "-O2", "-o", "pan", "pan.c"); err != nil {
		return other{}, err
	}
	out, cpu, err := command("./pan", "-m100000", "-w20")
	if err != nil {
		return other{}, err
	}
	o := other{tool: "Spin", time: cpu.Round(time.Millisecond)}
	found, errs := stored.FindSubmatch(out), faults.FindSubmatch(out)
	if found == nil || errs == nil || string(errs[1]) != "0" {
		return other{}, fmt.Errorf("Spin's report on %s(%d):\n%s", name, n, out)
	}
	if o.states, err = strconv.Atoi(string(found[1])); err != nil {
		return other{}, fmt.Errorf("Spin's report on %s(%d): %w", name, n, err)
	}
	return o, nil
}
