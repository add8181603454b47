package solve_test

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/solvetest"
)

// TestDifferential compares answers with those of other solvers: over a single
// operator at each width, in great number, most of them of the narrow ones, which take
// the others a fifth of the time; and over random queries of several. The limits of the
// others count steps, not time, so that what they answer does not depend on the machine.
func TestDifferential(t *testing.T) {
	for _, other := range []struct {
		name  string // of the test; the solver comes before the slash
		args  []string
		seed  uint64
		count [3]int // of narrow and other queries over one operator, and over several
		least int    // percent that the other solver answers, if it is not busy with others
	}{
		{"z3/1", []string{"-in", "rlimit=60000"}, 1, [3]int{42_000, 7_000, 1_250}, 95},
		{"z3/2", []string{"-in", "rlimit=60000"}, 2, [3]int{42_000, 7_000, 1_250}, 95},
		{"cvc5/1", []string{"--lang=smt2", "--incremental", "--rlimit-per=20000"}, 3, [3]int{300, 200, 50}, 40},
	} {
		t.Run(other.name, func(t *testing.T) {
			t.Parallel()
			solver, _, _ := strings.Cut(other.name, "/")
			path, err := exec.LookPath(solver)
			if err != nil {
				t.Skip(err)
			}
			r := rand.New(rand.NewPCG(other.seed, 14))
			queries := func(kind int) iter.Seq[int] {
				all := other.count[kind]
				return sample.Of(all, all/5, all/50)
			}
			c := comparison{command: append([]string{path}, other.args...), count: map[solve.Result]int{}}
			for kind, widest := range []int{16, 64} {
				for i := range queries(kind) {
					a := expr.NewArena()
					c.add(t, a, single(a, r, i, widest))
				}
			}
			for i := range queries(2) {
				shape := shapes[i%len(shapes)]
				g := shape.Generator
				g.Rand, g.Arena = r, expr.NewArena()
				c.add(t, g.Arena, g.Query(5, shape.depth))
			}
			c.compare(t)
			n := c.added
			t.Logf("%d of %d compared: %v", c.compared, n, c.count)
			if c.compared < n*other.least/100 {
				t.Errorf("only %d of %d queries compared", c.compared, n)
			}
			if c.count[solve.Sat] < n/10 || c.count[solve.Unsat] < n/10 {
				t.Errorf("lopsided: %v", c.count)
			}
		})
	}
}

// shapes are those of queries of several operators.
var shapes = []struct {
	solvetest.Generator
	depth int // less for wide words, whose products and quotients are hard
}{
	{solvetest.Generator{Widths: []uint8{8}, Vars: 2}, 3},
	{solvetest.Generator{Widths: []uint8{1, 4, 8}, Vars: 2}, 3},
	{solvetest.Generator{Widths: []uint8{5, 6}, Vars: 3}, 3},
	{solvetest.Generator{Widths: []uint8{8, 16}, Vars: 2}, 2},
	{solvetest.Generator{Widths: []uint8{7}, Vars: 2}, 3},
	{solvetest.Generator{Widths: []uint8{13}, Vars: 2}, 2},
	{solvetest.Generator{Widths: []uint8{8, 32}, Vars: 3}, 1},
	{solvetest.Generator{Widths: []uint8{8, 64}, Vars: 2}, 1},
}

// TestDifferentialArrays is TestDifferential for arrays, about which Z3 is slower.
func TestDifferentialArrays(t *testing.T) {
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip(err)
	}
	c := comparison{command: []string{path, "-in", "rlimit=300000"}, logic: "ALL", count: map[solve.Result]int{}}
	r := rand.New(rand.NewPCG(8, 15))
	for i := range sample.Of(800, 300, 60) {
		shape := shapes[i%len(shapes)]
		g := shape.Generator
		g.Rand, g.Arena, g.Stores = r, expr.NewArena(), 5
		for {
			conj := g.Query(4, min(shape.depth, 2))
			var query strings.Builder
			if err := smtlib.WriteScript(&query, g.Arena, conj); err != nil {
				t.Fatal(err)
			}
			if query.Len() < 20_000 { // to read more may take more than the limit, which is an error
				c.add(t, g.Arena, conj)
				break
			}
		}
	}
	c.compare(t)
	n := c.added
	t.Logf("%d of %d compared: %v", c.compared, n, c.count)
	if c.compared < n*8/10 {
		t.Errorf("only %d of %d queries compared", c.compared, n)
	}
	if c.count[solve.Sat] < n/10 || c.count[solve.Unsat] < n/10 {
		t.Errorf("lopsided: %v", c.count)
	}
}

// single returns a query over one operator: the ith goes through all operators
// and widths, with operands and bounds that are often near the limits of the width.
func single(a *expr.Arena, r *rand.Rand, i, widest int) []expr.ID {
	op := solvetest.BinaryOps[i%len(solvetest.BinaryOps)]
	width := uint8(1 + i/len(solvetest.BinaryOps)%widest)
	x, y := a.Var("x", width), a.Var("y", width)
	if hard := (op >= expr.Mul && op <= expr.SRem || op == expr.UMulHi) && width > 9; hard || r.IntN(3) == 0 {
		c := boundary(r, width)
		if hard && op == expr.UMulHi { // of few bits: the product has twice the width
			c = 1<<r.IntN(int(width)) + 1<<r.IntN(int(width))
		}
		y = a.Const(c, width)
		if r.IntN(2) == 0 && !hard {
			x, y = y, x
		}
	}
	result := a.Binary(op, x, y)
	bound := a.Const(boundary(r, width), width)
	if r.IntN(4) == 0 {
		bound = a.Var("x", width)
	}
	query := []expr.ID{a.Binary(solvetest.Comparisons[r.IntN(len(solvetest.Comparisons))], result, bound)}
	if r.IntN(2) == 0 {
		query = append(query, a.Binary(solvetest.Comparisons[r.IntN(len(solvetest.Comparisons))], a.Const(boundary(r, width), width), a.Var("x", width)))
	}
	for k, x := range query {
		if r.IntN(2) == 0 {
			query[k] = a.Not(x)
		}
	}
	return query
}

// TestDifferentialFloats is TestDifferential for the operators over floats.
// Products and quotients have operands of few bits, or it would take for ever.
func TestDifferentialFloats(t *testing.T) {
	for _, other := range []struct {
		solver string
		args   []string
		count  int
		least  int // percent that the other solver answers
	}{
		{"z3", []string{"-in", "rlimit=1000000"}, 300, 80},
		{"cvc5", []string{"--lang=smt2", "--incremental", "--rlimit-per=100000"}, 60, 20},
	} {
		t.Run(other.solver, func(t *testing.T) {
			path, err := exec.LookPath(other.solver)
			if err != nil {
				t.Skip(err)
			}
			c := comparison{command: append([]string{path}, other.args...), count: map[solve.Result]int{}}
			r := rand.New(rand.NewPCG(4, 7))
			for i := range sample.Of(other.count, other.count/3, other.count/12) {
				a := expr.NewArena()
				c.add(t, a, singleFloat(a, r, i))
			}
			c.compare(t)
			n := c.added
			t.Logf("%d of %d compared: %v", c.compared, n, c.count)
			if c.compared < n*other.least/100 {
				t.Errorf("only %d of %d queries compared", c.compared, n)
			}
			if c.count[solve.Sat] < c.compared/10 || c.count[solve.Unsat] < c.compared/10 {
				t.Errorf("lopsided: %v", c.count)
			}
		})
	}
}

// singleFloat returns a query over one operator on floats of 32 bits, or between
// those and others.
func singleFloat(a *expr.Arena, r *rand.Rand, i int) []expr.ID {
	op := expr.FAdd + expr.Op(i)%(expr.FRound-expr.FAdd+1)
	width := uint8(32)
	if op > expr.FSqrt && i/16%2 == 0 {
		width = 64
	}
	x, bound := a.Var("x", width), width
	var result expr.ID
	switch op {
	case expr.FSqrt:
		result = a.FSqrt(x)
	case expr.FConv:
		bound = 96 - width
		result = a.FConv(x, bound)
	case expr.FToS:
		result = a.FToS(x, width)
	case expr.FRound:
		result = a.FRound(x, expr.Rounding(r.IntN(5)))
	case expr.SToF, expr.UToF:
		integer := a.Var("i", uint8(1+r.IntN(64)))
		if op == expr.SToF {
			result = a.SToF(integer, width)
		} else {
			result = a.UToF(integer, width)
		}
	case expr.FEq, expr.FLt, expr.FLe:
		y := a.Var("y", width)
		if r.IntN(3) > 0 {
			y = a.Const(boundaryFloat(r, width), width)
		}
		if r.IntN(2) == 0 {
			x, y = y, x
		}
		return []expr.ID{a.Binary(op, x, y), a.FLt(a.Const(boundaryFloat(r, width), width), a.Var("x", width))}
	default:
		y := a.Const(boundaryFloat(r, width), width)
		if op != expr.FAdd && y != a.Const(expr.NaN(32), 32) {
			y = a.And(a.Const(0xff<<24, 32), y)
		}
		if r.IntN(2) == 0 {
			x, y = y, x
		}
		result = a.Binary(op, x, y)
	}
	limit := a.Const(boundaryFloat(r, bound), bound)
	if op == expr.FToS {
		return []expr.ID{a.Slt(limit, result), a.Slt(result, a.Const(boundary(r, bound), bound))}
	}
	query := []expr.ID{a.FLe(limit, result), a.FLt(result, a.Const(boundaryFloat(r, bound), bound))}
	switch r.IntN(4) {
	case 0:
		return []expr.ID{a.FEq(limit, result)}
	case 1: // bit for bit
		return []expr.ID{a.Eq(limit, result)}
	case 2:
		query[1] = a.Not(query[1])
	}
	return query
}

// boundaryFloat returns a float of width bits: often a special one, one next to
// a limit, or a small number.
func boundaryFloat(r *rand.Rand, width uint8) uint64 {
	fraction := uint8(23)
	if width == 64 {
		fraction = 52
	}
	field := uint64(1)<<(width-1-fraction) - 1
	near := uint64(r.IntN(3)) - 1
	var v uint64
	switch r.IntN(8) {
	case 0:
		v = r.Uint64()
	case 1:
		v = near
	case 2:
		v = 1<<fraction + near
	case 3:
		v = field<<fraction + near
	case 4:
		v = (field/2+uint64(r.IntN(70)))<<fraction + near
	default:
		v = expr.Convert(expr.SToF, 8, width, uint64(r.IntN(256)))
	}
	return (v | uint64(r.IntN(2))<<(width-1)) & (^uint64(0) >> (64 - width))
}

// boundary returns a value of the width, often one next to a limit or a power
// of two.
func boundary(r *rand.Rand, width uint8) uint64 {
	near := uint64(r.IntN(5)) - 2
	switch r.IntN(4) {
	case 0:
		return r.Uint64()
	case 1:
		return near
	case 2:
		return 1<<(width-1) + near
	}
	return 1<<r.IntN(int(width)) + near
}

// comparison collects queries that this package has answered until the
// other solver answers them, too.
type comparison struct {
	command  []string
	logic    string // of all queries; the first one's if empty
	script   bytes.Buffer
	queries  []string
	answers  []solve.Result
	added    int
	compared int
	count    map[solve.Result]int
}

// batch bounds the queries that the other solver gets at a time.
const batch = 2000

func (c *comparison) add(t *testing.T, a *expr.Arena, conj []expr.ID) {
	s := solve.New(a, solve.Options{Budget: 200_000})
	r, m := check(t, s, conj)
	checkAnswer(t, a, s, conj, r, m)
	var query bytes.Buffer
	if err := smtlib.WriteScript(&query, a, conj); err != nil {
		t.Fatal(err)
	}
	if len(c.queries) == 0 {
		fmt.Fprintf(&c.script, "(set-logic %s)\n", cmp.Or(c.logic, smtlib.Logic(a, conj)))
	}
	c.script.WriteString("(push 1)\n")
	_, commands, _ := bytes.Cut(query.Bytes(), []byte("\n")) // without its logic
	c.script.Write(commands)
	c.script.WriteString("(pop 1)\n")
	c.queries = append(c.queries, query.String())
	c.answers = append(c.answers, r)
	c.added++
	if len(c.queries) == batch {
		c.compare(t)
	}
}

// compare has the other solver answer.
func (c *comparison) compare(t *testing.T) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), c.command[0], c.command[1:]...)
	cmd.Stdin = &c.script
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %.500s", err, out)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for i, query := range c.queries {
		if !lines.Scan() {
			t.Fatalf("%d answers to %d queries", i, len(c.queries))
		}
		line := lines.Text()
		if !slices.Contains([]string{"sat", "unsat", "unknown", "timeout"}, line) {
			t.Fatalf("%s for\n%s", line, query)
		}
		if c.answers[i] == solve.Unknown || line != "sat" && line != "unsat" {
			continue
		}
		c.compared++
		c.count[c.answers[i]]++
		if fmt.Sprint(c.answers[i]) != line {
			t.Errorf("%v, but %s says %s, for\n%s", c.answers[i], c.command[0], line, query)
		}
	}
	c.script.Reset()
	c.queries, c.answers = c.queries[:0], c.answers[:0]
}
