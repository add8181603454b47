package linear

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A value is an argument of a call.
type value struct {
	name string // as it is shown
	// expr is an expression for it; the variables args of a value that is tested, and r of what
	// records results, can be used.
	expr string
}

func namesOf(list []value) string {
	var names []string
	for _, v := range list {
		if v.name != "" {
			names = append(names, v.name)
		}
	}
	return strings.Join(names, ", ")
}

// exprsOf writes arguments. An argument without an expression is none.
func exprsOf(list []value) string {
	var exprs []string
	for _, v := range list {
		if v.expr != "" {
			exprs = append(exprs, v.expr)
		}
	}
	return strings.Join(exprs, ", ")
}

// Values are expressions that the user gives for parameters: by T, a type, or M.p, the parameter p of the function or
// method M.
type Values []GivenValues

// A GivenValues is the expressions of one type or parameter.
type GivenValues struct {
	For   string
	Exprs []string
	typ   types.Type // nil for a parameter
}

// Set adds what a flag gives: For=expr,expr.
func (v *Values) Set(text string) error {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || list == "" {
		return fmt.Errorf("give a type or the parameter of a method, and expressions: int=1,2 or Push.v=1,2")
	}
	exprs, err := splitExprs(list)
	if err != nil {
		return err
	}
	*v = append(*v, GivenValues{For: name, Exprs: exprs})
	return nil
}

// String implements flag.Value.
func (v *Values) String() string {
	var list []string
	for _, g := range *v {
		list = append(list, g.For+"="+strings.Join(g.Exprs, ","))
	}
	return strings.Join(list, " ")
}

// splitExprs splits expressions at the commas that are not inside of brackets, or in strings.
func splitExprs(text string) ([]string, error) {
	var list []string
	depth, begin := 0, 0
	var quote rune
	escaped := false
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case quote != 0:
			if c == '\\' && quote != '`' {
				escaped = true
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			depth--
		case c == ',' && depth == 0:
			list = append(list, strings.TrimSpace(text[begin:i]))
			begin = i + 1
		}
	}
	list = append(list, strings.TrimSpace(text[begin:]))
	if slices.Contains(list, "") || depth != 0 || quote != 0 {
		return nil, fmt.Errorf("%s is no list of Go expressions", text)
	}
	return list, nil
}

// prepare finds the types that are named.
func (v Values) prepare(fset *token.FileSet, pkg *types.Package) error {
	for i := range v {
		if method, _, ok := strings.Cut(v[i].For, "."); ok && token.IsIdentifier(method) && token.IsExported(method) {
			continue // of a parameter
		}
		tv, err := types.Eval(fset, pkg, token.NoPos, "(*("+v[i].For+"))(nil)")
		if err != nil && strings.Contains(v[i].For, ".") {
			continue // of another package: it is known by its name
		}
		if err != nil {
			return fmt.Errorf("-values %s: no such type in package %s", v[i].For, pkg.Path())
		}
		v[i].typ = tv.Type.(*types.Pointer).Elem()
	}
	return nil
}

// of returns the values that the user gives for a parameter, nil if there are none.
func (v Values) of(function string, p *types.Var) []string {
	for i := range v {
		if v[i].typ == nil && v[i].For == function+"."+p.Name() {
			return v[i].Exprs
		}
	}
	name := types.TypeString(p.Type(), (*types.Package).Name)
	for i := range v {
		if v[i].typ != nil && types.Identical(v[i].typ, p.Type()) || v[i].typ == nil && v[i].For == name {
			return v[i].Exprs
		}
	}
	return nil
}

// A scope writes types and values in the file of the tests.
type scope struct {
	pkg      *types.Package
	internal bool // the file is part of the package
	hidden   bool // the type that is tested is not exported: functions and fields that are not exported are used, too
	given    Values
	imports  map[string]string // names by import path
	// shared are the arguments that are made once for each value that is tested: pointers and channels.
	shared []shared
}

// A shared is an argument that calls on one value share.
type shared struct{ name, field, typ, expr string }

func newScope(pkg *types.Package, internal bool) *scope {
	return &scope{pkg: pkg, internal: internal, imports: map[string]string{}}
}

// importName returns the name by which the file has a package.
func (s *scope) importName(path, name string) string {
	if found := s.imports[path]; found != "" {
		return found
	}
	unique := name
	for i := 2; s.taken(unique); i++ {
		unique = fmt.Sprintf("%s%d", name, i)
	}
	s.imports[path] = unique
	return unique
}

// taken reports whether a name has a meaning in the file.
func (s *scope) taken(name string) bool {
	for _, other := range s.imports {
		if other == name {
			return true
		}
	}
	reserved := []string{"testing", "unsafe", "args", "r", "o", "f", "t", "x"}
	return slices.Contains(reserved, name) || s.internal && s.pkg.Scope().Lookup(name) != nil
}

// write writes a type.
func (s *scope) write(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == s.pkg && s.internal {
			return ""
		}
		return s.importName(p.Path(), p.Name())
	})
}

// qualified writes the name of a function of a package.
func (s *scope) qualified(obj types.Object) string {
	if s.internal && obj.Pkg() == s.pkg {
		return obj.Name()
	}
	return s.importName(obj.Pkg().Path(), obj.Pkg().Name()) + "." + obj.Name()
}

// typeArguments writes the type arguments of an instance.
func (s *scope) typeArguments(list []types.Type) string {
	if len(list) == 0 {
		return ""
	}
	var texts []string
	for _, t := range list {
		texts = append(texts, s.write(t))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// values returns the values of a parameter of a function. It says why if there are none.
func (s *scope) values(function string, p *types.Var, self types.Type, variadic bool) ([]value, string) {
	if exprs := s.given.of(function, p); exprs != nil {
		var list []value
		for _, e := range exprs {
			list = append(list, value{e, e})
		}
		return list, ""
	}
	if variadic {
		elem := p.Type().(*types.Slice).Elem()
		values, why := s.ofType(elem, self, 3)
		if why != "" {
			return []value{{"", ""}}, "" // none
		}
		list := []value{{"", ""}}
		if isOption(elem) {
			return list, ""
		}
		list = append(list, values[0])
		if len(values) > 1 {
			list = append(list, value{namesOf(values[:2]), exprsOf(values[:2])})
		}
		return list, ""
	}
	return s.ofType(p.Type(), self, 3)
}

// isOption reports whether a variadic parameter is one of functional options, which are not given.
func isOption(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// ofType returns values of a type, at most two or those that there are of it.
func (s *scope) ofType(t, self types.Type, depth int) ([]value, string) {
	if depth == 0 {
		return nil, "the type " + s.short(t) + " is too deep"
	}
	if !s.internal && !exported(t) {
		return nil, "its type " + s.short(t) + " is not exported"
	}
	if types.Identical(t, self) {
		return []value{s.share("y", t, "")}, ""
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil &&
		named.Obj().Pkg().Path() == "context" && named.Obj().Name() == "Context" {
		name := s.importName("context", "context")
		return []value{{"context.Background()", name + ".Background()"}}, ""
	}
	convert := func(text string) value { return value{text, s.convert(t, text)} }
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return s.basic(u, convert)
	case *types.Interface:
		return s.ofInterface(t, u)
	case *types.Pointer:
		return s.pointers(t, u, depth)
	case *types.Slice:
		values, why := s.ofType(u.Elem(), self, depth-1)
		if why != "" {
			return nil, why
		}
		return []value{s.literal(t, nil), s.literal(t, values[:min(2, len(values))])}, ""
	case *types.Array:
		return []value{s.literal(t, nil)}, ""
	case *types.Map:
		keys, why := s.ofType(u.Key(), self, depth-1)
		if why != "" {
			return nil, why
		}
		elems, why := s.ofType(u.Elem(), self, depth-1)
		if why != "" {
			return nil, why
		}
		return []value{{s.short(t) + "{" + keys[0].name + ": " + elems[0].name + "}", s.write(t) + "{" + keys[0].expr + ": " + elems[0].expr + "}"}}, ""
	case *types.Struct:
		return s.structs(t, u, self, depth)
	case *types.Signature:
		return s.functions(u, self, depth)
	case *types.Chan:
		return []value{s.share("make("+s.short(t)+", 2)", t, "make("+s.write(types.NewChan(types.SendRecv, u.Elem()))+", 2)")}, ""
	}
	return nil, "there are no values of type " + s.short(t)
}

// basic returns values of a basic type.
func (s *scope) basic(u *types.Basic, convert func(string) value) ([]value, string) {
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return []value{convert("false"), convert("true")}, ""
	case info&types.IsString != 0:
		return []value{convert(`"a"`), convert(`"b"`)}, ""
	case info&types.IsNumeric != 0:
		return []value{convert("1"), convert("2")}, ""
	}
	return nil, "there are no values of type " + u.Name()
}

// ofInterface returns values of an interface: of one that any type has, numbers, and of error two errors.
func (s *scope) ofInterface(t types.Type, u *types.Interface) ([]value, string) {
	if isError(t) {
		name := s.importName("errors", "errors")
		return []value{{`errors.New("a")`, name + `.New("a")`}, {"nil", "nil"}}, ""
	}
	if u.NumMethods() == 0 {
		return []value{{"1", s.write(t) + "(1)"}, {"2", s.write(t) + "(2)"}}, ""
	}
	scope := s.pkg.Scope()
	for _, name := range scope.Names() { // of a type of the package that is ready to be used
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() || obj.IsAlias() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 || types.IsInterface(named) {
			continue
		}
		if _, isStruct := named.Underlying().(*types.Struct); !isStruct {
			continue
		}
		if types.Implements(named, u) {
			return []value{{name + "{}", s.write(named) + "{}"}}, ""
		}
		if types.Implements(types.NewPointer(named), u) {
			return []value{s.share("&"+name+"{}", t, "&"+s.write(named)+"{}")}, ""
		}
	}
	return nil, "nothing is known to implement " + s.short(t) + ": give values with -values"
}

// pointers returns pointers, which calls on one value share.
func (s *scope) pointers(t types.Type, u *types.Pointer, depth int) ([]value, string) {
	if _, ok := u.Elem().Underlying().(*types.Basic); ok {
		values, why := s.ofType(u.Elem(), nil, depth-1)
		if why != "" {
			return nil, why
		}
		var list []value
		for _, v := range values {
			list = append(list, s.share("&"+v.name, t, "linearAddress("+v.expr+")"))
		}
		return list, ""
	}
	if named := namedOf(t); named != nil && named.Obj().Pkg() != s.pkg && !named.Obj().Exported() {
		return nil, "its type " + s.short(t) + " is not exported"
	}
	return []value{
		s.share("p1", t, "new("+s.write(u.Elem())+")"),
		s.share("p2", t, "new("+s.write(u.Elem())+")"),
	}, ""
}

// share returns the expression of an argument that is made once for each value that is tested, by
// the name by which it is shown. One without an expression is made by the constructor.
func (s *scope) share(name string, t types.Type, expr string) value {
	typ := s.write(t)
	for _, sh := range s.shared {
		if sh.typ == typ && sh.name == name {
			return value{name, "args." + sh.field}
		}
	}
	field := fmt.Sprintf("a%d", len(s.shared)+1)
	s.shared = append(s.shared, shared{name, field, typ, expr})
	return value{name, "args." + field}
}

// literal returns a composite literal of a slice or an array.
func (s *scope) literal(t types.Type, values []value) value {
	return value{s.short(t) + "{" + namesOf(values) + "}", s.write(t) + "{" + exprsOf(values) + "}"}
}

// structs returns the zero value of a struct, and the one that has values in its fields where that is possible.
func (s *scope) structs(t types.Type, u *types.Struct, self types.Type, depth int) ([]value, string) {
	var names, exprs []string
	for f := range u.Fields() {
		if !f.Exported() && !(s.hidden && f.Pkg() == s.pkg) {
			continue
		}
		values, why := s.ofType(f.Type(), self, depth-1)
		if why != "" {
			continue
		}
		names, exprs = append(names, f.Name()+": "+values[0].name), append(exprs, f.Name()+": "+values[0].expr)
	}
	list := []value{{s.short(t) + "{}", s.write(t) + "{}"}}
	if len(names) > 0 {
		list = append(list, value{s.short(t) + "{" + strings.Join(names, ", ") + "}", s.write(t) + "{" + strings.Join(exprs, ", ") + "}"})
	}
	return list, ""
}

// functions returns functions: a comparison for what looks like one, and otherwise functions that record
// what they are called with, and return one of the values of their results each.
func (s *scope) functions(u *types.Signature, self types.Type, depth int) ([]value, string) {
	if v, ok := s.comparison(u); ok {
		return []value{v}, ""
	}
	var params, names []string
	for i := range u.Params().Len() {
		name := fmt.Sprintf("v%d", i+1)
		if u.Variadic() && i == u.Params().Len()-1 {
			params = append(params, name+" ..."+s.write(u.Params().At(i).Type().(*types.Slice).Elem()))
		} else {
			params = append(params, name+" "+s.write(u.Params().At(i).Type()))
		}
		names = append(names, name)
	}
	var results []string
	returns := [][]value{nil}
	for i := range u.Results().Len() {
		results = append(results, s.write(u.Results().At(i).Type()))
		values, why := s.ofType(u.Results().At(i).Type(), self, depth-1)
		if why != "" {
			return nil, "the result of the function: " + why
		}
		var longer [][]value
		for _, list := range returns {
			for _, v := range values {
				longer = append(longer, append(slices.Clip(list), v))
			}
		}
		if returns = longer; len(returns) > 4 {
			returns = returns[:4]
		}
	}
	var list []value
	for _, ret := range returns {
		name, end := "func", ""
		if len(ret) > 0 {
			name, end = "func → "+namesOf(ret), "; return "+exprsOf(ret)
		}
		list = append(list, value{name, fmt.Sprintf("func(%s) (%s) { r.called(%s)%s }", strings.Join(params, ", "), strings.Join(results, ", "), strings.Join(names, ", "), end)})
	}
	return list, ""
}

// comparison returns the function that compares two values of an ordered type, if one of that signature is wanted.
func (s *scope) comparison(u *types.Signature) (value, bool) {
	if u.Params().Len() != 2 || u.Results().Len() != 1 || !types.Identical(u.Params().At(0).Type(), u.Params().At(1).Type()) {
		return value{}, false
	}
	of := u.Params().At(0).Type()
	a, b := "v1", "v2"
	basic, ok := of.Underlying().(*types.Basic)
	if empty, isAny := of.Underlying().(*types.Interface); isAny && empty.NumMethods() == 0 {
		a, b, basic, ok = "v1.(int)", "v2.(int)", types.Typ[types.Int], true
	}
	if !ok || basic.Info()&types.IsOrdered == 0 {
		return value{}, false
	}
	result, ok := u.Results().At(0).Type().Underlying().(*types.Basic)
	if !ok {
		return value{}, false
	}
	head := fmt.Sprintf("func(v1, v2 %s) %s", s.write(of), s.write(u.Results().At(0).Type()))
	switch {
	case result.Kind() == types.Bool:
		return value{"<", fmt.Sprintf("%s { return %s < %s }", head, a, b)}, true
	case result.Kind() == types.Int:
		return value{"cmp.Compare", fmt.Sprintf("%s { return %s.Compare(%s, %s) }", head, s.importName("cmp", "cmp"), a, b)}, true
	}
	return value{}, false
}

// convert converts a constant to a type.
func (s *scope) convert(t types.Type, text string) string {
	return s.write(t) + "(" + text + ")"
}

// short writes a type as it is shown.
func (s *scope) short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == s.pkg {
			return ""
		}
		return p.Name()
	})
}
