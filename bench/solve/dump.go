package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/solve"
)

// How many queries -dump writes: the slowest of all searches, so many of one at most, and
// so many of each that are spread over it.
const (
	dumpSlow   = 60
	dumpSlowOf = 3
	dumpSpread = 3
)

// A choice is a query of a record, by its index.
type choice struct {
	*record
	index int
}

// write lists the queries that everyway does not answer and others do, and writes them, the
// slowest and some others as files, with an index of what they are.
func (l *logs) write(out io.Writer, records []*record, all []*solver) error {
	var unanswered, slow, spread []choice
	for _, r := range records {
		of := r.distinct()
		for i := range dumpSpread {
			if at := i * len(of) / dumpSpread; i == 0 || at != (i-1)*len(of)/dumpSpread {
				spread = append(spread, choice{r, of[at]})
			}
		}
		slices.SortStableFunc(of, func(i, j int) int { return cmp.Compare(r.own[j].took, r.own[i].took) })
		for n, i := range of {
			if n < dumpSlowOf {
				slow = append(slow, choice{r, i})
			}
			if r.own[i].result == solve.Unknown && slices.ContainsFunc(r.others, func(answers []answer) bool { return answers[i].result != solve.Unknown }) {
				unanswered = append(unanswered, choice{r, i})
			}
		}
	}
	slices.SortStableFunc(slow, func(x, y choice) int { return cmp.Compare(y.own[y.index].took, x.own[x.index].took) })
	slow = slow[:min(dumpSlow, len(slow))]

	fmt.Fprintf(out, "\nqueries that everyway does not answer, and another solver does within %v: %d\n", otherLimit, len(unanswered))
	for _, c := range unanswered {
		fmt.Fprintln(out, c.describe(all))
	}
	if l.dump == "" {
		return nil
	}
	var index strings.Builder
	for _, list := range []struct {
		name string
		of   []choice
	}{{"unanswered", unanswered}, {"slow", slow}, {"spread", spread}} {
		dir := filepath.Join(l.dump, list.name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("writing queries: %w", err)
		}
		for i, c := range list.of {
			file := fmt.Sprintf("%03d-%s-%d.smt2", i, c.name, c.index)
			if err := writeScript(c.journal.arena, c.queries[c.index].conj, filepath.Join(dir, file)); err != nil {
				return fmt.Errorf("writing queries: %w", err)
			}
			fmt.Fprintf(&index, "%s/%s\n\t%s\n", list.name, file, c.describe(all))
		}
	}
	if err := os.WriteFile(filepath.Join(l.dump, "INDEX"), []byte(index.String()), 0o666); err != nil {
		return fmt.Errorf("writing queries: %w", err)
	}
	return nil
}

// writeScript writes a query as a file.
func writeScript(a *expr.Arena, conj []expr.ID, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(smtlib.WriteScript(f, a, conj), f.Close())
}

// describe says what the solvers answer and what the query is made of.
func (c choice) describe(all []*solver) string {
	text := fmt.Sprintf("%s-%d: everyway %v %s", c.name, c.index, c.own[c.index].result, table.Short(c.own[c.index].took))
	for i, answers := range c.others {
		if a := answers[c.index]; a.asked {
			text += fmt.Sprintf(", %s %v %s", all[i].name, a.result, table.Short(a.took))
		}
	}
	return text + "; " + composition(c.journal.arena, c.queries[c.index].conj)
}

// composition says how large a conjunction is, and how many operators it has of each kind
// and width, but for those that are cheap; /c is by a constant.
func composition(a *expr.Arena, conj []expr.ID) string {
	seen := make(map[expr.ID]bool)
	vars := 0
	operators := make(map[string]int)
	rest := slices.Clone(conj)
	for len(rest) > 0 {
		x := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		for i := range a.NumArgs(x) {
			rest = append(rest, a.Arg(x, i))
		}
		switch op := a.Op(x); op {
		case expr.Var:
			vars++
		case expr.Const, expr.Not, expr.And, expr.Or, expr.Xor, expr.Eq, expr.Concat, expr.Extract, expr.ZExt, expr.SExt:
		default:
			name := op.String()
			if a.NumArgs(x) == 2 && a.Op(a.Arg(x, 1)) == expr.Const {
				name += "/c"
			}
			operators[fmt.Sprint(name, " ", max(a.Width(x), a.Width(a.Arg(x, 0))))]++
		}
	}
	text := fmt.Sprintf("%d conjuncts, %d variables, %d nodes", len(conj), vars, len(seen))
	names := slices.SortedFunc(maps.Keys(operators), func(x, y string) int {
		return cmp.Or(cmp.Compare(operators[y], operators[x]), cmp.Compare(x, y))
	})
	for _, name := range names {
		text += fmt.Sprintf(", %d %s", operators[name], name)
	}
	return text
}
