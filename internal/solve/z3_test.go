package solve_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// TestZ3 compares answers with those of z3 over random queries of all
// operators. The queries all go to one process.
func TestZ3(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("no z3: ", err)
	}
	n := 24_000
	if testing.Short() {
		n = 500
	}
	shapes := []struct {
		generator
		depth int // less for wide words, whose products and quotients are hard
	}{
		{generator{widths: []uint8{8}, vars: 2}, 3},
		{generator{widths: []uint8{1, 4, 8}, vars: 2}, 3},
		{generator{widths: []uint8{5, 6}, vars: 3}, 3},
		{generator{widths: []uint8{8, 16}, vars: 2}, 2},
		{generator{widths: []uint8{7}, vars: 2}, 3},
		{generator{widths: []uint8{13}, vars: 2}, 2},
		{generator{widths: []uint8{8, 32}, vars: 3}, 1},
		{generator{widths: []uint8{8, 64}, vars: 2}, 1},
	}
	r := rand.New(rand.NewPCG(uint64(n), 7))
	var script strings.Builder
	script.WriteString("(set-logic QF_BV)\n(set-option :timeout 100)\n")
	var queries []string
	answers := make([]solve.Result, n)
	unknown := 0
	for i := range n {
		a := expr.NewArena()
		shape := shapes[i%len(shapes)]
		g := shape.generator
		g.Rand, g.a = r, a
		conj := g.query(5, shape.depth)
		s := solve.New(a, solve.Options{Budget: 200_000})
		r, m := check(t, s, conj)
		if r == solve.Unknown {
			unknown++
		}
		checkAnswer(t, a, s, conj, r, m)
		answers[i] = r
		queries = append(queries, text(a, conj))

		script.WriteString("(push)\n")
		var vars []expr.ID
		for _, x := range conj {
			vars = a.Vars(vars, x)
		}
		seen := map[expr.ID]bool{}
		for _, v := range vars {
			if !seen[v] {
				seen[v] = true
				if err := a.SMTDeclare(&script, []expr.ID{v}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, x := range conj {
			script.WriteString("(assert (= #b1 ")
			if err := a.SMT(&script, x); err != nil {
				t.Fatal(err)
			}
			script.WriteString("))\n")
		}
		script.WriteString("(check-sat)\n(pop)\n")
	}

	cmd := exec.Command(z3, "-in")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %.500s", err, out)
	}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	compared := 0
	count := map[solve.Result]int{}
	for i := range n {
		if !lines.Scan() {
			t.Fatalf("z3 gave %d answers to %d queries", i, n)
		}
		line := lines.Text()
		if line != "sat" && line != "unsat" && line != "unknown" && line != "timeout" {
			t.Fatalf("z3: %s for%s", line, queries[i])
		}
		if answers[i] == solve.Unknown || line != "sat" && line != "unsat" {
			continue
		}
		compared++
		count[answers[i]]++
		if fmt.Sprint(answers[i]) != line {
			t.Errorf("%v, but z3 says %s, for%s", answers[i], line, queries[i])
		}
	}
	t.Logf("%d of %d compared: %v; %d unknown here", compared, n, count, unknown)
	if compared < n*9/10 {
		t.Errorf("only %d of %d queries compared", compared, n)
	}
}
