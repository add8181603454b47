package inspect

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Eval evaluates a Go expression in a call: variables, selectors, indexes, slices of strings, dereferences, addresses,
// arithmetic, comparisons, type assertions, len and cap, and conversions between basic types. It calls nothing.
func (s *Session) Eval(f Frame, text string) (Value, error) {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		var list interface{ Unwrap() []error }
		if errors.As(err, &list) {
			err = list.Unwrap()[0]
		}
		return Value{}, fmt.Errorf("%s: %s", text, strings.TrimPrefix(err.Error(), "1:1: "))
	}
	e := evaluation{s: s, frame: f}
	o, err := e.expr(expr)
	if err != nil {
		return Value{}, err
	}
	return e.value(o, nil)
}

// An evaluation evaluates expressions in a call.
type evaluation struct {
	s     *Session
	frame Frame
}

// An operand is a value, or a constant, which may have no type yet.
type operand struct {
	v     Value
	c     constant.Value // of a constant; nil for values
	isNil bool
}

// errorf returns an error about an expression.
func errorf(x ast.Expr, format string, args ...any) error {
	return fmt.Errorf("%s: %s", types.ExprString(x), fmt.Sprintf(format, args...))
}

func (e *evaluation) expr(x ast.Expr) (operand, error) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.expr(x.X)
	case *ast.BasicLit:
		c := constant.MakeFromLiteral(x.Value, x.Kind, 0)
		if c.Kind() == constant.Unknown {
			return operand{}, errorf(x, "not a constant")
		}
		return operand{c: c}, nil
	case *ast.Ident:
		return e.ident(x)
	case *ast.SelectorExpr:
		return e.selector(x)
	case *ast.StarExpr:
		v, err := e.known(x.X)
		if err != nil {
			return operand{}, err
		}
		return e.deref(x, v)
	case *ast.UnaryExpr:
		return e.unary(x)
	case *ast.BinaryExpr:
		return e.binary(x)
	case *ast.IndexExpr:
		return e.index(x)
	case *ast.SliceExpr:
		return e.slice(x)
	case *ast.TypeAssertExpr:
		return e.assert(x)
	case *ast.CallExpr:
		return e.call(x)
	}
	return operand{}, errorf(x, "not supported: expressions have variables, selectors, indexes, operators, len and cap, and conversions")
}

// value makes an operand a value, of the type of other if it is a constant without one.
func (e *evaluation) value(o operand, other *code.Type) (Value, error) {
	switch {
	case o.isNil && other != nil:
		return Value{Type: other, s: e.s, words: make([]heap.Word, other.Words)}, nil
	case o.isNil:
		return Value{}, errors.New("nil has no type here")
	case o.c == nil:
		return o.v, nil
	}
	t := other
	if t == nil {
		kind := types.Int
		switch o.c.Kind() {
		case constant.Bool:
			kind = types.Bool
		case constant.String:
			kind = types.String
		case constant.Float:
			kind = types.Float64
		case constant.Complex:
			return Value{}, errors.New("complex constants are not supported")
		}
		t = e.s.machine.Program.Type(types.Typ[kind])
	}
	return e.s.constant(o.c, t)
}

// constant returns a constant as a value of type t.
func (s *Session) constant(c constant.Value, t *code.Type) (Value, error) {
	v := Value{Type: t, s: s}
	switch {
	case t.Shape == code.ShapeString && c.Kind() == constant.String:
		text := constant.StringVal(c)
		v.words = []heap.Word{{}, {N: uint64(len(text))}}
		if text != "" {
			v.words[0].P = &heap.Object{Bytes: []byte(text), Kind: heap.Array}
			v.words[0].P.ID.Goroutine = math.MinInt32
		}
		return v, nil
	case t.Shape != code.Scalar:
	case t.Kinds[0] == code.Bool && c.Kind() == constant.Bool:
		v.words = []heap.Word{heap.BoolWord(constant.BoolVal(c))}
		return v, nil
	case t.Kinds[0].Float():
		f, _ := constant.Float64Val(constant.ToFloat(c))
		bits := math.Float64bits(f)
		if t.Kinds[0] == code.Float32 {
			bits = uint64(math.Float32bits(float32(f)))
		}
		v.words = []heap.Word{{N: bits}}
		return v, nil
	case t.Kinds[0].Integer():
		i := constant.ToInt(c)
		if i.Kind() != constant.Int {
			break
		}
		bits, ok := constant.Uint64Val(i)
		if !ok {
			signed, ok := constant.Int64Val(i)
			if !ok {
				return v, fmt.Errorf("%s overflows %s", c, t)
			}
			bits = uint64(signed)
		}
		v.words = []heap.Word{{N: heap.Canonical(bits, t.Kinds[0])}}
		return v, nil
	}
	return v, fmt.Errorf("%s is not of type %s", c, t)
}

// asConstant returns a value of a basic type as a constant.
func (v Value) asConstant() (constant.Value, bool) {
	switch {
	case v.missing != "":
	case v.Type.Shape == code.ShapeString:
		if v.words[1].N == 0 {
			return constant.MakeString(""), true
		}
		return constant.MakeString(v.Text()), true
	case v.Type.Shape != code.Scalar || v.words[0].P != nil:
	case v.Type.Kinds[0] == code.Bool:
		return constant.MakeBool(v.words[0].N != 0), true
	case v.Type.Kinds[0] == code.Float32:
		return constant.MakeFloat64(float64(math.Float32frombits(uint32(v.words[0].N)))), true
	case v.Type.Kinds[0] == code.Float64:
		return constant.MakeFloat64(math.Float64frombits(v.words[0].N)), true
	case v.Type.Kinds[0].Signed():
		return constant.MakeInt64(int64(v.words[0].N)), true
	case v.Type.Kinds[0].Integer():
		return constant.MakeUint64(v.words[0].N), true
	}
	return nil, false
}

// known evaluates an expression whose value has to be available.
func (e *evaluation) known(x ast.Expr) (Value, error) {
	o, err := e.expr(x)
	if err != nil {
		return Value{}, err
	}
	v, err := e.value(o, nil)
	if err == nil && v.missing != "" {
		err = errorf(x, "%s", v.missing)
	}
	return v, err
}

func (e *evaluation) ident(x *ast.Ident) (operand, error) {
	vars := e.s.Variables(e.frame)
	for i := len(vars) - 1; i >= 0; i-- {
		if v := &vars[i]; v.Name == x.Name && !v.Shadowed {
			return operand{v: v.Value}, nil
		}
	}
	if pkg := e.s.packageOf(e.frame); pkg != nil {
		if o, ok, err := e.member(pkg, x.Name); ok || err != nil {
			return o, err
		}
	}
	switch x.Name {
	case "true", "false":
		return operand{c: constant.MakeBool(x.Name == "true")}, nil
	case "nil":
		return operand{isNil: true}, nil
	}
	var names []string
	for _, v := range vars {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	if len(names) == 0 {
		return operand{}, fmt.Errorf("no variable %s here", x.Name)
	}
	return operand{}, fmt.Errorf("no variable %s here; there are %s", x.Name, strings.Join(names, ", "))
}

// packageOf returns the package of a call, nil if there is none.
func (s *Session) packageOf(f Frame) *ssa.Package {
	g := s.goroutine(f.Goroutine)
	if g == nil || f.depth >= len(g.Frames) || g.Frames[f.depth].Func.SSA == nil {
		return nil
	}
	fn := g.Frames[f.depth].Func.SSA
	if fn.Pkg == nil && fn.Origin() != nil {
		return fn.Origin().Pkg
	}
	return fn.Pkg
}

// member returns a variable or constant of a package.
func (e *evaluation) member(pkg *ssa.Package, name string) (o operand, ok bool, err error) {
	switch m := pkg.Members[name].(type) {
	case *ssa.Global:
		return operand{v: e.s.global(m)}, true, nil
	case *ssa.NamedConst:
		if t, ok := m.Type().Underlying().(*types.Basic); ok && t.Info()&types.IsUntyped == 0 {
			v, err := e.s.constant(m.Value.Value, e.s.machine.Program.Type(m.Type()))
			return operand{v: v}, err == nil, err
		}
		return operand{c: m.Value.Value}, true, nil
	}
	return operand{}, false, nil
}

func (e *evaluation) selector(x *ast.SelectorExpr) (operand, error) {
	if id, ok := x.X.(*ast.Ident); ok {
		o, err := e.ident(id)
		if err == nil {
			return e.field(x, o)
		}
		if pkg := e.imported(id.Name); pkg != nil {
			o, ok, err := e.member(pkg, x.Sel.Name)
			if err != nil {
				return o, err
			}
			if !ok {
				return o, errorf(x, "no variable or constant of package %s", pkg.Pkg.Path())
			}
			return o, nil
		}
		return o, err
	}
	o, err := e.expr(x.X)
	if err != nil {
		return o, err
	}
	return e.field(x, o)
}

// imported returns the package that a name stands for in the source of the call.
func (e *evaluation) imported(name string) *ssa.Package {
	own := e.s.packageOf(e.frame)
	if own == nil {
		return nil
	}
	for _, imp := range own.Pkg.Imports() {
		if imp.Name() == name {
			return e.s.program.Prog.Package(imp)
		}
	}
	return nil
}

// field selects a field, through pointers and embedded fields.
func (e *evaluation) field(x *ast.SelectorExpr, o operand) (operand, error) {
	if o.c != nil || o.isNil {
		return o, errorf(x, "a constant has no fields")
	}
	v := o.v
	if v.missing != "" {
		return o, errorf(x.X, "%s", v.missing)
	}
	if v.Type.Shape == code.ShapeInterface {
		elem, ok := v.Elem()
		if !ok {
			return o, errorf(x.X, "nil interface")
		}
		v = elem // a method is none of its fields: those of the value are meant
	}
	var pkg *types.Package
	if own := e.s.packageOf(e.frame); own != nil {
		pkg = own.Pkg
	}
	obj, path, _ := types.LookupFieldOrMethod(v.Type.Go, true, pkg, x.Sel.Name)
	if obj == nil {
		path = fieldPath(v.Type, x.Sel.Name) // a field of another package that is not exported
	} else if _, method := obj.(*types.Func); method {
		return o, errorf(x, "a method: methods are not called")
	}
	if path == nil {
		return o, errorf(x, "%s has no field %s", v.Type, x.Sel.Name)
	}
	for _, i := range path {
		if v.Type.Shape == code.ShapePointer {
			elem, ok := v.Elem()
			if !ok {
				return o, errorf(x, "nil pointer")
			}
			v = elem
		}
		if v.missing != "" {
			return o, errorf(x, "%s", v.missing)
		}
		v = v.Field(i)
	}
	return operand{v: v}, nil
}

// fieldPath returns the index of a direct field of a struct, or of what a pointer points to.
func fieldPath(t *code.Type, name string) []int {
	if t.Shape == code.ShapePointer {
		t = t.Elem
	}
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return []int{i}
		}
	}
	return nil
}

func (e *evaluation) deref(x ast.Expr, v Value) (operand, error) {
	if v.Type.Shape != code.ShapePointer {
		return operand{}, errorf(x, "%s is not a pointer", v.Type)
	}
	elem, ok := v.Elem()
	if !ok {
		return operand{}, errorf(x, "nil pointer")
	}
	return operand{v: elem}, nil
}

func (e *evaluation) unary(x *ast.UnaryExpr) (operand, error) {
	o, err := e.expr(x.X)
	if err != nil {
		return o, err
	}
	if x.Op == token.AND {
		if o.c != nil || o.v.at.P == nil {
			return o, errorf(x, "it is not in memory, and has no address")
		}
		t := e.s.machine.Program.Type(types.NewPointer(o.v.Type.Go))
		return operand{v: Value{Type: t, s: e.s, words: []heap.Word{o.v.at}}}, nil
	}
	if x.Op == token.ARROW {
		return o, errorf(x, "a receive would change the channel")
	}
	c, t, err := e.constantOf(x.X, o)
	if err != nil {
		return o, err
	}
	return e.compute(x, t, func() constant.Value {
		prec := uint(0)
		if t != nil && t.Kinds[0].Integer() && !t.Kinds[0].Signed() {
			prec = uint(t.Kinds[0].Bits())
		}
		return constant.UnaryOp(x.Op, c, prec)
	})
}

// constantOf returns an operand of a basic type as a constant, and its type; nil if it has none.
func (e *evaluation) constantOf(x ast.Expr, o operand) (constant.Value, *code.Type, error) {
	if o.isNil {
		return nil, nil, errorf(x, "nil is not a value of a basic type")
	}
	if o.c != nil {
		return o.c, nil, nil
	}
	if o.v.missing != "" {
		return nil, nil, errorf(x, "%s", o.v.missing)
	}
	c, ok := o.v.asConstant()
	if !ok {
		return nil, nil, errorf(x, "%s is not a basic type", o.v.Type)
	}
	return c, o.v.Type, nil
}

// compute returns the result of an operation on constants as a value of type t. Package constant panics if the
// operation does not fit the operands.
func (e *evaluation) compute(x ast.Expr, t *code.Type, do func() constant.Value) (o operand, err error) {
	defer func() {
		if recover() != nil {
			err = errorf(x, "the operator does not fit the operands")
		}
	}()
	c := do()
	if c.Kind() == constant.Unknown {
		return o, errorf(x, "no value")
	}
	if t == nil {
		return operand{c: c}, nil
	}
	if c.Kind() == constant.Int && t.Kinds[0].Integer() {
		c = wrap(c)
	}
	v, err := e.s.constant(c, t)
	return operand{v: v}, err
}

// wrap returns the lowest 64 bits of an integer.
func wrap(c constant.Value) constant.Value {
	mask := constant.MakeUint64(math.MaxUint64)
	return constant.BinaryOp(c, token.AND, mask)
}

func (e *evaluation) binary(x *ast.BinaryExpr) (operand, error) {
	l, err := e.expr(x.X)
	if err != nil {
		return l, err
	}
	if x.Op == token.LAND || x.Op == token.LOR {
		c, _, err := e.constantOf(x.X, l)
		if err != nil {
			return l, err
		}
		if c.Kind() != constant.Bool {
			return l, errorf(x.X, "not a boolean")
		}
		if constant.BoolVal(c) == (x.Op == token.LOR) {
			return l, nil
		}
		return e.expr(x.Y)
	}
	r, err := e.expr(x.Y)
	if err != nil {
		return r, err
	}
	comparison := x.Op == token.EQL || x.Op == token.NEQ
	if comparison {
		if same, ok, err := e.identical(x, l, r); ok || err != nil {
			return operand{c: constant.MakeBool(same == (x.Op == token.EQL))}, err
		}
	}
	a, t, err := e.constantOf(x.X, l)
	if err != nil {
		return l, err
	}
	b, u, err := e.constantOf(x.Y, r)
	if err != nil {
		return r, err
	}
	shift := x.Op == token.SHL || x.Op == token.SHR
	if t != nil && u != nil && t != u && !shift {
		return l, errorf(x, "mismatched types %s and %s", t, u)
	}
	if t == nil && !shift {
		t = u
	}
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		o, err := e.compute(x, nil, func() constant.Value { return constant.MakeBool(constant.Compare(a, x.Op, b)) })
		return o, err
	case token.SHL, token.SHR:
		n, ok := constant.Uint64Val(constant.ToInt(b))
		if !ok || n > 1<<10 {
			return r, errorf(x.Y, "not a shift count")
		}
		return e.compute(x, t, func() constant.Value { return constant.Shift(a, x.Op, uint(n)) })
	case token.QUO, token.REM:
		if b.Kind() != constant.Float && constant.Sign(b) == 0 {
			return r, errorf(x, "division by zero")
		}
	}
	op := x.Op
	if op == token.QUO && (t != nil && t.Kinds[0].Integer() || a.Kind() == constant.Int && b.Kind() == constant.Int) {
		op = token.QUO_ASSIGN // the division of integers
	}
	return e.compute(x, t, func() constant.Value { return constant.BinaryOp(a, op, b) })
}

// identical compares values that are not of basic types: pointers and the like, and nil. The result ok is false if
// both are of basic types.
func (e *evaluation) identical(x *ast.BinaryExpr, l, r operand) (same, ok bool, err error) {
	if l.isNil {
		l, r = r, l
	}
	if l.c != nil || l.isNil {
		return false, false, nil
	}
	if l.v.missing != "" {
		return false, false, errorf(x.X, "%s", l.v.missing)
	}
	if r.isNil {
		switch l.v.Type.Shape {
		case code.ShapePointer, code.ShapeUnsafePointer, code.ShapeSlice, code.ShapeMap, code.ShapeChan, code.ShapeFunc, code.ShapeInterface:
			return l.v.IsNil(), true, nil
		}
		return false, false, errorf(x, "%s is never nil", l.v.Type)
	}
	if r.c != nil {
		return false, false, nil
	}
	switch l.v.Type.Shape {
	case code.ShapePointer, code.ShapeChan, code.ShapeUnsafePointer:
		if r.v.missing != "" {
			return false, false, errorf(x.Y, "%s", r.v.missing)
		}
		if r.v.Type != l.v.Type {
			return false, false, errorf(x, "mismatched types %s and %s", l.v.Type, r.v.Type)
		}
		return l.v.words[0] == r.v.words[0], true, nil
	case code.Scalar, code.ShapeString:
		return false, false, nil
	}
	return false, false, errorf(x, "values of type %s are not compared", l.v.Type)
}

func (e *evaluation) index(x *ast.IndexExpr) (operand, error) {
	v, err := e.known(x.X)
	if err != nil {
		return operand{}, err
	}
	if v.Type.Shape == code.ShapePointer && v.Type.Elem.Shape == code.ShapeArray {
		o, err := e.deref(x.X, v)
		if err != nil {
			return o, err
		}
		v = o.v
	}
	i, err := e.expr(x.Index)
	if err != nil {
		return i, err
	}
	switch v.Type.Shape {
	case code.ShapeMap:
		key, err := e.value(i, v.Type.Key)
		if err != nil {
			return i, err
		}
		want := key.Plain(maxDepth)
		keys, values := v.Entries()
		for k := range keys {
			if keys[k].Plain(maxDepth) == want && (key.Type.Shape != code.ShapePointer || keys[k].words[0] == key.words[0]) {
				return operand{v: values[k]}, nil
			}
		}
		return operand{}, errorf(x, "the map has no such key")
	case code.ShapeSlice, code.ShapeArray, code.ShapeString:
		n, err := e.integer(x.Index, i)
		if err != nil {
			return i, err
		}
		if n < 0 || n >= v.Len() {
			return i, errorf(x, "index %d out of range: there are %d elements", n, v.Len())
		}
		return operand{v: v.Index(n)}, nil
	}
	return operand{}, errorf(x, "%s has no elements", v.Type)
}

// integer returns an operand as an integer.
func (e *evaluation) integer(x ast.Expr, o operand) (int, error) {
	c, _, err := e.constantOf(x, o)
	if err != nil {
		return 0, err
	}
	n, ok := constant.Int64Val(constant.ToInt(c))
	if !ok || n != int64(int(n)) {
		return 0, errorf(x, "not an integer")
	}
	return int(n), nil
}

// slice evaluates a slice expression.
func (e *evaluation) slice(x *ast.SliceExpr) (operand, error) {
	v, err := e.known(x.X)
	if err != nil {
		return operand{}, err
	}
	if x.Max != nil || v.Type.Shape != code.ShapeString && v.Type.Shape != code.ShapeSlice {
		return operand{}, errorf(x, "only strings and slices are sliced, with two indexes")
	}
	from, to := 0, v.Len()
	for _, bound := range []struct {
		x  ast.Expr
		to *int
	}{{x.Low, &from}, {x.High, &to}} {
		if bound.x == nil {
			continue
		}
		o, err := e.expr(bound.x)
		if err != nil {
			return o, err
		}
		if *bound.to, err = e.integer(bound.x, o); err != nil {
			return o, err
		}
	}
	most, words := v.Len(), 1
	if v.Type.Shape == code.ShapeSlice {
		most, words = v.Cap(), v.Type.Elem.Words
	}
	if from < 0 || from > to || to > most {
		return operand{}, errorf(x, "out of range: there are %d elements", most)
	}
	out := Value{Type: v.Type, s: v.s, words: slices.Clone(v.words)}
	out.words[0].N += uint64(from * words)
	out.words[1].N = uint64(to - from)
	if v.Type.Shape == code.ShapeSlice {
		out.words[2].N -= uint64(from)
	}
	return operand{v: out}, nil
}

// assert evaluates a type assertion: the type is compared by its name.
func (e *evaluation) assert(x *ast.TypeAssertExpr) (operand, error) {
	v, err := e.known(x.X)
	if err != nil {
		return operand{}, err
	}
	if v.Type.Shape != code.ShapeInterface || x.Type == nil {
		return operand{}, errorf(x, "%s is not an interface", v.Type)
	}
	elem, ok := v.Elem()
	if !ok {
		return operand{}, errorf(x, "nil interface")
	}
	name, own := types.ExprString(x.Type), ""
	if pkg := e.s.packageOf(e.frame); pkg != nil {
		own = pkg.Pkg.Name() + "."
	}
	if t := elem.Type.String(); t != name && strings.ReplaceAll(t, own, "") != name {
		return operand{}, errorf(x, "it is of type %s", t)
	}
	return operand{v: elem}, nil
}

// call evaluates len and cap, and conversions to basic types.
func (e *evaluation) call(x *ast.CallExpr) (operand, error) {
	id, ok := ast.Unparen(x.Fun).(*ast.Ident)
	if !ok || len(x.Args) != 1 {
		return operand{}, errorf(x, "calls are not evaluated, but for len, cap and conversions to basic types")
	}
	o, err := e.expr(x.Args[0])
	if err != nil {
		return o, err
	}
	switch id.Name {
	case "len", "cap":
		v, err := e.value(o, nil)
		if err != nil {
			return o, err
		}
		if v.missing != "" {
			return o, errorf(x.Args[0], "%s", v.missing)
		}
		if v.Type.Shape == code.ShapePointer && v.Type.Elem.Shape == code.ShapeArray {
			v.Type, v.words = v.Type.Elem, nil
		}
		n := v.Len()
		if id.Name == "cap" {
			n = v.Cap()
		}
		if n < 0 {
			return o, errorf(x, "%s has none", v.Type)
		}
		value, err := e.s.constant(constant.MakeInt64(int64(n)), e.s.machine.Program.Type(types.Typ[types.Int]))
		return operand{v: value}, err
	}
	named, ok := types.Universe.Lookup(id.Name).(*types.TypeName)
	if !ok {
		return o, errorf(x, "calls are not evaluated, but for len, cap and conversions to basic types")
	}
	basic, ok := named.Type().(*types.Basic)
	if !ok {
		return o, errorf(x, "not a basic type")
	}
	c, from, err := e.constantOf(x.Args[0], o)
	if err != nil {
		return o, err
	}
	t := e.s.machine.Program.Type(basic)
	switch {
	case t.Shape == code.ShapeString && c.Kind() == constant.Int:
		r := rune(0xFFFD)
		if n, ok := constant.Int64Val(c); ok && n == int64(rune(n)) {
			r = rune(n)
		}
		c = constant.MakeString(string(r))
	case t.Shape == code.Scalar && t.Kinds[0].Integer() && c.Kind() == constant.Int:
		c = wrap(c)
	case t.Shape == code.Scalar && t.Kinds[0].Integer() && c.Kind() == constant.Float && from != nil:
		f, _ := constant.Float64Val(c)
		c = constant.MakeInt64(int64(f))
	}
	v, err := e.s.constant(c, t)
	if err != nil {
		return o, errorf(x, "%v", err)
	}
	return operand{v: v}, nil
}

// Line returns a line of the source, if the file is part of the program.
func (s *Session) Line(file string, line int) (text string, ok bool) {
	return s.program.Sources.Line(file, line)
}
