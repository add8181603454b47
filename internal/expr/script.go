package expr

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// A ScriptQuery is what a script asks at one check-sat.
type ScriptQuery struct {
	Conj   []ID   // of width 1: all that is asserted there
	Status string // what the script says the answer is: sat, unsat, or empty
}

// ErrWide says that a script has bit-vectors of more than 64 bits.
var ErrWide = errors.New("bit-vectors of more than 64 bits")

// ParseScript reads a script of SMT-LIB 2 in the logic QF_BV and returns what it asks,
// built in a. It knows declare-fun and declare-const, define-fun and define-const, assert,
// push, pop, reset, check-sat and check-sat-assuming, and the status in set-info; other
// commands that ask for something, or set something, are skipped. Terms may have all
// operators of the logic, floats by the functions of [SMTFunction], and arrays that are
// constant or stored into. Bit-vectors of more than 64 bits are [ErrWide], but for the high
// half of a product; other sorts, and functions that are only declared, are errors, too.
//
// A variable that [Arena.SMTSymbol] has named has the same name here as there.
func ParseScript(a *Arena, text string) ([]ScriptQuery, error) {
	s := script{a: a, symbolOf: make(map[ID]string)}
	s.reset()
	r := sexprReader{text: text, line: 1}
	for {
		e, err := r.next()
		if err == nil && e == nil {
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
	a        *Arena
	symbols  map[string]scriptSymbol
	undo     []scriptUndo      // of symbols
	locals   map[string]sorted // bound by let or as parameters
	asserts  []ID
	levels   []scriptLevel
	status   string
	queries  []ScriptQuery
	symbolOf map[ID]string   // of variables
	unused   map[string]bool // symbols of variables that no term has named yet
}

// scriptSymbol is what a symbol stands for: a term or, with a body, a function.
type scriptSymbol struct {
	term   sorted
	params []scriptParam
	body   *sexpr
}

type scriptParam struct {
	name string
	sort sort
}

// scriptUndo takes a symbol back to what it was.
type scriptUndo struct {
	name string
	was  scriptSymbol
	had  bool
}

// scriptLevel is what there was at a push.
type scriptLevel struct{ undo, asserts int }

func (s *script) reset() {
	s.symbols = make(map[string]scriptSymbol)
	s.locals = make(map[string]sorted)
	s.unused = make(map[string]bool)
	s.undo, s.asserts, s.levels = nil, nil, nil
}

// scriptCommands are the commands that mean something here, and how many operands they have.
var scriptCommands = map[string]struct {
	operands int // -1 for any number
	run      func(s *script, e *sexpr, args []*sexpr) error
}{
	"declare-const": {2, func(s *script, e *sexpr, args []*sexpr) error { return s.declare(args[0], args[1]) }},
	"declare-fun": {3, func(s *script, e *sexpr, args []*sexpr) error {
		if len(args[1].list) > 0 {
			return e.errorf("a function that is only declared is not supported")
		}
		return s.declare(args[0], args[2])
	}},
	"define-const": {3, func(s *script, e *sexpr, args []*sexpr) error { return s.define(args[0], nil, args[1], args[2]) }},
	"define-fun": {4, func(s *script, e *sexpr, args []*sexpr) error {
		return s.define(args[0], args[1].list, args[2], args[3])
	}},
	"assert": {1, func(s *script, e *sexpr, args []*sexpr) error {
		if f, ok := smtFunctionNamed(args[0].head()); ok && f.op.givesFloat() {
			return s.relation(args[0], f)
		}
		x, err := s.formula(args[0])
		s.asserts = append(s.asserts, x)
		return err
	}},
	"check-sat":          {0, func(s *script, e *sexpr, args []*sexpr) error { return s.check(nil) }},
	"check-sat-assuming": {1, func(s *script, e *sexpr, args []*sexpr) error { return s.check(args[0].list) }},
	"push": {1, func(s *script, e *sexpr, args []*sexpr) error {
		n, err := args[0].number()
		for range n {
			s.levels = append(s.levels, scriptLevel{len(s.undo), len(s.asserts)})
		}
		return err
	}},
	"pop": {1, func(s *script, e *sexpr, args []*sexpr) error { return s.pop(args[0]) }},
	"reset": {0, func(s *script, e *sexpr, args []*sexpr) error {
		s.reset()
		return nil
	}},
	"reset-assertions": {0, func(s *script, e *sexpr, args []*sexpr) error {
		s.asserts = nil
		return nil
	}},
	"set-info": {-1, func(s *script, e *sexpr, args []*sexpr) error {
		if len(args) == 2 && args[0].atom == ":status" {
			s.status = args[1].atom
		}
		return nil
	}},
	"exit": {0, func(s *script, e *sexpr, args []*sexpr) error { return errExit }},
}

// scriptSkipped are commands that change nothing here.
var scriptSkipped = []string{
	"set-logic", "set-option", "get-info", "get-option", "get-model", "get-value", "get-assignment",
	"get-assertions", "get-unsat-core", "get-unsat-assumptions", "get-proof", "echo",
}

// command carries out a command.
func (s *script) command(e *sexpr) error {
	name := e.head()
	c, ok := scriptCommands[name]
	switch {
	case name == "":
		return e.errorf("a command expected")
	case slices.Contains(scriptSkipped, name):
		return nil
	case !ok:
		return e.errorf("%q is not supported as a command", name)
	}
	args := e.list[1:]
	if len(args) == 0 && (name == "push" || name == "pop") {
		args = []*sexpr{{atom: "1", line: e.line}}
	}
	if c.operands >= 0 && len(args) != c.operands {
		return e.errorf("%s with %d operands", name, len(args))
	}
	return c.run(s, e, args)
}

// check notes a query: what is asserted, and more.
func (s *script) check(more []*sexpr) error {
	q := ScriptQuery{Conj: slices.Clone(s.asserts), Status: s.status}
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
func (s *script) pop(count *sexpr) error {
	n, err := count.number()
	if err != nil {
		return err
	}
	at := len(s.levels) - n
	if at < 0 {
		return count.errorf("pop of %d levels of %d", n, len(s.levels))
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
func (s *script) bind(name string, to scriptSymbol) {
	was, had := s.symbols[name]
	s.undo = append(s.undo, scriptUndo{name, was, had})
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
func (s *script) declare(symbol, of *sexpr) error {
	sort, err := s.sort(of)
	if err != nil {
		return err
	}
	if sort.index > 0 {
		return of.errorf("a variable for an array is not supported")
	}
	s.bind(symbol.atom, scriptSymbol{term: sorted{s.variable(symbol.atom, sort.width), sort}})
	s.unused[symbol.atom] = true
	return nil
}

// relation asserts that the last operand of f is what f, whose result is a float, gives of
// the others. A constant that has just been declared, as SMTAssert does, stands for that.
func (s *script) relation(e *sexpr, f SMTFunction) error {
	n := f.op.NumArgs()
	if len(e.list) != n+2 {
		return e.errorf("%s between %d operands", f, len(e.list)-1)
	}
	value, err := s.function(e, f, e.list[1:n+1])
	if err != nil {
		return err
	}
	result := e.list[n+1]
	if s.unused[result.atom] && s.symbols[result.atom].term.sort == value.sort {
		s.bind(result.atom, scriptSymbol{term: value})
		return nil
	}
	x, err := s.bits(result)
	if err != nil {
		return err
	}
	if w := s.a.Width(x); w != f.to {
		return result.errorf("%s of width %d", f, w)
	}
	s.asserts = append(s.asserts, s.a.Eq(value.x, x))
	return nil
}

// variable returns a variable for the symbol: of the name that it was made of, if it is one
// of SMTSymbol and the name is not taken.
func (s *script) variable(symbol string, width uint8) ID {
	name, w, err := variableName(symbol)
	if err != nil || w != width {
		name = symbol
	}
	for ; ; name = symbol + "\x00" + strconv.Itoa(len(s.symbolOf)) {
		if x, ok := s.a.byName[name]; ok && (s.a.nodes[x].width != width || s.symbolOf[x] != "" && s.symbolOf[x] != symbol) {
			continue
		}
		x := s.a.Var(name, width)
		s.symbolOf[x] = symbol
		return x
	}
}

// define defines a function, or a constant without parameters.
func (s *script) define(symbol *sexpr, params []*sexpr, of, body *sexpr) error {
	if _, ok := smtFunctionNamed(symbol.atom); ok {
		return nil // it is what Definition says
	}
	var f scriptSymbol
	for _, p := range params {
		if len(p.list) != 2 {
			return p.errorf("a parameter and its sort expected")
		}
		sort, err := s.sort(p.list[1])
		if err != nil {
			return err
		}
		f.params = append(f.params, scriptParam{p.list[0].atom, sort})
	}
	sort, err := s.sort(of)
	if err != nil {
		return err
	}
	if len(params) == 0 {
		if f.term, err = s.term(body); err != nil {
			return err
		}
		if f.term.sort != sort {
			return body.errorf("%s is defined as %v and has sort %v", symbol.atom, sort, f.term.sort)
		}
	} else {
		f.body = body
	}
	s.bind(symbol.atom, f)
	return nil
}
