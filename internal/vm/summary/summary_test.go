package summary_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/vm/summary"
)

// A program has the functions of a code.Program.
type program struct {
	*code.Program
	solver *solve.Solver
	t      *testing.T
}

// Callee implements summary.Program.
func (p *program) Callee(f *code.Func, i int32) *code.Func {
	c := p.Func(f.Callees[i])
	if c.Intrinsic || strings.HasPrefix(c.Name, "sync.") {
		return nil
	}
	return c
}

// Refutes implements summary.Program.
func (p *program) Refutes(conj []expr.ID) bool {
	r, err := p.solver.Satisfiable(p.t.Context(), conj)
	if err != nil {
		p.t.Fatal(err)
	}
	return r == solve.Unsat
}

// build makes the tree of a function.
func build(t *testing.T, p *code.Program, f *code.Func, limits summary.Limits) *summary.Tree {
	a := expr.NewArena()
	return summary.Build(&program{p, solve.New(a, solve.Options{}), t}, a, f, 0, limits)
}

// limits are smaller than those of searches, so that trees can be read.
var limits = summary.Limits{Nodes: 40, Rounds: 2, Frames: 3, Steps: 60}

// TestBuild compares trees with golden files.
func TestBuild(t *testing.T) {
	codetest.Golden(t, "testdata", func(p *code.Program, f *code.Func) string {
		if len(f.Code) == 0 {
			return f.Name
		}
		tree := build(t, p, f, limits)
		if err := summary.Check(tree, f); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		again := new(summary.Tree)
		if err := json.Unmarshal(text, again); err != nil {
			t.Fatal(err)
		}
		if again.Format(f) != tree.Format(f) {
			t.Errorf("%s: the tree is another one when it has been written and read", f.Name)
		}
		return tree.Format(f)
	})
}

// TestCheck has Check see what is wrong with trees that have been damaged.
func TestCheck(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

type T struct{ n int }

func F(t *T, n int) int {
	if t == nil {
		return 7
	}
	t.n = n
	return t.n + n
}
`)
	pkg.SSA.Build()
	f := p.Func(pkg.SSA.Func("F"))
	cases := []struct {
		name, want string
		damage     func(tree *summary.Tree)
	}{
		{"beginning", "begins at instruction 99", func(t *summary.Tree) { t.PC = 99 }},
		{"register", "register 99", func(t *summary.Tree) { t.Formals[0] = 99 }},
		{"values", "2 registers for 0 values", func(t *summary.Tree) { t.Values = 0 }},
		{"on", "value 9999 is not defined", func(t *summary.Tree) { t.Root.Jump.A, t.Root.On = 9999, 9999 }},
		{"next", "1 nodes follow", func(t *summary.Tree) { t.Root.Next = t.Root.Next[:1] }},
		{"exit", "has no exit", func(t *summary.Tree) { t.Root.Exit = nil }},
		{"frames", "an exit with 2 frames of 1", func(t *summary.Tree) {
			t.Root.Exit.Frames = append(t.Root.Exit.Frames, summary.Frame{})
		}},
		{"exit value", "value 5555 is not defined", func(t *summary.Tree) { t.Root.Exit.Frames[0].Regs[0].Value = 5555 }},
		{"leave", "0 frames", func(t *summary.Tree) { t.Root.Steps = append(t.Root.Steps, summary.Step{Kind: summary.Leave}) }},
	}
	for _, c := range cases {
		tree := build(t, p, f, limits)
		if err := summary.Check(tree, f); err != nil {
			t.Fatal(err)
		}
		c.damage(tree)
		if err := summary.Check(tree, f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestLimits checks that trees keep to their limits, and do not depend on anything but the function.
func TestLimits(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

type T struct {
	left, right *T
	n           int
}

func Sum(t *T) int {
	if t == nil {
		return 0
	}
	return Sum(t.left) + t.n + Sum(t.right)
}
`)
	pkg.SSA.Build()
	f := p.Func(pkg.SSA.Func("Sum"))
	for _, nodes := range []int{1, 2, 10, 300} {
		l := summary.Limits{Nodes: nodes, Rounds: 3, Frames: 5, Steps: 1000}
		tree := build(t, p, f, l)
		if tree.Size.Nodes > nodes+1 || tree.Frames > l.Frames {
			t.Errorf("%d nodes and %d frames, want at most %d and %d", tree.Size.Nodes, tree.Frames, nodes, l.Frames)
		}
		if tree.Size.Bounded == 0 && tree.Size.Cut == 0 {
			t.Errorf("with %d nodes, nothing was bounded", nodes)
		}
		if again := build(t, p, f, l); again.Format(f) != tree.Format(f) {
			t.Error("the same function has two trees")
		}
		if err := summary.Check(tree, f); err != nil {
			t.Error(err)
		}
	}
	if text := build(t, p, f, summary.DefaultLimits).Format(f); !strings.Contains(text, "leads to object 0") || !strings.Contains(text, "leads to a new object 1") {
		t.Errorf("the tree does not say to which objects pointers lead:\n%s", text)
	}
}
