package expr

import (
	"slices"
	"strconv"
	"strings"
)

// sort is the sort of a term: Bool, whose terms are bits, a bit-vector, or an array of
// them.
type sort struct {
	isBool bool
	width  uint8 // of the elements of an array
	index  uint8 // of the indexes of an array, otherwise 0
}

var boolSort = sort{isBool: true, width: 1}

// String returns the sort as SMT-LIB has it.
func (s sort) String() string {
	bits := func(width uint8) string { return "(_ BitVec " + strconv.Itoa(int(width)) + ")" }
	switch {
	case s.isBool:
		return "Bool"
	case s.index > 0:
		return "(Array " + bits(s.index) + " " + bits(s.width) + ")"
	}
	return bits(s.width)
}

// sorted is a term with its sort.
type sorted struct {
	x    ID
	sort sort
}

// sort reads a sort.
func (s *script) sort(e *sexpr) (sort, error) {
	switch {
	case e.atom == "Bool":
		return boolSort, nil
	case len(e.list) == 3 && e.head() == "_" && e.list[1].atom == "BitVec":
		width, err := e.list[2].number()
		if err != nil {
			return sort{}, err
		}
		if err := e.checkWidth(width); err != nil {
			return sort{}, err
		}
		return sort{width: uint8(width)}, nil
	case len(e.list) == 3 && e.head() == "Array":
		index, err := s.sort(e.list[1])
		if err != nil {
			return sort{}, err
		}
		elem, err := s.sort(e.list[2])
		if err != nil {
			return sort{}, err
		}
		if index.isBool || index.index > 0 || elem.isBool || elem.index > 0 {
			return sort{}, e.errorf("an array of other than bit-vectors is not supported")
		}
		return sort{index: index.width, width: elem.width}, nil
	}
	return sort{}, e.errorf("a sort that is not supported")
}

// checkWidth checks the width of a bit-vector.
func (e *sexpr) checkWidth(width int) error {
	switch {
	case width < 1:
		return e.errorf("bad width %d", width)
	case width > 64:
		return e.errorf("%w", ErrWide)
	}
	return nil
}

// formula reads a term that is a Bool.
func (s *script) formula(e *sexpr) (ID, error) {
	t, err := s.term(e)
	if err == nil && !t.sort.isBool {
		return None, e.errorf("a Bool expected, not %v", t.sort)
	}
	return t.x, err
}

// bits reads a term that is a bit-vector.
func (s *script) bits(e *sexpr) (ID, error) {
	t, err := s.term(e)
	if err == nil && (t.sort.isBool || t.sort.index > 0) {
		return None, e.errorf("a bit-vector expected, not %v", t.sort)
	}
	return t.x, err
}

func (s *script) bitVector(x ID) sorted { return sorted{x, sort{width: s.a.Width(x)}} }
func (s *script) bool(x ID) sorted      { return sorted{x, boolSort} }

// term reads a term. What is inside a let or an annotation is read in a loop, since lets are
// often nested as deep as there are shared terms.
func (s *script) term(e *sexpr) (sorted, error) {
	type shadowed struct {
		name string
		was  sorted
		had  bool
	}
	var undo []shadowed
	defer func() {
		for _, u := range slices.Backward(undo) {
			if u.had {
				s.locals[u.name] = u.was
			} else {
				delete(s.locals, u.name)
			}
		}
	}()
	for {
		switch e.head() {
		case "let":
			if len(e.list) != 3 {
				return sorted{}, e.errorf("let with %d operands", len(e.list)-1)
			}
			var values []sorted // all are read before the first is bound
			for _, b := range e.list[1].list {
				if len(b.list) != 2 || b.list[0].atom == "" {
					return sorted{}, b.errorf("a symbol and a term expected")
				}
				t, err := s.term(b.list[1])
				if err != nil {
					return sorted{}, err
				}
				values = append(values, t)
			}
			for i, b := range e.list[1].list {
				name := b.list[0].atom
				was, had := s.locals[name]
				undo = append(undo, shadowed{name, was, had})
				s.locals[name] = values[i]
			}
			e = e.list[2]
		case "!":
			if len(e.list) < 2 {
				return sorted{}, e.errorf("an annotation of nothing")
			}
			e = e.list[1]
		default:
			return s.plain(e)
		}
	}
}

// plain reads a term that is no let and not annotated.
func (s *script) plain(e *sexpr) (sorted, error) {
	if !e.isList() {
		return s.atom(e)
	}
	if len(e.list) == 0 {
		return sorted{}, e.errorf("a term expected instead of ()")
	}
	name, args := e.list[0], e.list[1:]
	switch {
	case e.head() == "_":
		return s.numeral(e)
	case name.head() == "_":
		return s.indexed(e, name.list[1:], args)
	case name.head() == "as":
		return s.constantArray(e, name.list[1:], args)
	case name.isList():
		return sorted{}, name.errorf("an operator expected")
	}
	if f, ok := s.symbols[name.atom]; ok && f.body != nil {
		return s.call(e, f, args)
	}
	if f, ok := smtFunctionNamed(name.atom); ok {
		return s.function(e, f, args)
	}
	op, ok := scriptOps[name.atom]
	if !ok {
		return sorted{}, e.errorf("the operator %s is not supported", name.atom)
	}
	if len(args) < op.least || op.most > 0 && len(args) > op.most {
		return sorted{}, e.errorf("%s with %d operands", name.atom, len(args))
	}
	terms := make([]sorted, len(args))
	for i, arg := range args {
		var err error
		if terms[i], err = s.term(arg); err != nil {
			return sorted{}, err
		}
		if err := op.check(arg, terms, i); err != nil {
			return sorted{}, err
		}
	}
	return op.apply(s, e, terms)
}

// atom reads a constant or a symbol.
func (s *script) atom(e *sexpr) (sorted, error) {
	if t, ok := s.locals[e.atom]; ok {
		return t, nil
	}
	if f, ok := s.symbols[e.atom]; ok && f.body == nil {
		delete(s.unused, e.atom)
		return f.term, nil
	}
	switch digits, base, per := strings.TrimPrefix(e.atom, "#b"), 2, 1; {
	case e.atom == "true", e.atom == "false":
		return s.bool(s.a.Bool(e.atom == "true")), nil
	case strings.HasPrefix(e.atom, "#x"):
		digits, base, per = e.atom[2:], 16, 4
		fallthrough
	case strings.HasPrefix(e.atom, "#b"):
		if err := e.checkWidth(per * len(digits)); err != nil {
			return sorted{}, err
		}
		v, err := strconv.ParseUint(digits, base, 64)
		if err != nil {
			return sorted{}, e.errorf("bad constant %s", e.atom)
		}
		return s.bitVector(s.a.Const(v, uint8(per*len(digits)))), nil
	}
	return sorted{}, e.errorf("%s is not declared", e.atom)
}

// numeral reads "(_ bv10 32)".
func (s *script) numeral(e *sexpr) (sorted, error) {
	if len(e.list) != 3 || !strings.HasPrefix(e.list[1].atom, "bv") {
		return sorted{}, e.errorf("a term that is not supported")
	}
	width, err := e.list[2].number()
	if err != nil {
		return sorted{}, err
	}
	if err := e.checkWidth(width); err != nil {
		return sorted{}, err
	}
	v, err := strconv.ParseUint(e.list[1].atom[2:], 10, 64)
	if err != nil || width < 64 && v>>width != 0 {
		return sorted{}, e.errorf("bad constant %s of width %d", e.list[1].atom, width)
	}
	return s.bitVector(s.a.Const(v, uint8(width))), nil
}

// call applies a function that the script defines.
func (s *script) call(e *sexpr, f scriptSymbol, args []*sexpr) (sorted, error) {
	if len(args) != len(f.params) {
		return sorted{}, e.errorf("%s with %d operands", e.head(), len(args))
	}
	locals := make(map[string]sorted)
	for i, arg := range args {
		t, err := s.term(arg)
		if err != nil {
			return sorted{}, err
		}
		if p := f.params[i]; t.sort != p.sort {
			return sorted{}, arg.errorf("%v expected, not %v", p.sort, t.sort)
		}
		locals[f.params[i].name] = t
	}
	caller := s.locals
	s.locals = locals
	defer func() { s.locals = caller }()
	return s.term(f.body)
}

// function applies a function over floats.
func (s *script) function(e *sexpr, f SMTFunction, args []*sexpr) (sorted, error) {
	if len(args) != f.op.NumArgs() {
		return sorted{}, e.errorf("%v with %d operands", f, len(args))
	}
	var terms [2]ID
	for i, arg := range args {
		x, err := s.bits(arg)
		if err != nil {
			return sorted{}, err
		}
		if w := s.a.Width(x); w != f.from {
			return sorted{}, arg.errorf("%v of width %d", f, w)
		}
		terms[i] = x
	}
	return s.bitVector(f.apply(s.a, terms[0], terms[1])), nil
}

// indexed reads "((_ name index...) x)".
func (s *script) indexed(e *sexpr, name, args []*sexpr) (sorted, error) {
	var index [2]int
	if len(name) < 2 || len(name) > 3 || len(args) != 1 {
		return sorted{}, e.errorf("a term that is not supported")
	}
	for i, digits := range name[1:] {
		var err error
		if index[i], err = digits.number(); err != nil {
			return sorted{}, err
		}
	}
	if name[0].atom == "extract" && len(name) == 3 {
		if x, y := wideFactors(args[0], index); x != nil {
			return s.highProduct(e, x, y, uint8(index[1]))
		}
	}
	x, err := s.bits(args[0])
	if err != nil {
		return sorted{}, err
	}
	a, w, n := s.a, int(s.a.Width(x)), index[0]
	if name[0].atom == "extract" && len(name) == 3 {
		hi, lo := index[0], index[1]
		if hi >= w || lo > hi {
			return sorted{}, e.errorf("extract of bits %d to %d from width %d", lo, hi, w)
		}
		return s.bitVector(a.Extract(x, uint8(lo), uint8(hi-lo+1))), nil
	}
	if len(name) != 2 {
		return sorted{}, e.errorf("%s with %d indexes", name[0].atom, len(name)-1)
	}
	switch name[0].atom {
	case "zero_extend", "sign_extend":
		if err := e.checkWidth(w + n); err != nil {
			return sorted{}, err
		}
		if name[0].atom == "zero_extend" {
			return s.bitVector(a.ZExt(x, uint8(w+n))), nil
		}
		return s.bitVector(a.SExt(x, uint8(w+n))), nil
	case "repeat":
		if n > 64 {
			return sorted{}, e.errorf("%w", ErrWide)
		}
		if err := e.checkWidth(w * n); err != nil {
			return sorted{}, err
		}
		y := x
		for range n - 1 {
			y = a.Concat(x, y)
		}
		return s.bitVector(y), nil
	case "rotate_right":
		n = w - n%w
		fallthrough
	case "rotate_left":
		if n %= w; n > 0 {
			x = a.Concat(a.Extract(x, 0, uint8(w-n)), a.Extract(x, uint8(w-n), uint8(n)))
		}
		return s.bitVector(x), nil
	}
	return sorted{}, e.errorf("the operator %s is not supported", name[0].atom)
}

// wideFactors returns the factors if the bits from index[1] to index[0] of e are the high half
// of a product that is wider than 64 bits, as SMT writes it, and nil otherwise.
func wideFactors(e *sexpr, index [2]int) (x, y *sexpr) {
	hi, w := index[0], index[1]
	if len(e.list) != 3 || e.head() != "bvmul" || hi != 2*w-1 || 2*w <= 64 {
		return nil, nil
	}
	var factors [2]*sexpr
	for i, arg := range e.list[1:] {
		if len(arg.list) != 2 || len(arg.list[0].list) != 3 || arg.list[0].list[1].atom != "zero_extend" || arg.list[0].list[2].atom != strconv.Itoa(w) {
			return nil, nil
		}
		factors[i] = arg.list[1]
	}
	return factors[0], factors[1]
}

// highProduct reads the high half of the product of terms of width w.
func (s *script) highProduct(e, left, right *sexpr, w uint8) (sorted, error) {
	x, err := s.bits(left)
	if err != nil {
		return sorted{}, err
	}
	y, err := s.bits(right)
	if err != nil {
		return sorted{}, err
	}
	if s.a.Width(x) != w || s.a.Width(y) != w {
		return sorted{}, e.errorf("the high half of a product of widths %d and %d", s.a.Width(x), s.a.Width(y))
	}
	return s.bitVector(s.a.UMulHi(x, y)), nil
}

// constantArray reads "((as const sort) x)".
func (s *script) constantArray(e *sexpr, name, args []*sexpr) (sorted, error) {
	if len(name) != 2 || name[0].atom != "const" || len(args) != 1 {
		return sorted{}, e.errorf("a term that is not supported")
	}
	of, err := s.sort(name[1])
	if err != nil {
		return sorted{}, err
	}
	x, err := s.bits(args[0])
	if err != nil {
		return sorted{}, err
	}
	if of.index == 0 || s.a.Width(x) != of.width {
		return sorted{}, e.errorf("%v made of width %d", of, s.a.Width(x))
	}
	return sorted{s.a.Table(of.index, nil, x), of}, nil
}

// A scriptOp is an operator by its name alone.
type scriptOp struct {
	least, most int // operands; no bound above if most is 0
	// check tells whether operand i may follow those before it.
	check func(e *sexpr, terms []sorted, i int) error
	apply func(s *script, e *sexpr, terms []sorted) (sorted, error)
}

// Checks of operands.

func areBools(e *sexpr, terms []sorted, i int) error {
	if !terms[i].sort.isBool {
		return e.errorf("a Bool expected, not %v", terms[i].sort)
	}
	return nil
}

func areBits(e *sexpr, terms []sorted, i int) error {
	if terms[i].sort.isBool || terms[i].sort.index > 0 {
		return e.errorf("a bit-vector expected, not %v", terms[i].sort)
	}
	return nil
}

func areAlike(e *sexpr, terms []sorted, i int) error {
	if terms[i].sort != terms[0].sort || terms[i].sort.index > 0 {
		return e.errorf("%v expected, not %v", terms[0].sort, terms[i].sort)
	}
	return nil
}

func areBitsAlike(e *sexpr, terms []sorted, i int) error {
	if err := areBits(e, terms, i); err != nil {
		return err
	}
	return areAlike(e, terms, i)
}

func isChoice(e *sexpr, terms []sorted, i int) error {
	if i == 0 {
		return areBools(e, terms, i)
	}
	return areAlike(e, terms[1:], i-1)
}

func isAccess(e *sexpr, terms []sorted, i int) error {
	of := terms[0].sort
	if want := []sort{of, {width: of.index}, {width: of.width}}[i]; of.index == 0 || terms[i].sort != want {
		return e.errorf("an array with what fits into it expected, not %v", terms[i].sort)
	}
	return nil
}

// Makers of operators.

// folded is an operator on bit-vectors of one width that takes operands from the left.
func folded(least, most int, f func(a *Arena, x, y ID) ID) scriptOp {
	return scriptOp{least, most, areBitsAlike, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		x := terms[0].x
		for _, t := range terms[1:] {
			x = f(s.a, x, t.x)
		}
		return s.bitVector(x), nil
	}}
}

// unary is an operator on one operand of the kind that is checked.
func unary(check func(*sexpr, []sorted, int) error, f func(a *Arena, x ID) ID) scriptOp {
	return scriptOp{1, 1, check, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		return sorted{f(s.a, terms[0].x), terms[0].sort}, nil
	}}
}

// connective is an operator on Bools that takes operands from the left.
func connective(f func(a *Arena, x, y ID) ID) scriptOp {
	return scriptOp{1, 0, areBools, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		x := terms[0].x
		for _, t := range terms[1:] {
			x = f(s.a, x, t.x)
		}
		return s.bool(x), nil
	}}
}

// comparison is a relation between two bit-vectors.
func comparison(f func(a *Arena, x, y ID) ID) scriptOp {
	return scriptOp{2, 2, areBitsAlike, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		return s.bool(f(s.a, terms[0].x, terms[1].x)), nil
	}}
}

var scriptOps = map[string]scriptOp{
	"not": unary(areBools, (*Arena).Not),
	"and": connective((*Arena).And),
	"or":  connective((*Arena).Or),
	"xor": connective((*Arena).Xor),
	"=>": {2, 0, areBools, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		x := terms[len(terms)-1].x // from the right
		for i := len(terms) - 2; i >= 0; i-- {
			x = s.a.Or(s.a.Not(terms[i].x), x)
		}
		return s.bool(x), nil
	}},
	"=": {2, 0, areAlike, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		x := s.a.Bool(true)
		for i := range len(terms) - 1 {
			x = s.a.And(x, s.a.Eq(terms[i].x, terms[i+1].x))
		}
		return s.bool(x), nil
	}},
	"distinct": {2, 0, areAlike, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		x := s.a.Bool(true)
		for i, t := range terms {
			for _, u := range terms[:i] {
				x = s.a.And(x, s.a.Ne(t.x, u.x))
			}
		}
		return s.bool(x), nil
	}},
	"ite": {3, 3, isChoice, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		return sorted{s.a.Ite(terms[0].x, terms[1].x, terms[2].x), terms[1].sort}, nil
	}},

	"concat": {2, 0, areBits, func(s *script, e *sexpr, terms []sorted) (sorted, error) {
		x := terms[0].x
		for _, t := range terms[1:] {
			if err := e.checkWidth(int(s.a.Width(x)) + int(t.sort.width)); err != nil {
				return sorted{}, err
			}
			x = s.a.Concat(x, t.x)
		}
		return s.bitVector(x), nil
	}},
	"bvnot": unary(areBits, (*Arena).Not),
	"bvneg": unary(areBits, (*Arena).Neg),

	"bvand":  folded(1, 0, (*Arena).And),
	"bvor":   folded(1, 0, (*Arena).Or),
	"bvxor":  folded(1, 0, (*Arena).Xor),
	"bvadd":  folded(1, 0, (*Arena).Add),
	"bvmul":  folded(1, 0, (*Arena).Mul),
	"bvsub":  folded(1, 0, (*Arena).Sub),
	"bvudiv": folded(2, 2, (*Arena).UDiv),
	"bvurem": folded(2, 2, (*Arena).URem),
	"bvsdiv": folded(2, 2, (*Arena).SDiv),
	"bvsrem": folded(2, 2, (*Arena).SRem),
	"bvsmod": folded(2, 2, smod),
	"bvshl":  folded(2, 2, (*Arena).Shl),
	"bvlshr": folded(2, 2, (*Arena).LShr),
	"bvashr": folded(2, 2, (*Arena).AShr),
	"bvnand": folded(2, 2, func(a *Arena, x, y ID) ID { return a.Not(a.And(x, y)) }),
	"bvnor":  folded(2, 2, func(a *Arena, x, y ID) ID { return a.Not(a.Or(x, y)) }),
	"bvxnor": folded(2, 2, func(a *Arena, x, y ID) ID { return a.Not(a.Xor(x, y)) }),
	"bvcomp": folded(2, 2, (*Arena).Eq),

	"bvult": comparison((*Arena).Ult),
	"bvule": comparison((*Arena).Ule),
	"bvugt": comparison(func(a *Arena, x, y ID) ID { return a.Ult(y, x) }),
	"bvuge": comparison(func(a *Arena, x, y ID) ID { return a.Ule(y, x) }),
	"bvslt": comparison((*Arena).Slt),
	"bvsle": comparison((*Arena).Sle),
	"bvsgt": comparison(func(a *Arena, x, y ID) ID { return a.Slt(y, x) }),
	"bvsge": comparison(func(a *Arena, x, y ID) ID { return a.Sle(y, x) }),

	"select": {2, 2, isAccess, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		return s.bitVector(s.a.Select(terms[0].x, terms[1].x)), nil
	}},
	"store": {3, 3, isAccess, func(s *script, _ *sexpr, terms []sorted) (sorted, error) {
		return sorted{s.a.Store(terms[0].x, terms[1].x, terms[2].x), terms[0].sort}, nil
	}},
}

// smod is the remainder of signed division with the sign of the divisor, and the dividend
// when that is 0.
func smod(a *Arena, x, y ID) ID {
	zero := a.Const(0, a.Width(x))
	rest := a.SRem(x, y)
	other := a.Xor(a.Slt(x, zero), a.Slt(y, zero))
	return a.Ite(a.And(other, a.Ne(rest, zero)), a.Add(rest, y), rest)
}
