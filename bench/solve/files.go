package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/solve"
)

// Table files: every solver is a process of its own for each file, everyway too, so that
// the time to start counts for all.

// files are scripts of SMT-LIB 2.
type files struct {
	paths []string // files and directories; none for testdata and for what generate makes
	limit time.Duration
}

// A script is a file, and how everyway reads it.
type script struct {
	family  string // the directory
	path    string
	queries int
	status  []string // of each query: sat or unsat if the file says so
	err     error    // it cannot be read
}

// A command answers a file on the command line.
type command struct {
	name string
	// args are the arguments for a file, with several queries or one.
	args func(path string, queries int) []string
}

// programs returns those that are installed, everyway first.
func programs() ([]command, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("looking for the own program: %w", err)
	}
	all := []command{{"everyway", func(path string, _ int) []string { return []string{self, "-answer", path} }}}
	for _, p := range []command{
		{"z3", func(path string, _ int) []string { return []string{z3Memory, path} }},
		{"cvc5", func(path string, queries int) []string {
			if queries > 1 {
				return []string{"--lang=smt2", "--incremental", path}
			}
			return []string{"--lang=smt2", path}
		}},
		{"boolector", func(path string, _ int) []string { return []string{"--smt2", path} }},
		{"bitwuzla", func(path string, _ int) []string { return []string{path} }},
	} {
		if at, err := exec.LookPath(p.name); err == nil {
			args := p.args
			p.args = func(path string, queries int) []string { return append([]string{at}, args(path, queries)...) }
			all = append(all, p)
		}
	}
	return all, nil
}

// run has the program answer a file. Each answer is sat, unsat or unknown; there are fewer
// than queries when the limit was reached or the program refuses something.
func (p *command) run(ctx context.Context, path string, queries int, limit time.Duration) (answers []string, took time.Duration, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := p.args(path, queries)
	cmd := exec.CommandContext(limited, args[0], args[1:]...)
	start := time.Now()
	said, err := cmd.Output()
	took = time.Since(start)
	// The code of the exit is the answer, or that there was an error somewhere.
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && (limited.Err() == nil || ctx.Err() != nil) {
		return nil, 0, fmt.Errorf("running %s: %w", p.name, err)
	}
	for line := range bytes.Lines(said) {
		switch word := string(bytes.TrimSpace(line)); word {
		case "sat", "unsat", "unknown":
			answers = append(answers, word)
		}
	}
	return answers, took, nil
}

// answerFile prints the answers of the built-in solver to the queries of a file. There is no
// bound on the work: whoever started it has a limit of time. A model is checked.
func answerFile(ctx context.Context, out io.Writer, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	a := expr.NewArena()
	queries, err := smtlib.ParseScript(a, string(text))
	if err != nil {
		return err
	}
	s := solve.New(a, solve.Options{Budget: math.MaxInt64})
	for _, q := range queries {
		r, model, err := s.Check(ctx, q.Conj)
		if err != nil {
			return err
		}
		for _, x := range q.Conj {
			if r == solve.Sat && model.Eval(x) != 1 {
				return fmt.Errorf("%s: the model does not satisfy %s", path, a.String(x))
			}
		}
		fmt.Fprintln(out, r)
	}
	return nil
}

// readScripts finds the scripts below paths, in the order of their names.
func readScripts(paths []string) ([]script, error) {
	var all []script
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".smt2" {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			s := script{family: filepath.Base(filepath.Dir(name)), path: name}
			queries, err := smtlib.ParseScript(expr.NewArena(), string(text))
			if s.queries, s.err = len(queries), err; err != nil {
				s.queries = strings.Count(string(text), "(check-sat")
			}
			for _, q := range queries {
				s.status = append(s.status, strings.TrimSuffix(q.Status, "unknown"))
			}
			all = append(all, s)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for scripts: %w", err)
		}
	}
	return all, nil
}

// table prints a row a directory.
func (f *files) table(ctx context.Context, out io.Writer) error {
	paths := f.paths
	if len(paths) == 0 {
		dir, err := os.MkdirTemp("", "solve")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := generate(ctx, dir); err != nil {
			return err
		}
		paths = []string{"bench/solve/testdata/scripts", dir}
	}
	scripts, err := readScripts(paths)
	if err != nil {
		return err
	}
	all, err := programs()
	if err != nil {
		return err
	}
	if err := startUp(ctx, out, all); err != nil {
		return err
	}
	columns := []string{"SMT-LIB files", "number", "too wide", "not read"}
	for _, p := range all {
		columns = append(columns, p.name+" solves", "in")
	}
	t := table.New(out, columns...)
	var notes []string
	slices.SortStableFunc(scripts, func(x, y script) int { return cmp.Compare(x.family, y.family) })
	for len(scripts) > 0 {
		n := slices.IndexFunc(scripts, func(s script) bool { return s.family != scripts[0].family })
		if n < 0 {
			n = len(scripts)
		}
		more, err := f.row(ctx, t, scripts[:n], all)
		if err != nil {
			return err
		}
		notes = append(notes, more...)
		scripts = scripts[n:]
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(out, n)
	}
	return nil
}

// startUp prints how long the programs take for next to nothing.
func startUp(ctx context.Context, out io.Writer, all []command) error {
	f, err := os.CreateTemp("", "solve*.smt2")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString("(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (= x #x00))\n(check-sat)\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	fmt.Fprint(out, "of that to start (median of 9):")
	for _, p := range all {
		var times []time.Duration
		for range 9 {
			_, took, err := p.run(ctx, f.Name(), 1, time.Minute)
			if err != nil {
				return err
			}
			times = append(times, took)
		}
		fmt.Fprintf(out, " %s %s", p.name, table.Short(table.Median(times)))
	}
	fmt.Fprintln(out)
	return nil
}

// row has all programs answer the files of a family that everyway reads. A file that a program
// does not answer counts with the limit.
func (f *files) row(ctx context.Context, t *table.Table, scripts []script, all []command) (notes []string, err error) {
	wide, unread := 0, 0
	solved := make([]int, len(all))
	times := make([]time.Duration, len(all))
	for _, s := range scripts {
		switch {
		case errors.Is(s.err, smtlib.ErrWide):
			wide++
			continue
		case s.err != nil:
			unread++
			notes = append(notes, fmt.Sprintf("%s: %v", s.path, s.err))
			continue
		}
		known := make([]string, s.queries)
		for i, p := range all {
			answers, took, err := p.run(ctx, s.path, s.queries, f.limit)
			if err != nil {
				return nil, err
			}
			n := 0
			for k, got := range answers[:min(len(answers), len(known))] {
				if got == "unknown" {
					continue
				}
				n++
				if known[k] != "" && known[k] != got {
					return nil, fmt.Errorf("%s: %s says %s to query %d, another says %s", s.path, p.name, got, k, known[k])
				}
				if i == 0 && s.status[k] != "" && s.status[k] != got { // it may be of an older logic
					notes = append(notes, fmt.Sprintf("%s: everyway says %s to query %d, the file %s", s.path, got, k, s.status[k]))
				}
				known[k] = got
			}
			if n < s.queries {
				took = f.limit
				if i == 0 {
					notes = append(notes, fmt.Sprintf("%s: %d of %d queries answered by everyway", s.path, n, s.queries))
				}
			} else {
				solved[i]++
			}
			times[i] += took
		}
	}
	cells := []any{scripts[0].family, len(scripts), wide, unread}
	for i := range all {
		cells = append(cells, solved[i], table.Short(times[i]))
	}
	t.Row(cells...)
	return notes, nil
}

// generate writes scripts into directories below dir: the questions of table hard, paths, and
// queries of searches of the parsers.
func generate(ctx context.Context, dir string) error {
	write := func(a *expr.Arena, conj []expr.ID, family, name string) error {
		if err := os.MkdirAll(filepath.Join(dir, family), 0o777); err != nil {
			return err
		}
		return writeScript(a, conj, filepath.Join(dir, family, name+".smt2"))
	}
	for i, q := range questions {
		b := builder{expr.NewArena()}
		if err := write(b.Arena, q.conj(b), "hard", fmt.Sprintf("%02d", i)); err != nil {
			return err
		}
	}
	for i := range generatedPaths {
		a := expr.NewArena()
		if err := write(a, randomPath(a, rand.New(rand.NewPCG(uint64(i), 1))), "paths", fmt.Sprintf("%03d", i)); err != nil {
			return err
		}
	}
	prog, err := program.Load(ctx, ".", []string{parserPackage}, nil, true)
	if err != nil {
		return err
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		return err
	}
	l := logs{budget: time.Hour, runs: generatedRuns}
	for i := range targets {
		r := &record{name: targets[i].Name}
		if _, err := l.search(ctx, r, prog, &targets[i]); err != nil {
			return err
		}
		of := r.distinct()
		for n := range min(generatedQueries, len(of)) {
			at := of[n*len(of)/min(generatedQueries, len(of))]
			if err := write(r.journal.arena, r.queries[at].conj, "parsers", fmt.Sprintf("%s-%d", r.name, at)); err != nil {
				return err
			}
		}
	}
	return nil
}

// How much generate makes: paths, and of each parser runs of a search and queries of it.
const (
	generatedPaths   = 100
	generatedRuns    = 100
	generatedQueries = 10
)

// randomPath is a path of 5 to 20 branches over four variables of 32 or 64 bits, as a run
// meets them, but for the last one, which goes the other way.
func randomPath(a *expr.Arena, r *rand.Rand) []expr.ID {
	width := uint8(32 << r.IntN(2))
	values := make(map[expr.ID]uint64)
	var vars []expr.ID
	for i := range 4 {
		v := a.Var(fmt.Sprintf("x%d", i), width)
		vars = append(vars, v)
		values[v] = r.Uint64() >> r.IntN(64) & (math.MaxUint64 >> (64 - width))
	}
	constant := func() expr.ID { return a.Const(r.Uint64()>>r.IntN(64)&(math.MaxUint64>>(64-width)), width) }
	var term func(depth int) expr.ID
	term = func(depth int) expr.ID {
		x := vars[r.IntN(len(vars))]
		if depth == 0 {
			return x
		}
		ops := []expr.Op{expr.Add, expr.Sub, expr.And, expr.Or, expr.Xor, expr.Mul, expr.Shl, expr.LShr}
		op := ops[r.IntN(len(ops))]
		switch {
		case op == expr.Shl || op == expr.LShr:
			return a.Binary(op, term(depth-1), a.Const(uint64(r.IntN(int(width))), width))
		case op == expr.Mul: // as of an index
			return a.Binary(op, term(depth-1), a.Const(uint64(2+r.IntN(100)), width))
		case r.IntN(2) == 0:
			return a.Binary(op, term(depth-1), constant())
		}
		return a.Binary(op, term(depth-1), term(depth-1))
	}
	var conj []expr.ID
	for n := 5 + r.IntN(16); len(conj) < n; {
		ops := []expr.Op{expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle}
		y := constant()
		if r.IntN(2) == 0 {
			y = term(1)
		}
		c := a.Binary(ops[r.IntN(len(ops))], term(2), y)
		if _, ok := a.ConstValue(c); ok {
			continue
		}
		if a.Eval(c, func(v expr.ID) uint64 { return values[v] }) == 0 {
			c = a.Not(c)
		}
		conj = append(conj, c)
	}
	conj[len(conj)-1] = a.Not(conj[len(conj)-1])
	return conj
}
