package covering

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/program/programtest"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestExcluded has programs with schedules that deadlock. Those that no run comes to are proved to
// be infeasible; those that runs come to after more epochs than are looked at are not.
func TestExcluded(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m sync.Mutex\n\nfunc turn() {\n\tm.Lock()\n\tm.Unlock()\n}\n\nfunc hang() { select {} }\n\nfunc main() {\n\tn := sym.Range(\"n\", 0, 1000)\n"
	const tickets = "\tfor i := 0; i < n; i++ {\n\t\tturn()\n\t\tif tickets == 0 {\n\t\t\thang()\n\t\t}\n\t\ttickets--\n\t}\n\tif tickets != 0 {\n\t\thang()\n\t}\n}\n"
	const rounds = "\tphase := 0\n\tround := func() {\n\t\tfor r := range n {\n\t\t\tturn()\n\t\t\tphase += 2\n\t\t\tif phase != 2*r+2 BAD {\n\t\t\t\thang()\n\t\t\t}\n\t\t}\n\t}\n"
	texts := map[string]string{
		// A counter is even.
		"even":   head + "\tfor i := 0; i < n; i += 2 {\n\t\tturn()\n\t\tif i%2 == 1 {\n\t\t\thang()\n\t\t}\n\t}\n}\n",
		"at 400": head + "\tfor i := 0; i < n; i += 2 {\n\t\tturn()\n\t\tif i == 400 {\n\t\t\thang()\n\t\t}\n\t}\n}\n",
		// There are as many tickets as turns.
		"tickets": head + "\ttickets := n\n" + tickets,
		"too few": head + "\ttickets := n\n\tif n > 300 {\n\t\ttickets--\n\t}\n" + tickets,
		// Two goroutines have put in and taken out, and what is left is the difference.
		"left": head + "\tput, taken, left := 0, 0, 0\n\tfor range n {\n\t\tturn()\n\t\tput++\n\t\tif left++; left > 3 {\n\t\t\ttaken, left = taken+2, left-2\n\t\t}\n\t\tif put != taken+left {\n\t\t\thang()\n\t\t}\n\t}\n}\n",
		// Two numbers together are twice the number of rounds, which matters in the loop after that only.
		"across": head + "\ta, b := 0, 0\n\tfor i := 0; i < n; i++ {\n\t\tturn()\n\t\tif i%3 == 0 {\n\t\t\ta += 2\n\t\t} else {\n\t\t\ta, b = a+1, b+1\n\t\t}\n\t}\n\tfor range 2 {\n\t\tturn()\n\t\tif a+b != 2*n {\n\t\t\thang()\n\t\t}\n\t}\n}\n",
		// A phase is twice a round.
		"phase": head + strings.ReplaceAll(rounds, "BAD", "") + "\tround()\n}\n",
		"late":  head + strings.ReplaceAll(rounds, "BAD", "|| r == 300") + "\tround()\n}\n",
	}
	want := map[string]cover.Verdict{"even": cover.DeadlockFree, "tickets": cover.DeadlockFree, "left": cover.DeadlockFree, "across": cover.DeadlockFree, "phase": cover.DeadlockFree}
	byName := make(map[string]string)
	for name, text := range texts {
		byName[strings.ReplaceAll(name, " ", "")] = text
	}
	p := programtest.Load(t, nil, byName)
	for _, name := range sample.From(slices.Sorted(maps.Keys(texts)), 2, 1) {
		sum := search(t, p, strings.ReplaceAll(name, " ", ""), Config{MaxInstructions: 1_000_000}).Set().Summary()
		verdict, proved := want[name]
		if !proved {
			verdict = cover.Open
		}
		if sum.Verdict != verdict || proved != (sum.Excluded > 0 && sum.Possible == 0) {
			t.Errorf("%s: %s, with %d schedules that are infeasible, and %d that may be; want %s", name, sum.Verdict, sum.Excluded, sum.Infeasible, verdict)
		}
	}
}

// TestEquations has rows of which some columns are sums of others: there is an equation for each of these.
func TestEquations(t *testing.T) {
	var rows [][]int64
	for x := range int64(7) {
		for y := range int64(3) {
			rows = append(rows, []int64{x, 2*x - 3*y + 5, y, x*y - 1, 7, 1})
		}
	}
	list := equations(rows, 6)
	if len(list) != 2 {
		t.Errorf("there are %d equations, and not 2: %v", len(list), list)
	}
	for _, factors := range list {
		for _, r := range rows {
			sum := int64(0)
			for i, v := range r {
				sum += factors[i] * v
			}
			if sum != 0 {
				t.Errorf("%v is no solution of %v", r, factors)
			}
		}
	}
}
