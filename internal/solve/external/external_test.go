package external_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/external"
)

// TestMain has the test binary stand for solvers that go wrong: run with
// EVERYWAY_SOLVER set, it gives the answers there to the queries it gets, and ends.
func TestMain(m *testing.M) {
	if answers, ok := os.LookupEnv("EVERYWAY_SOLVER"); ok {
		imitate(strings.Split(answers, ";"))
		return
	}
	os.Exit(m.Run())
}

func imitate(answers []string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if !strings.HasPrefix(in.Text(), "(check-sat") && !strings.HasPrefix(in.Text(), "(get-value") {
			continue
		}
		switch answers[0] {
		case "die":
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(1)
		case "hang":
			time.Sleep(time.Hour)
		}
		fmt.Println(answers[0])
		if answers = answers[1:]; len(answers) == 0 {
			return
		}
	}
}

// liar returns a pool of processes that give the answers.
func liar(t *testing.T, answers ...string) *external.Pool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("EVERYWAY_SOLVER", strings.Join(answers, ";"))
	p := external.NewPool([]string{self})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// installed returns a pool of each solver there is.
func installed(t *testing.T) map[string]*external.Pool {
	pools := map[string]*external.Pool{}
	for _, name := range external.Names() {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		command, err := external.Command(name)
		if err != nil {
			t.Fatal(err)
		}
		pools[name] = external.NewPool(command)
		t.Cleanup(func() { pools[name].Close() })
	}
	if len(pools) == 0 {
		t.Skip("no solver is installed")
	}
	return pools
}

// TestInstalled has real solvers give answers and models, one query after
// another and many at a time.
func TestInstalled(t *testing.T) {
	for name, pool := range installed(t) {
		t.Run(name, func(t *testing.T) {
			if err := pool.Probe(t.Context()); err != nil {
				t.Fatal(err)
			}
			var wait sync.WaitGroup
			for range 3 {
				wait.Go(func() { queryMany(t, pool) })
			}
			wait.Wait()
		})
	}
}

// queryMany flips the conditions of a path one after another, as a search does.
func queryMany(t *testing.T, pool *external.Pool) {
	a := expr.NewArena()
	x, y := a.Var("a b", 16), a.Var("|ü%", 7)
	path := []expr.ID{
		a.Ult(x, a.Const(100, 16)),
		a.Eq(a.URem(x, a.Const(7, 16)), a.Const(3, 16)),
		a.Slt(y, a.Const(5, 7)),
		a.Eq(a.Extract(x, 0, 7), a.Mul(y, y)),
	}
	for round := range 4 {
		for i := range path {
			query := append(append([]expr.ID{}, path[:i]...), a.Not(path[i]))
			if round%2 == 1 { // and one that is false
				query = append(query, path[i])
			}
			vars := []expr.ID{x}
			if i >= 2 {
				vars = append(vars, y)
			}
			result, values, err := pool.Solve(t.Context(), a, query, vars)
			if err != nil {
				t.Error(err)
				return
			}
			want := solve.Sat
			if round%2 == 1 {
				want = solve.Unsat
			}
			if result != want || result == solve.Sat && len(values) != len(vars) {
				t.Errorf("conditions up to %d: %v %v, want %v", i, result, values, want)
			}
		}
	}
}

// TestWrong checks that what a solver should not say is an error.
func TestWrong(t *testing.T) {
	a := expr.NewArena()
	x := a.Var("x", 8)
	conj := []expr.ID{a.Eq(a.Mul(x, x), a.Const(4, 8))}
	for _, test := range []struct {
		answers []string
		want    string
	}{
		{[]string{"sat", "((|x:8| #x03))"}, "does not satisfy"},
		{[]string{"sat", "((|x:8| (_ bv3 8)))"}, "does not satisfy"},
		{[]string{"sat", "((|y:8| #x02))"}, "the value of |x:8| is expected"},
		{[]string{"sat", "((|x:8| #x102))"}, "wider"},
		{[]string{"sat", "((|x:8| true))"}, "not a bit-vector"},
		{[]string{"sat", "((|x:8| #x02)"}, "EOF"},
		{[]string{"maybe"}, `"maybe"`},
		{[]string{`(error "line 3: no such (thing")`}, "no such (thing"},
		{[]string{"die"}, "out of memory"},
	} {
		t.Run(strings.Join(test.answers, " "), func(t *testing.T) {
			result, _, err := liar(t, test.answers...).Solve(t.Context(), a, conj, []expr.ID{x})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, %v, want an error with %q", result, err, test.want)
			}
		})
	}
	for _, right := range []string{"((|x:8| #x02))", "((|x:8| #b11111110))", "((|x:8| (_ bv126 8)))", "(\n  ( |x:8| #x82 ) )"} {
		result, values, err := liar(t, "sat", right).Solve(t.Context(), a, conj, []expr.ID{x})
		if result != solve.Sat || err != nil || len(values) != 1 {
			t.Errorf("%s: %v, %v, %v", right, result, values, err)
		}
	}
}

// TestCancel checks that a query that is not wanted any more ends.
func TestCancel(t *testing.T) {
	a := expr.NewArena()
	x := a.Var("x", 8)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	result, _, err := liar(t, "hang").Solve(ctx, a, []expr.ID{a.Eq(a.Mul(x, x), a.Const(4, 8))}, []expr.ID{x})
	if result != solve.Unknown || err != nil {
		t.Errorf("%v, %v, want unknown", result, err)
	}
}

// TestCross checks that two solvers that contradict each other are told apart
// from one that does not know.
func TestCross(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 8), a.Var("y", 8)
	impossible := []expr.ID{a.Ult(x, y), a.Ult(y, x)}
	for _, test := range []struct {
		answer    string
		disagrees bool
	}{
		{"unsat", false},
		{"unknown", false},
		{"sat", false}, // but its model is wrong
	} {
		s := solve.New(a, solve.Options{Backend: liar(t, test.answer, "((|x:8| #x01) (|y:8| #x02))"), Cross: true})
		result, _, err := s.Check(t.Context(), impossible)
		if test.answer == "sat" {
			if err == nil || !strings.Contains(err.Error(), "does not satisfy") {
				t.Errorf("a wrong model: %v, %v", result, err)
			}
			continue
		}
		if result != solve.Unsat || err != nil {
			t.Errorf("%s: %v, %v", test.answer, result, err)
		}
	}
	// 211 * 241, which local search does not find.
	limit := a.Const(256, 16)
	wide, other := a.Var("wide", 16), a.Var("other", 16)
	possible := []expr.ID{a.Ult(wide, limit), a.Ult(other, limit), a.Ult(wide, other), a.Eq(a.Mul(wide, other), a.Const(211*241, 16))}
	_, _, err := solve.New(a, solve.Options{Backend: liar(t, "unsat"), Cross: true}).Check(t.Context(), possible)
	var d *solve.Disagreement
	if !errors.As(err, &d) || d.Own != solve.Sat || d.Other != solve.Unsat || !strings.Contains(d.Query, "(check-sat)") {
		t.Errorf("%v, want a disagreement", err)
	}
}
