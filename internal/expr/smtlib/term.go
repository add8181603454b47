package smtlib

import (
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib/sexpr"
)

// maxDepth bounds the nesting of terms that are read, but for that of lets. It is far
// above what WriteTerm writes.
const maxDepth = 100_000

// A termReader builds the expressions that terms stand for.
type termReader struct {
	a       *expr.Arena
	symbols map[string]symbol
	locals  map[string]sorted // bound by let or as parameters
	unused  map[string]bool   // symbols of variables that no term has named yet
	depth   int

	// free returns what a quoted symbol stands for that has not been declared. Without
	// it, such a symbol is an error.
	free func(e *sexpr.Expr) (expr.ID, error)
}

// A symbol stands for a term or, with a body, for a function.
type symbol struct {
	term   sorted
	params []parameter
	body   *sexpr.Expr
}

type parameter struct {
	name string
	sort sort
}

// newTermReader returns a reader without symbols.
func newTermReader(a *expr.Arena) termReader {
	return termReader{a: a, symbols: map[string]symbol{}, locals: map[string]sorted{}, unused: map[string]bool{}}
}

// sorted is a term with its sort.
type sorted struct {
	x    expr.ID
	sort sort
}

// formula reads a term that is a Bool.
func (r *termReader) formula(e *sexpr.Expr) (expr.ID, error) {
	t, err := r.term(e)
	if err == nil && !t.sort.isBool {
		return expr.None, e.Errorf("a Bool expected, not %v", t.sort)
	}
	return t.x, err
}

// bits reads a term that is a bit-vector.
func (r *termReader) bits(e *sexpr.Expr) (expr.ID, error) {
	t, err := r.term(e)
	if err == nil && (t.sort.isBool || t.sort.index > 0) {
		return expr.None, e.Errorf("a bit-vector expected, not %v", t.sort)
	}
	return t.x, err
}

func (r *termReader) bitVector(x expr.ID) sorted { return sorted{x, sort{width: r.a.Width(x)}} }
func (r *termReader) bool(x expr.ID) sorted      { return sorted{x, boolSort} }

// term reads a term. What is inside a let or an annotation is read in a loop, since lets are
// often nested as deep as there are shared terms.
func (r *termReader) term(e *sexpr.Expr) (sorted, error) {
	type shadowed struct {
		name string
		was  sorted
		had  bool
	}
	var undo []shadowed
	r.depth++
	defer func() {
		r.depth--
		for _, u := range slices.Backward(undo) {
			if u.had {
				r.locals[u.name] = u.was
			} else {
				delete(r.locals, u.name)
			}
		}
	}()
	if r.depth > maxDepth {
		return sorted{}, e.Errorf("a term nested more than %d deep", maxDepth)
	}
	for {
		switch e.Head() {
		case "let":
			if len(e.List) != 3 {
				return sorted{}, e.Errorf("let with %d operands", len(e.List)-1)
			}
			var values []sorted // all are read before the first is bound
			for _, b := range e.List[1].List {
				if len(b.List) != 2 || b.List[0].Atom == "" {
					return sorted{}, b.Errorf("a symbol and a term expected")
				}
				t, err := r.term(b.List[1])
				if err != nil {
					return sorted{}, err
				}
				values = append(values, t)
			}
			for i, b := range e.List[1].List {
				name := b.List[0].Atom
				was, had := r.locals[name]
				undo = append(undo, shadowed{name, was, had})
				r.locals[name] = values[i]
			}
			e = e.List[2]
		case "!":
			if len(e.List) < 2 {
				return sorted{}, e.Errorf("an annotation of nothing")
			}
			e = e.List[1]
		default:
			return r.plain(e)
		}
	}
}

// plain reads a term that is no let and not annotated.
func (r *termReader) plain(e *sexpr.Expr) (sorted, error) {
	if !e.IsList() {
		return r.atom(e)
	}
	if len(e.List) == 0 {
		return sorted{}, e.Errorf("a term expected instead of ()")
	}
	name, args := e.List[0], e.List[1:]
	switch {
	case e.Head() == "_":
		return r.constant(e)
	case name.Head() == "_":
		return r.indexed(e, name.List[1:], args)
	case name.Head() == "as":
		return r.constantArray(e, name.List[1:], args)
	case name.IsList():
		return sorted{}, name.Errorf("an operator expected")
	}
	if f, ok := r.symbols[name.Atom]; ok && f.body != nil {
		return r.call(e, f, args)
	}
	if f, ok := functionNamed(name.Atom); ok {
		return r.function(e, f, args)
	}
	if name.Atom == "store" {
		return r.store(e)
	}
	op, ok := operators[name.Atom]
	if !ok {
		return sorted{}, e.Errorf("the operator %s is not supported", name.Atom)
	}
	if len(args) < op.least || op.most > 0 && len(args) > op.most {
		return sorted{}, e.Errorf("%s with %d operands", name.Atom, len(args))
	}
	terms := make([]sorted, len(args))
	for i, arg := range args {
		var err error
		if terms[i], err = r.term(arg); err != nil {
			return sorted{}, err
		}
		if err := op.check(arg, terms, i); err != nil {
			return sorted{}, err
		}
	}
	return op.apply(r, e, terms)
}

// atom reads a constant or a symbol.
func (r *termReader) atom(e *sexpr.Expr) (sorted, error) {
	if t, ok := r.locals[e.Atom]; ok {
		return t, nil
	}
	if s, ok := r.symbols[e.Atom]; ok && s.body == nil {
		delete(r.unused, e.Atom)
		return s.term, nil
	}
	switch {
	case e.Quoted && r.free != nil:
		x, err := r.free(e)
		return r.bitVector(x), err
	case e.Quoted:
	case e.Atom == "true", e.Atom == "false":
		return r.bool(r.a.Bool(e.Atom == "true")), nil
	case strings.HasPrefix(e.Atom, "#x"), strings.HasPrefix(e.Atom, "#b"):
		return r.constant(e)
	}
	return sorted{}, e.Errorf("%v is not declared", e)
}

func (r *termReader) constant(e *sexpr.Expr) (sorted, error) {
	v, width, err := Constant(e)
	if err != nil {
		return sorted{}, err
	}
	return r.bitVector(r.a.Const(v, width)), nil
}

// Constant returns the value and the width of a constant bit-vector, which is written
// as #x2a, #b101010 or (_ bv42 6).
func Constant(e *sexpr.Expr) (value uint64, width uint8, err error) {
	word, base, bits := e.Atom, 0, 0
	switch {
	case e.Quoted:
	case strings.HasPrefix(word, "#x"):
		base, bits = 16, 4*len(word[2:])
	case strings.HasPrefix(word, "#b"):
		base, bits = 2, len(word[2:])
	case len(e.List) == 3 && e.Head() == "_" && strings.HasPrefix(e.List[1].Atom, "bv"):
		word, base = e.List[1].Atom, 10
		if bits, err = e.List[2].Number(); err != nil {
			return 0, 0, err
		}
	}
	if base == 0 {
		return 0, 0, e.Errorf("%v is not a bit-vector constant", e)
	}
	if err := checkWidth(e, bits); err != nil {
		return 0, 0, err
	}
	value, err = strconv.ParseUint(word[2:], base, 64)
	if err != nil || bits < 64 && value>>bits != 0 {
		return 0, 0, e.Errorf("bad constant %s of width %d", word, bits)
	}
	return value, uint8(bits), nil
}

// call applies a function that the script defines.
func (r *termReader) call(e *sexpr.Expr, f symbol, args []*sexpr.Expr) (sorted, error) {
	if len(args) != len(f.params) {
		return sorted{}, e.Errorf("%s with %d operands", e.Head(), len(args))
	}
	locals := make(map[string]sorted)
	for i, arg := range args {
		t, err := r.term(arg)
		if err != nil {
			return sorted{}, err
		}
		if p := f.params[i]; t.sort != p.sort {
			return sorted{}, arg.Errorf("%v expected, not %v", p.sort, t.sort)
		}
		locals[f.params[i].name] = t
	}
	caller := r.locals
	r.locals = locals
	defer func() { r.locals = caller }()
	return r.term(f.body)
}

// function applies a function over floats.
func (r *termReader) function(e *sexpr.Expr, f Function, args []*sexpr.Expr) (sorted, error) {
	if len(args) != f.op.NumArgs() {
		return sorted{}, e.Errorf("%v with %d operands", f, len(args))
	}
	var terms [2]expr.ID
	for i, arg := range args {
		x, err := r.bits(arg)
		if err != nil {
			return sorted{}, err
		}
		if w := r.a.Width(x); w != f.from {
			return sorted{}, arg.Errorf("%v of width %d", f, w)
		}
		terms[i] = x
	}
	return r.bitVector(f.apply(r.a, terms[0], terms[1])), nil
}

// indexed reads "((_ name index...) x)".
func (r *termReader) indexed(e *sexpr.Expr, name, args []*sexpr.Expr) (sorted, error) {
	var index [2]int
	if len(name) < 2 || len(name) > 3 || len(args) != 1 {
		return sorted{}, e.Errorf("a term that is not supported")
	}
	for i, digits := range name[1:] {
		var err error
		if index[i], err = digits.Number(); err != nil {
			return sorted{}, err
		}
	}
	if name[0].Atom == "extract" && len(name) == 3 {
		if x, y := wideFactors(args[0], index); x != nil {
			return r.highProduct(e, x, y, uint8(index[1]))
		}
	}
	x, err := r.bits(args[0])
	if err != nil {
		return sorted{}, err
	}
	a, w, n := r.a, int(r.a.Width(x)), index[0]
	if name[0].Atom == "extract" && len(name) == 3 {
		hi, lo := index[0], index[1]
		if hi >= w || lo > hi {
			return sorted{}, e.Errorf("extract of bits %d to %d from width %d", lo, hi, w)
		}
		return r.bitVector(a.Extract(x, uint8(lo), uint8(hi-lo+1))), nil
	}
	if len(name) != 2 {
		return sorted{}, e.Errorf("%s with %d indexes", name[0].Atom, len(name)-1)
	}
	switch name[0].Atom {
	case "zero_extend", "sign_extend":
		if err := checkWidth(e, w+n); err != nil {
			return sorted{}, err
		}
		if name[0].Atom == "zero_extend" {
			return r.bitVector(a.ZExt(x, uint8(w+n))), nil
		}
		return r.bitVector(a.SExt(x, uint8(w+n))), nil
	case "repeat":
		if n > 64 {
			return sorted{}, e.Errorf("%w", ErrWide)
		}
		if err := checkWidth(e, w*n); err != nil {
			return sorted{}, err
		}
		y := x
		for range n - 1 {
			y = a.Concat(x, y)
		}
		return r.bitVector(y), nil
	case "rotate_right":
		n = w - n%w
		fallthrough
	case "rotate_left":
		if n %= w; n > 0 {
			x = a.Concat(a.Extract(x, 0, uint8(w-n)), a.Extract(x, uint8(w-n), uint8(n)))
		}
		return r.bitVector(x), nil
	}
	return sorted{}, e.Errorf("the operator %s is not supported", name[0].Atom)
}

// wideFactors returns the factors if the bits from index[1] to index[0] of e are the high half
// of a product that is wider than 64 bits, as WriteTerm writes it, and nil otherwise.
func wideFactors(e *sexpr.Expr, index [2]int) (x, y *sexpr.Expr) {
	hi, w := index[0], index[1]
	if len(e.List) != 3 || e.Head() != "bvmul" || hi != 2*w-1 || 2*w <= 64 {
		return nil, nil
	}
	var factors [2]*sexpr.Expr
	for i, arg := range e.List[1:] {
		if len(arg.List) != 2 || len(arg.List[0].List) != 3 || arg.List[0].List[1].Atom != "zero_extend" ||
			arg.List[0].List[2].Atom != strconv.Itoa(w) {
			return nil, nil
		}
		factors[i] = arg.List[1]
	}
	return factors[0], factors[1]
}

// highProduct reads the high half of the product of terms of width w.
func (r *termReader) highProduct(e, left, right *sexpr.Expr, w uint8) (sorted, error) {
	x, err := r.bits(left)
	if err != nil {
		return sorted{}, err
	}
	y, err := r.bits(right)
	if err != nil {
		return sorted{}, err
	}
	if r.a.Width(x) != w || r.a.Width(y) != w {
		return sorted{}, e.Errorf("the high half of a product of widths %d and %d", r.a.Width(x), r.a.Width(y))
	}
	return r.bitVector(r.a.UMulHi(x, y)), nil
}
