package smtlib

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib/sexpr"
)

// A Query is what a script queries at one check-sat.
type Query struct {
	Conj   []expr.ID // of width 1: all that is asserted there
	Status string    // what the script says the answer is: sat, unsat, or empty
}

// ParseScript reads a script in the logic QF_BV and returns its queries, built in
// a. It knows declare-fun and declare-const, define-fun and define-const, assert,
// push, pop, reset, check-sat and check-sat-assuming, and the status in set-info;
// other commands that get or set something are skipped. Terms may have all operators
// of the logic, floats by the functions of [Function], and arrays that are constant
// or stored into. Bit-vectors of more than 64 bits are [ErrWide], but for the high
// half of a product; other sorts, and functions that are only declared, are errors,
// too.
//
// A variable that [Symbol] has named has the same name here as there.
func ParseScript(a *expr.Arena, text string) ([]Query, error) {
	s := script{termReader: newTermReader(a), symbolOf: map[expr.ID]string{}}
	in := sexpr.NewReader(strings.NewReader(text))
	for {
		e, err := in.Next()
		if errors.Is(err, io.EOF) {
			return s.queries, nil
		}
		if err == nil {
			err = s.command(e)
		}
		if errors.Is(err, errExit) {
			return s.queries, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading an SMT-LIB script: %w", err)
		}
	}
}

// errExit is the command exit.
var errExit = errors.New("exit")

// script is the state of a script that is being read.
type script struct {
	termReader
	undo     []undo // of symbols
	asserts  []expr.ID
	levels   []level
	status   string
	queries  []Query
	symbolOf map[expr.ID]string // of variables
}

// undo takes a symbol back to what it was.
type undo struct {
	name string
	was  symbol
	had  bool
}

// level is what there was at a push.
type level struct{ undo, asserts int }

func (s *script) reset() {
	s.termReader = newTermReader(s.a)
	s.undo, s.asserts, s.levels = nil, nil, nil
}

// commands are the commands that mean something here, and how many operands they have.
var commands = map[string]struct {
	operands int // -1 for any number
	run      func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error
}{
	"declare-const": {2, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error { return s.declare(args[0], args[1]) }},
	"declare-fun": {3, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		if len(args[1].List) > 0 {
			return e.Errorf("a function that is only declared is not supported")
		}
		return s.declare(args[0], args[2])
	}},
	"define-const": {3, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		return s.define(args[0], nil, args[1], args[2])
	}},
	"define-fun": {4, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		return s.define(args[0], args[1].List, args[2], args[3])
	}},
	"assert": {1, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		if f, ok := functionNamed(args[0].Head()); ok && givesFloat(f.op) {
			return s.relation(args[0], f)
		}
		x, err := s.formula(args[0])
		s.asserts = append(s.asserts, x)
		return err
	}},
	"check-sat":          {0, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error { return s.check(nil) }},
	"check-sat-assuming": {1, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error { return s.check(args[0].List) }},
	"push": {1, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		n, err := args[0].Number()
		for range n {
			s.levels = append(s.levels, level{len(s.undo), len(s.asserts)})
		}
		return err
	}},
	"pop": {1, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error { return s.pop(args[0]) }},
	"reset": {0, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		s.reset()
		return nil
	}},
	"reset-assertions": {0, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		s.asserts = nil
		return nil
	}},
	"set-info": {-1, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error {
		if len(args) == 2 && args[0].Atom == ":status" {
			s.status = args[1].Atom
		}
		return nil
	}},
	"exit": {0, func(s *script, e *sexpr.Expr, args []*sexpr.Expr) error { return errExit }},
}

// skipped are commands that change nothing here.
var skipped = []string{
	"set-logic", "set-option", "get-info", "get-option", "get-model", "get-value", "get-assignment",
	"get-assertions", "get-unsat-core", "get-unsat-assumptions", "get-proof", "echo",
}

// command carries out a command.
func (s *script) command(e *sexpr.Expr) error {
	name := e.Head()
	c, ok := commands[name]
	switch {
	case name == "":
		return e.Errorf("a command expected")
	case slices.Contains(skipped, name):
		return nil
	case !ok:
		return e.Errorf("%q is not supported as a command", name)
	}
	args := e.List[1:]
	if len(args) == 0 && (name == "push" || name == "pop") {
		args = []*sexpr.Expr{{Atom: "1", Line: e.Line}}
	}
	if c.operands >= 0 && len(args) != c.operands {
		return e.Errorf("%s with %d operands", name, len(args))
	}
	return c.run(s, e, args)
}

// check notes a query: what is asserted, and more.
func (s *script) check(more []*sexpr.Expr) error {
	q := Query{Conj: slices.Clone(s.asserts), Status: s.status}
	for _, e := range more {
		x, err := s.formula(e)
		if err != nil {
			return err
		}
		q.Conj = append(q.Conj, x)
	}
	s.queries = append(s.queries, q)
	s.status = ""
	return nil
}

// pop takes back the last levels.
func (s *script) pop(count *sexpr.Expr) error {
	n, err := count.Number()
	if err != nil {
		return err
	}
	at := len(s.levels) - n
	if at < 0 {
		return count.Errorf("pop of %d levels of %d", n, len(s.levels))
	}
	if n == 0 {
		return nil
	}
	l := s.levels[at]
	s.levels = s.levels[:at]
	s.asserts = s.asserts[:min(l.asserts, len(s.asserts))]
	s.forget(l.undo)
	return nil
}

// bind gives a symbol a meaning, until forget goes back behind that.
func (s *script) bind(name string, to symbol) {
	was, had := s.symbols[name]
	s.undo = append(s.undo, undo{name, was, had})
	s.symbols[name] = to
}

// forget takes back what bind did since undo had that length.
func (s *script) forget(length int) {
	for len(s.undo) > length {
		u := s.undo[len(s.undo)-1]
		s.undo = s.undo[:len(s.undo)-1]
		if u.had {
			s.symbols[u.name] = u.was
		} else {
			delete(s.symbols, u.name)
		}
	}
}

// declare makes a variable.
func (s *script) declare(name, of *sexpr.Expr) error {
	sort, err := parseSort(of)
	if err != nil {
		return err
	}
	if sort.index > 0 {
		return of.Errorf("a variable for an array is not supported")
	}
	s.bind(name.Atom, symbol{term: sorted{s.variable(name.Atom, sort.width), sort}})
	s.unused[name.Atom] = true
	return nil
}

// relation asserts that the last operand of f is what f, whose result is a float, gives of
// the others. A constant that has just been declared, as WriteAssertion does, stands for that.
func (s *script) relation(e *sexpr.Expr, f Function) error {
	n := f.op.NumArgs()
	if len(e.List) != n+2 {
		return e.Errorf("%s between %d operands", f, len(e.List)-1)
	}
	value, err := s.function(e, f, e.List[1:n+1])
	if err != nil {
		return err
	}
	result := e.List[n+1]
	if s.unused[result.Atom] && s.symbols[result.Atom].term.sort == value.sort {
		s.bind(result.Atom, symbol{term: value})
		return nil
	}
	x, err := s.bits(result)
	if err != nil {
		return err
	}
	if w := s.a.Width(x); w != f.to {
		return result.Errorf("%s of width %d", f, w)
	}
	s.asserts = append(s.asserts, s.a.Eq(value.x, x))
	return nil
}

// variable returns a variable for the symbol: of the name that it was made of, if it is one
// of Symbol and the name is not taken.
func (s *script) variable(symbol string, width uint8) expr.ID {
	name, w, err := variableName(symbol)
	if err != nil || w != width {
		name = symbol
	}
	for ; ; name = symbol + "\x00" + strconv.Itoa(len(s.symbolOf)) {
		if x, ok := s.a.VarNamed(name); ok && (s.a.Width(x) != width || s.symbolOf[x] != "" && s.symbolOf[x] != symbol) {
			continue
		}
		x := s.a.Var(name, width)
		s.symbolOf[x] = symbol
		return x
	}
}

// define defines a function, or a constant without parameters.
func (s *script) define(name *sexpr.Expr, params []*sexpr.Expr, of, body *sexpr.Expr) error {
	if _, ok := functionNamed(name.Atom); ok {
		return nil // it is what Definition says
	}
	var f symbol
	for _, p := range params {
		if len(p.List) != 2 {
			return p.Errorf("a parameter and its sort expected")
		}
		sort, err := parseSort(p.List[1])
		if err != nil {
			return err
		}
		f.params = append(f.params, parameter{p.List[0].Atom, sort})
	}
	sort, err := parseSort(of)
	if err != nil {
		return err
	}
	if len(params) == 0 {
		if f.term, err = s.term(body); err != nil {
			return err
		}
		if f.term.sort != sort {
			return body.Errorf("%s is defined as %v and has sort %v", name.Atom, sort, f.term.sort)
		}
	} else {
		f.body = body
	}
	s.bind(name.Atom, f)
	return nil
}
