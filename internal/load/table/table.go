package table

import (
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// fewest is the number of numbers from which on a literal is packed.
const fewest = 24

// Prefix begins the names of the functions that decode.
const Prefix = "everyway_table"

// A Packer packs the literals of one package.
type Packer struct {
	types    map[string]ast.Expr // what the types of the package are declared to be; nil for generic ones
	consts   map[string]ast.Expr // the values of its constants that are declared by themselves
	decoders map[string]*decoder // by the type of the elements
	order    []*decoder
}

// A decoder is a function that returns a table as a slice.
type decoder struct {
	name string
	typ  string // of the elements
	elem shape
}

// A shape says where numbers are in an element of a table, in the order of their values in a literal.
type shape []leaf

// A leaf is a number in an element.
type leaf struct {
	path string // from the element, such as .Lo or .Delta[0]
	typ  string // its type
	kind number
}

// A number is an integer type of a known size.
type number struct {
	unsigned string // the type of the same size without a sign
	size     int    // in bytes
	signed   bool
}

var numbers = map[string]number{
	"uint8": {"uint8", 1, false}, "byte": {"uint8", 1, false}, "int8": {"uint8", 1, true},
	"uint16": {"uint16", 2, false}, "int16": {"uint16", 2, true},
	"uint32": {"uint32", 4, false}, "int32": {"uint32", 4, true}, "rune": {"uint32", 4, true},
	"uint64": {"uint64", 8, false}, "int64": {"uint64", 8, true},
}

// NewPacker returns a packer for the package that consists of some files.
func NewPacker(files []*ast.File) *Packer {
	p := &Packer{types: make(map[string]ast.Expr), consts: make(map[string]ast.Expr), decoders: make(map[string]*decoder)}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					p.types[s.Name.Name] = s.Type
					if s.TypeParams != nil {
						p.types[s.Name.Name] = nil
					}
				case *ast.ValueSpec:
					if g.Tok == token.CONST && len(s.Names) == 1 && len(s.Values) == 1 {
						p.consts[s.Names[0].Name] = s.Values[0]
					}
				}
			}
		}
	}
	return p
}

// Pack returns an expression for the same value as x, a call in the place of each long literal of numbers.
func (p *Packer) Pack(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		if lit, ok := x.X.(*ast.CompositeLit); ok {
			p.packElements(lit) // the address of a call cannot be taken
		}
	case *ast.CompositeLit:
		if call := p.packed(x); call != nil {
			return call
		}
		p.packElements(x)
	}
	return x
}

// packElements packs literals in the elements of another one.
func (p *Packer) packElements(lit *ast.CompositeLit) {
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			kv.Value = p.Pack(kv.Value)
		} else {
			lit.Elts[i] = p.Pack(e)
		}
	}
}

// packed returns a call in the place of a literal; nil if that is not a long one of numbers.
func (p *Packer) packed(lit *ast.CompositeLit) ast.Expr {
	array, ok := lit.Type.(*ast.ArrayType)
	if !ok || len(lit.Elts) == 0 {
		return nil
	}
	length := len(lit.Elts)
	switch n := array.Len.(type) {
	case nil, *ast.Ellipsis:
	case *ast.BasicLit:
		all, err := strconv.ParseInt(n.Value, 0, 32)
		if err != nil || int(all) < length || int(all)/2 > length { // zeros are not worth a string
			return nil
		}
		length = int(all)
	default:
		return nil
	}
	elem, ok := p.shape(array.Elt, lit.Elts[0], 0)
	if !ok || len(elem)*len(lit.Elts) < fewest {
		return nil
	}
	var text []byte
	for _, e := range lit.Elts {
		if !alike(e, lit.Elts[0]) {
			return nil
		}
		if text, ok = p.append(text, elem, e); !ok {
			return nil
		}
	}
	text = append(text, make([]byte, (length-len(lit.Elts))*elem.size())...)
	d := p.decoder(types.ExprString(array.Elt), elem)
	if d == nil {
		return nil
	}
	call := func(fn, arg ast.Expr) ast.Expr {
		return &ast.CallExpr{Fun: fn, Lparen: lit.Lbrace, Args: []ast.Expr{arg}, Rparen: lit.Rbrace}
	}
	slice := call(&ast.Ident{NamePos: lit.Pos(), Name: d.name}, &ast.BasicLit{
		ValuePos: lit.Lbrace, Kind: token.STRING, Value: strconv.Quote(string(text)),
	})
	if array.Len == nil {
		return slice
	}
	count := &ast.BasicLit{ValuePos: array.Pos(), Kind: token.INT, Value: strconv.Itoa(length)}
	return call(&ast.ArrayType{Lbrack: array.Lbrack, Len: count, Elt: array.Elt}, slice)
}

// deepest is how deep types may be nested, since types may refer to themselves.
const deepest = 4

// shape returns the shape of values of a type, one of which a literal is: it tells the lengths of arrays.
func (p *Packer) shape(typ, value ast.Expr, depth int) (shape, bool) {
	if depth > deepest {
		return nil, false
	}
	switch typ := typ.(type) {
	case *ast.Ident:
		if declared, ok := p.types[typ.Name]; ok {
			s, ok := p.shape(declared, value, depth+1)
			if ok && len(s) == 1 && s[0].path == "" {
				s[0].typ = typ.Name
			}
			return s, ok && declared != nil
		}
		kind, ok := numbers[typ.Name]
		return shape{{"", typ.Name, kind}}, ok
	case *ast.ArrayType:
		values, ok := elements(value)
		if !ok || typ.Len == nil {
			return nil, false
		}
		var all shape
		for i, v := range values {
			s, ok := p.shape(typ.Elt, v, depth+1)
			if !ok {
				return nil, false
			}
			all = all.with(fmt.Sprintf("[%d]", i), s)
		}
		return all, true
	case *ast.StructType:
		values, ok := elements(value)
		if !ok {
			return nil, false
		}
		var all shape
		n := 0
		for _, f := range typ.Fields.List {
			for _, name := range f.Names {
				if n == len(values) || name.Name == "_" {
					return nil, false
				}
				s, ok := p.shape(f.Type, values[n], depth+1)
				if !ok {
					return nil, false
				}
				all = all.with("."+name.Name, s)
				n++
			}
		}
		return all, n == len(values) && n > 0
	}
	return nil, false
}

// size returns the length of an element in a string.
func (s shape) size() int {
	n := 0
	for _, l := range s {
		n += l.kind.size
	}
	return n
}

// with adds the leaves of a part.
func (s shape) with(path string, part shape) shape {
	for _, l := range part {
		l.path = path + l.path
		s = append(s, l)
	}
	return s
}

// elements returns the elements of a literal; ok is false if there are keys.
func elements(x ast.Expr) (values []ast.Expr, ok bool) {
	lit, ok := x.(*ast.CompositeLit)
	if !ok {
		return nil, false
	}
	for _, e := range lit.Elts {
		if _, keyed := e.(*ast.KeyValueExpr); keyed {
			return nil, false
		}
	}
	return lit.Elts, true
}

// alike reports whether two literals have elements in the same places.
func alike(x, y ast.Expr) bool {
	a, composite := x.(*ast.CompositeLit)
	b, both := y.(*ast.CompositeLit)
	if composite != both || composite && len(a.Elts) != len(b.Elts) {
		return false
	}
	if composite {
		for i := range a.Elts {
			if !alike(a.Elts[i], b.Elts[i]) {
				return false
			}
		}
	}
	return true
}

// append adds the numbers of an element to text.
func (p *Packer) append(text []byte, s shape, x ast.Expr) ([]byte, bool) {
	values, ok := flatten(nil, x)
	if !ok || len(values) != len(s) {
		return nil, false
	}
	for i, l := range s {
		v := p.value(values[i], 0)
		if v.Kind() != constant.Int {
			return nil, false
		}
		n, ok := l.kind.bits(v)
		if !ok {
			return nil, false
		}
		text = append(text, binary.LittleEndian.AppendUint64(nil, n)[:l.kind.size]...)
	}
	return text, true
}

// flatten returns the values in a literal that are not literals of composite types themselves.
func flatten(values []ast.Expr, x ast.Expr) ([]ast.Expr, bool) {
	if _, ok := x.(*ast.CompositeLit); !ok {
		return append(values, x), true
	}
	list, ok := elements(x)
	for _, e := range list {
		if ok {
			values, ok = flatten(values, e)
		}
	}
	return values, ok
}

// value returns the value of a constant expression, as far as it consists of literals, other constants
// and sums.
func (p *Packer) value(x ast.Expr, depth int) constant.Value {
	unknown := constant.MakeUnknown()
	if depth > deepest {
		return unknown
	}
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.INT || x.Kind == token.CHAR {
			return constant.ToInt(constant.MakeFromLiteral(x.Value, x.Kind, 0))
		}
	case *ast.Ident:
		if declared := p.consts[x.Name]; declared != nil {
			return p.value(declared, depth+1)
		}
	case *ast.UnaryExpr:
		if v := p.value(x.X, depth+1); x.Op == token.SUB && v.Kind() == constant.Int {
			return constant.UnaryOp(token.SUB, v, 0)
		}
	case *ast.BinaryExpr:
		v, w := p.value(x.X, depth+1), p.value(x.Y, depth+1)
		if (x.Op == token.ADD || x.Op == token.SUB) && v.Kind() == constant.Int && w.Kind() == constant.Int {
			return constant.BinaryOp(v, x.Op, w)
		}
	}
	return unknown
}

// bits returns an integer as a number without a sign; ok is false if it is out of range.
func (k number) bits(v constant.Value) (n uint64, ok bool) {
	if k.signed {
		n, exact := constant.Int64Val(v)
		limit := int64(1) << (8*k.size - 1)
		return uint64(n), exact && (k.size == 8 || -limit <= n && n < limit)
	}
	n, exact := constant.Uint64Val(v)
	return n, exact && (k.size == 8 || n < 1<<(8*k.size))
}

// decoder returns the function that decodes tables of a type. There is none if another literal
// of the type has elements of another shape.
func (p *Packer) decoder(typ string, s shape) *decoder {
	d := p.decoders[typ]
	if d == nil {
		d = &decoder{name: Prefix + strconv.Itoa(len(p.order)), typ: typ, elem: s}
		p.decoders[typ] = d
		p.order = append(p.order, d)
	}
	if !slices.Equal(d.elem, s) {
		return nil
	}
	return d
}

// Declare returns a file that declares the functions which the packed literals call. It is nil if there is none.
func (p *Packer) Declare(fset *token.FileSet, path, pkg string) (*ast.File, error) {
	if len(p.order) == 0 {
		return nil, nil
	}
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\n", pkg)
	for _, d := range p.order {
		d.declare(&text)
	}
	f, err := parser.ParseFile(fset, path, text.String(), parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("declaring what decodes tables: %w", err)
	}
	return f, nil
}

// declare writes the declaration of d.
func (d *decoder) declare(text *strings.Builder) {
	fmt.Fprintf(text, "\nfunc %s(s string) []%s {\n", d.name, d.typ)
	if d.typ == "byte" || d.typ == "uint8" {
		fmt.Fprintf(text, "\tt := make([]%s, len(s))\n\tcopy(t, s)\n\treturn t\n}\n", d.typ) // of no larger capacity
		return
	}
	size := d.elem.size()
	fmt.Fprintf(text, "\tt := make([]%s, len(s)/%d)\n", d.typ, size)
	fmt.Fprintf(text, "\tfor i, k := 0, 0; k < len(s); i, k = i+1, k+%d {\n\t\te := &t[i]\n", size)
	at := 0
	for _, l := range d.elem {
		var sum []string
		for b := range l.kind.size {
			sum = append(sum, fmt.Sprintf("%s(s[k+%d])<<%d", l.kind.unsigned, at+b, 8*b))
		}
		target := "e" + l.path
		if l.path == "" {
			target = "*e"
		}
		fmt.Fprintf(text, "\t\t%s = %s(%s)\n", target, l.typ, strings.Join(sum, "|"))
		at += l.kind.size
	}
	text.WriteString("\t}\n\treturn t\n}\n")
}
