package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/binary"
	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/engine/program"
)

// A row is a program of the paper's Table 3.5.
type row struct {
	name   string
	unroll int    // markers that a goroutine passes in an epoch
	input  string // of the measurement
	paper  string // time over plain, with 2, 4 and 8 goroutines
	// scans says that the program is given a text and a directory of files to look for it in.
	scans bool
}

var rows = []row{
	{"blackscholes", 0, "n=2000000", "1.0 1.0 1.0", false},
	{"swaptions", 0, "number=64 simulations=20000", "", false},
	{"fft", 0, "half=10 back=1", "1.0 1.0 1.0", false},
	{"lu", 0, "blocks=16 block=32", "1.0 1.0 1.0", false},
	{"radix", 0, "n=4000000 digits=3", "1.0 1.05 1.05", false},
	{"pfscan", 0, "", "1.6", true},
	{"pfscan", 3, "", "", true},
}

// label returns the name of the program, with the options of its set.
func (r *row) label() string {
	text := r.name
	if r.unroll > 0 {
		text += fmt.Sprint(" -unroll ", r.unroll)
	}
	return text
}

// sizes are the build constraints that choose the number of workers: 2, 4 and 8.
var sizes = []string{"workers2", "", "workers8"}

// A measurement is what rows are made with.
type measurement struct {
	work    string
	times   int
	budget  time.Duration // for the schedules of a program
	workers int           // 0 if all numbers of workers are wanted
}

// runtime prints Table 3.5.
func (m *measurement) runtime(ctx context.Context, names *regexp.Regexp) error {
	out, err := table.NewRows(os.Stdout, "          program", "workers", "schedules", "epochs run", "variables", "tree max", "tree avg", "plain", "CPU an epoch", "time", " CPU", "paper, 2 4 8")
	if err != nil {
		return err
	}
	return each(names, m.workers, func(r *row, workers int, tag string) error {
		cells, err := m.row(ctx, r, workers, tag)
		if err != nil {
			return err
		}
		return out.Row(append([]any{r.label(), workers}, cells...)...)
	})
}

// each calls do for each program whose name matches, and each number of workers, with the build
// constraint for that; workers is the only one, unless it is 0.
func each(names *regexp.Regexp, workers int, do func(r *row, workers int, tag string) error) error {
	for _, r := range rows {
		if !names.MatchString(r.name) {
			continue
		}
		for i, n := range []int{2, 4, 8} {
			if workers != 0 && workers != n {
				continue
			}
			if err := do(&r, n, sizes[i]); err != nil {
				return fmt.Errorf("%s, %d workers: %w", r.name, n, err)
			}
		}
	}
	return nil
}

// A subject is a program of which the schedules are known, built as usual and from these.
type subject struct {
	set         *cover.Set
	built       *binary.Result
	plain, kept string
	args        []string
	log         string // for its epochs
}

// subject makes a subject. If the program scans files, it is given so many of a size.
func (m *measurement) subject(ctx context.Context, r *row, workers int, tag string, files, size int) (*subject, error) {
	pattern, flags := "./bench/cover/testdata/"+r.name, []string{"-tags=" + tag}
	dir := filepath.Join(m.work, fmt.Sprint(r.name, workers, "-", r.unroll))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	s := &subject{log: filepath.Join(dir, "log")}
	var err error
	if s.set, err = m.schedules(ctx, pattern, flags, r); err != nil {
		return nil, err
	}
	if err := save(dir, s.set); err != nil {
		return nil, err
	}
	if s.built, s.plain, s.kept, err = build(ctx, dir, pattern, flags); err != nil {
		return nil, err
	}
	s.args, err = m.arguments(r, files, size)
	return s, err
}

// row measures a program.
func (m *measurement) row(ctx context.Context, r *row, workers int, tag string) ([]any, error) {
	s, err := m.subject(ctx, r, workers, tag, 50, 1<<20)
	if err != nil {
		return nil, err
	}
	schedules := 0
	for _, e := range s.set.Epochs {
		schedules += len(e.Schedules)
	}
	counted := fmt.Sprint(schedules)
	if !s.set.Complete() {
		counted += "+"
	}
	first, _, _, err := execute(ctx, s.plain, r.input, "", s.args)
	if err != nil {
		return nil, err
	}
	output, _, _, err := execute(ctx, s.kept, r.input, s.log, s.args)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 96 {
		return []any{counted, "no schedule for the input found in " + m.budget.String()}, nil
	}
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(first, output) {
		return nil, fmt.Errorf("the outputs differ:\n%s\n%s", first, output)
	}
	epochs, most, terms, err := read(s.log)
	if err != nil {
		return nil, err
	}
	c, err := s.compare(ctx, r.input, m.times)
	if err != nil {
		return nil, err
	}
	return []any{
		counted, epochs, s.built.Variables, most, fmt.Sprintf("%.2f", float64(terms)/float64(epochs)), table.Short(c.plain),
		table.Short(c.processor / time.Duration(epochs)), fmt.Sprintf("%.2f", c.wall), fmt.Sprintf("%.2f", c.cpu), r.paper,
	}, nil
}

// A comparison is what runs of a program that is kept to its schedules take beside runs of the plain one.
type comparison struct {
	plain, processor time.Duration // the shortest run of the plain program, and the least processor time of the other one
	wall, cpu        float64       // medians of what a run takes, divided by what the one of the plain program beside it takes
}

// compare runs both programs so many times, in turns: each begins half of these, since what runs beside them changes.
func (s *subject) compare(ctx context.Context, input string, times int) (*comparison, error) {
	c := new(comparison)
	var walls, cpus []float64
	for i := range times {
		programs := []string{s.plain, s.kept}
		var wall, cpu [2]time.Duration
		for k := range programs {
			k ^= i & 1
			var err error
			if _, wall[k], cpu[k], err = execute(ctx, programs[k], input, "", s.args); err != nil {
				return nil, err
			}
		}
		if i == 0 || wall[0] < c.plain {
			c.plain = wall[0]
		}
		if i == 0 || cpu[1] < c.processor {
			c.processor = cpu[1]
		}
		walls = append(walls, float64(wall[1])/float64(wall[0]))
		cpus = append(cpus, float64(cpu[1])/float64(cpu[0]))
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	c.wall, c.cpu = walls[len(walls)/2], cpus[len(cpus)/2]
	return c, nil
}

// build builds a program in a directory, as usual and from the set that is there.
func build(ctx context.Context, dir, pattern string, flags []string) (built *binary.Result, plain, kept string, err error) {
	plain, kept = filepath.Join(dir, "plain"), filepath.Join(dir, "kept")
	if out, err := exec.CommandContext(ctx, "go", append([]string{"build", "-o", plain}, append(flags, pattern)...)...).CombinedOutput(); err != nil {
		return nil, "", "", fmt.Errorf("%w\n%s", err, out)
	}
	built, err = binary.Build(ctx, binary.Config{Dir: ".", Pattern: pattern, Flags: flags, Set: dir, Output: kept})
	return built, plain, kept, err
}

// schedules finds the schedules of a program.
func (m *measurement) schedules(ctx context.Context, pattern string, flags []string, r *row) (*cover.Set, error) {
	p, err := program.LoadNamed(ctx, ".", []string{pattern}, flags, false)
	if err != nil {
		return nil, err
	}
	if r.scans {
		p.Args = []string{"x", "."}
	}
	targets, err := p.Select(program.Selection{Func: "main"})
	if err != nil {
		return nil, err
	}
	s, err := covering.New(ctx, p, &targets[0], covering.Config{Unroll: r.unroll})
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, m.budget)
	defer cancel()
	if err := s.Run(limited); err != nil && limited.Err() == nil {
		return nil, err
	}
	return s.Set(), ctx.Err()
}

// arguments returns those of a program. If it scans files, it is given so many of a size, of which
// every third one has the text.
func (m *measurement) arguments(r *row, files, size int) ([]string, error) {
	if !r.scans {
		return nil, nil
	}
	dir := filepath.Join(m.work, fmt.Sprint("files", files))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for i := range files {
		text := bytes.Repeat([]byte("nothing here\n"), size/13)
		if i%3 == 0 {
			copy(text[len(text)/2:], "needle")
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), text, 0o666); err != nil {
			return nil, err
		}
	}
	return []string{"needle", dir}, nil
}

// save writes a set to a directory.
func save(dir string, set *cover.Set) error {
	f, err := os.Create(filepath.Join(dir, cover.File))
	if err != nil {
		return err
	}
	return errors.Join(set.Write(f), f.Close())
}

// execute runs a program, which writes its epochs to log if that is not empty.
func execute(ctx context.Context, program, input, log string, args []string) (output []byte, wall, processor time.Duration, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "EVERYWAY_INPUT="+input)
	if log != "" {
		cmd.Env = append(cmd.Env, "EVERYWAY_COVER="+log)
	}
	begun := time.Now()
	output, err = cmd.Output()
	return output, time.Since(begun), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// read reads what a program has written about its epochs: how many there were, and how many
// operators of conditions were computed at one, at most and in all.
func read(log string) (epochs, most, terms int, err error) {
	f, err := os.Open(log)
	if err != nil {
		return 0, 0, 0, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "order") {
			continue
		}
		epochs++
		var epoch, schedule, n int
		if _, err := fmt.Sscanf(lines.Text(), "epoch %d schedule %d terms %d", &epoch, &schedule, &n); err != nil {
			return 0, 0, 0, fmt.Errorf("%s: %w", log, err)
		}
		most, terms = max(most, n), terms+n
	}
	return epochs, most, terms, nil
}
