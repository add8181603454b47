package toy

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/run"
)

// AddAll is the running example of the paper (figure 2): two goroutines append the elements of one
// vector to another, and read its count without the lock that protects it. Input 0 is the
// number of elements appended; the vector holds 10 and has room for 20. Cell 0 is its count,
// cell 1 its size, lock 0 is the vector's and lock 1 that of its fields.
func AddAll() *Program {
	get := func(dst, cell int) []Stmt {
		return []Stmt{{Op: Lock, Obj: 1}, {Op: Load, Obj: cell, Dst: dst}, {Op: Unlock, Obj: 1}}
	}
	set := func(cell int, x Expr) []Stmt {
		return []Stmt{{Op: Lock, Obj: 1}, {Op: Store, Obj: cell, X: x}, {Op: Unlock, Obj: 1}}
	}
	var addAll []Stmt
	add := func(body ...Stmt) { addAll = append(addAll, body...) }
	add(get(0, 0)...)
	add(Stmt{Op: Lock, Obj: 0})
	add(get(1, 1)...)
	add(When(Lt(L(1), Sum(L(0), I(0))), set(1, Prod(Sum(L(0), I(0)), C(2)))...))
	add(get(2, 1)...)
	add(get(3, 0)...)
	add(Stmt{Op: If, X: Lt(L(2), Sum(L(3), I(0))), Then: []Stmt{{Op: Fail}}})
	add(get(4, 0)...)
	add(set(0, Sum(L(4), I(0)))...)
	add(Stmt{Op: Unlock, Obj: 0})
	p := &Program{
		Name: "addall", Inputs: []string{"n"}, Domain: 30, Locks: 2,
		Cells: []Cell{{Init: 10, Plain: true}, {Init: 20, Plain: true}},
		Funcs: [][]Stmt{{{Op: Spawn, Obj: 1}, {Op: Spawn, Obj: 1}}, addAll},
	}
	return p.Number()
}

// Relay is a chain of n goroutines like the paper's art: goroutine i passes the baton on if it has
// got it from goroutine i-1 and its input is right. The last branch needs n-1 interferences.
func Relay(n int) *Program {
	p := &Program{Name: "relay", Domain: 200, Cells: []Cell{{}}}
	main := []Stmt{}
	p.Funcs = [][]Stmt{nil}
	for i := range n {
		p.Inputs = append(p.Inputs, string(rune('a'+i)))
		main = append(main, Stmt{Op: Spawn, Obj: i + 1})
		p.Funcs = append(p.Funcs, []Stmt{
			{Op: Load, Obj: 0, Dst: 0},
			When(Eq(L(0), C(i)), When(Eq(I(i), C(10+7*i)), Stmt{Op: Store, Obj: 0, X: C(i + 1)})),
		})
	}
	p.Funcs[0] = main
	return p.Number()
}

// Join is a program that waits for n goroutines, each of which does one of two things, and then
// reads what they wrote.
func Join(n int) *Program {
	p := &Program{Name: "join", Inputs: []string{"a"}, Domain: 3, Groups: 1, Cells: []Cell{{}}}
	main := []Stmt{{Op: GroupAdd, X: C(n)}}
	p.Funcs = [][]Stmt{nil, {
		When(Eq(I(0), C(1)), Stmt{Op: Store, Obj: 0, X: C(1)}),
		{Op: GroupAdd, X: C(-1)},
	}}
	for range n {
		main = append(main, Stmt{Op: Spawn, Obj: 1})
	}
	p.Funcs[0] = append(main, Stmt{Op: GroupWait}, Stmt{Op: Load, Obj: 0, Dst: 0}, When(Eq(L(0), C(1)), Stmt{Op: Fail}))
	return p.Number()
}

// Exchange is a small program in which a value goes from one goroutine to another and back.
func Exchange() *Program {
	p := &Program{
		Name: "exchange", Inputs: []string{"n"}, Domain: 8, Cells: []Cell{{}, {}},
		Funcs: [][]Stmt{
			{
				{Op: Spawn, Obj: 1},
				{Op: Store, Obj: 0, X: Sum(I(0), C(1))},
				{Op: Load, Obj: 1, Dst: 0},
				When(Eq(L(0), C(5)), Stmt{Op: Fail}),
			},
			{
				{Op: Load, Obj: 0, Dst: 0},
				When(Lt(C(2), L(0)), Stmt{Op: Store, Obj: 1, X: L(0)}),
			},
		},
	}
	return p.Number()
}

// Name returns the name of an object of a program.
func Name(o run.ObjectID, _ int32) string {
	kinds := [...]string{"x", "mu", "c", "wg", "cond"}
	return fmt.Sprintf("%s%d", kinds[o.Count/100], o.Count%100)
}
