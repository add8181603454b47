package toy

// A Program is a set of shared objects and the functions that use them.
type Program struct {
	Name   string
	Inputs []string // names of the input variables
	Domain uint8    // inputs are below it
	Cells  []Cell
	Locks  int   // reader-writer locks; Lock and Unlock use them as mutexes
	Chans  []int // capacities
	Groups int   // wait groups
	Conds  int   // condition variables; cond i belongs to lock i
	Funcs  [][]Stmt

	sites int32
}

// A Cell is a shared variable.
type Cell struct {
	Init  uint8
	Plain bool // not of package sync/atomic: visible only when the plan says so
}

// A Stmt is a statement. The fields in use depend on Op.
type Stmt struct {
	Op   Op
	Obj  int  // the cell, lock, channel, group or function
	Dst  int  // local variable for the result
	X, Y Expr // operands
	Then []Stmt
	Else []Stmt
	ID   int // If: number of the branch, given by Number
	// Cases of a Select; Default says whether it has a default case.
	Cases   []Case
	Default bool
	site    int32
}

// An Op says what a statement does.
type Op uint8

// The statements.
const (
	Load       Op = iota // Dst = cell
	Store                // cell = X
	Add                  // Dst = cell += X, atomically
	Swap                 // if cell == X { cell = Y; Dst = 1 } else { Dst = 0 }, atomically
	Set                  // Dst = X
	If                   // if X { Then } else { Else }
	Lock                 // of a lock
	TryLock              // Dst = 1 if it locked, else 0
	Unlock               //
	RLock                //
	RUnlock              //
	Send                 // channel <- X
	Recv                 // Dst = <-channel, Closed if closed
	Close                // of a channel
	Select               // Dst = index of the case, len(Cases) for the default
	GroupAdd             // wait group += X, a constant
	GroupWait            //
	CondWait             // on cond Obj; its lock is held
	CondSignal           //
	Broadcast            //
	Choose               // Dst = a number below X, a constant
	Spawn                // start function Obj with a copy of the locals
	Fail                 // panic
)

// Closed is the result of Recv on a closed channel.
const Closed = 0xff

// A Case is a communication in a Select.
type Case struct {
	Send bool
	Chan int
	X    Expr
	Dst  int
}

// Locals is the number of local variables of a function.
const Locals = 6

// An Expr is an expression over constants, locals and inputs.
type Expr struct {
	Kind Kind
	N    int // the constant, or the index of the local or input
	X, Y *Expr
}

// A Kind is the operator of an Expr.
type Kind uint8

// The operators. Equal and Less have truth values and occur only in If.
const (
	Const Kind = iota
	Local
	Input
	Plus
	Minus
	Times
	Equal
	Less
)

// C is the constant n.
func C(n int) Expr { return Expr{Kind: Const, N: n} }

// L is local variable i.
func L(i int) Expr { return Expr{Kind: Local, N: i} }

// I is input i.
func I(i int) Expr { return Expr{Kind: Input, N: i} }

// Sum is x + y.
func Sum(x, y Expr) Expr { return Expr{Kind: Plus, X: &x, Y: &y} }

// Prod is x * y.
func Prod(x, y Expr) Expr { return Expr{Kind: Times, X: &x, Y: &y} }

// Eq is x == y.
func Eq(x, y Expr) Expr { return Expr{Kind: Equal, X: &x, Y: &y} }

// Lt is x < y.
func Lt(x, y Expr) Expr { return Expr{Kind: Less, X: &x, Y: &y} }

// When does then if x holds.
func When(x Expr, then ...Stmt) Stmt { return Stmt{Op: If, X: x, Then: then} }

// Number gives each statement its site and each If its number. It is called
// once, when the program is complete.
func (p *Program) Number() *Program {
	branch := 0
	p.walk(func(s *Stmt) {
		p.sites++
		s.site = p.sites
		if s.Op == If {
			s.ID = branch
			branch++
		}
	})
	return p
}

// Branches returns the number of Ifs.
func (p *Program) Branches() int {
	n := 0
	p.walk(func(s *Stmt) {
		if s.Op == If {
			n++
		}
	})
	return n
}

func (p *Program) walk(visit func(*Stmt)) {
	var walk func([]Stmt)
	walk = func(body []Stmt) {
		for i := range body {
			visit(&body[i])
			walk(body[i].Then)
			walk(body[i].Else)
		}
	}
	for _, f := range p.Funcs {
		walk(f)
	}
}
