package linear

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A Subject is a type whose values are called by several goroutines, with the calls.
type Subject struct {
	Type  string // as the user writes it
	Makes []Make
	Calls []Call
	// Left are the methods and constructors that are not called, and why.
	Left []Left
	// Contained says that the calls on a value do nothing but to the value, and are done when they
	// return: those that are made on other values first make no difference.
	Contained bool
	// Functions are the constructors and methods that are called.
	Functions []*types.Func
	// Starts are the states from which histories begin, if these are not what the constructors
	// make. MoreStarts says that there are others.
	Starts     []Start
	MoreStarts bool
	// Seen are the packages in which nothing is hidden from reflection, nil if that is not known.
	Seen []string

	// position is that of the declaration of the type: the findings are there.
	position string
	methods  int // that are called
	typ      types.Type
	pkg      *types.Package
	scope    *scope
	model    *Model
	// fromCalls is to how many calls the states lead from which histories begin, and predicate what
	// has to hold for values that are drawn for that.
	fromCalls int
	predicate *predicate
}

// A Make is a way to make a value: the call of a constructor, or the zero value.
type Make struct {
	Name  string // such as New(1)
	expr  string
	fails bool // it has an error as its last result
}

// A Call is a call of a method with certain arguments.
type Call struct {
	Name   string // such as Push(1)
	Method string
	args   []value
	sig    *types.Signature
}

// A Left is a function or method that is not called.
type Left struct{ Name, Why string }

// Options say what is called, and with what.
type Options struct {
	Run, Skip *regexp.Regexp // of methods, by name; nil for all and none
	New       *regexp.Regexp // of constructors, by name; nil for all
	Values    Values
	Model     string // the name of a variable with a model, or empty
	Encode    string // the name of a function that encodes calls for the model, or empty
	// FromCalls and From say from which values histories begin: those to which at most so many
	// calls lead, or any for which the predicate of a name holds, or AnyShape. They begin from
	// those of constructors otherwise.
	FromCalls int
	From      string
}

// NeedTests reports whether what the options name may be in tests of the package.
func (o *Options) NeedTests() bool { return o.Model != "" || o.From != "" && o.From != AnyShape }

// Find finds what can be called on values of a type of a package. The type is written as in the
// package itself: *Queue[int]. The package has its own tests if a model is to be found there; tests is the package
// of its external tests, nil if there is none.
func Find(fset *token.FileSet, pkg, tests *types.Package, name string, opts Options) (*Subject, error) {
	t, err := lookup(fset, pkg, name)
	if err != nil {
		return nil, err
	}
	at := fset.Position(namedOf(t).Obj().Pos())
	s := &Subject{Type: name, position: fmt.Sprintf("%s:%d:%d", at.Filename, at.Line, at.Column), typ: t, pkg: pkg}
	hidden := !exported(t)
	internal := hidden
	if opts.Model != "" {
		if s.model, err = findModel(pkg, tests, opts.Model, opts.Encode); err != nil {
			return nil, err
		}
		if hidden && s.model.external {
			return nil, fmt.Errorf("-model %s is in package %s, where the type %s cannot be named", opts.Model, tests.Path(), name)
		}
		internal = hidden || !s.model.external
	}
	if opts.From != "" {
		if s.predicate, err = findPredicate(pkg, tests, t, opts.From); err != nil {
			return nil, err
		}
		external := s.predicate.external || s.model != nil && s.model.external
		if external && (hidden || s.predicate.internal()) {
			return nil, fmt.Errorf("-from %s: package %s and its external tests are both needed, and one cannot name what is in the other", opts.From, pkg.Path())
		}
		internal = internal || s.predicate.internal()
	}
	s.fromCalls = opts.FromCalls
	s.scope = newScope(pkg, internal)
	s.scope.given, s.scope.hidden = opts.Values, hidden
	if err := opts.Values.prepare(fset, pkg); err != nil {
		return nil, err
	}
	if s.predicate != nil {
		s.Makes = []Make{{Name: s.predicate.describe(name)}}
	} else if err := s.findMakes(opts.New); err != nil {
		return nil, err
	}
	if err := s.findCalls(opts.Run, opts.Skip); err != nil {
		return nil, err
	}
	return s, nil
}

// lookup returns the type that is written as name in a package.
func lookup(fset *token.FileSet, pkg *types.Package, name string) (types.Type, error) {
	tv, err := types.Eval(fset, pkg, token.NoPos, "(*"+"("+name+"))(nil)") // a type, whatever it is
	if err != nil {
		if wrong, ok := errors.AsType[types.Error](err); ok {
			err = errors.New(wrong.Msg)
		}
		return nil, fmt.Errorf("type %s of package %s: %w", name, pkg.Path(), err)
	}
	t := tv.Type.(*types.Pointer).Elem()
	if named := namedOf(t); named == nil || named.Obj().Pkg() != pkg {
		return nil, fmt.Errorf("type %s is not declared in package %s", name, pkg.Path())
	}
	return t, nil
}

// namedOf returns the named type that t is or points to, nil if there is none.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// mentioned calls visit with a type and those of which it consists as it is written.
func mentioned(t types.Type, visit func(types.Type)) {
	t = types.Unalias(t)
	visit(t)
	switch t := t.(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			mentioned(arg, visit)
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array, channel or map
		if m, ok := t.(*types.Map); ok {
			mentioned(m.Key(), visit)
		}
		mentioned(t.Elem(), visit)
	}
}

// exported reports whether every type that t mentions is exported, so that other packages can write t.
func exported(t types.Type) bool {
	ok := true
	mentioned(t, func(t types.Type) {
		if named, isNamed := t.(*types.Named); isNamed {
			ok = ok && (named.Obj().Exported() || named.Obj().Pkg() == nil)
		}
	})
	return ok
}

// findMakes finds the constructors: functions whose first result is of the type, and whose second
// one, if there is one, is an error. They are exported, unless the type is not.
func (s *Subject) findMakes(chosen *regexp.Regexp) error {
	scope := s.pkg.Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() && !s.scope.hidden {
			continue
		}
		inst, args := instance(fn, s.typ)
		if inst == nil || chosen != nil && !chosen.MatchString(name) {
			continue
		}
		s.addMake(fn, inst, args)
	}
	if len(s.Makes) > 0 {
		return nil
	}
	if chosen != nil {
		return fmt.Errorf("no function of package %s that returns a %s and whose parameters can be given values matches %s%s", s.pkg.Path(), s.Type, chosen, s.reasons())
	}
	// A type without constructors is one whose zero value is ready to be used.
	text := s.scope.write(s.typ)
	if p, ok := types.Unalias(s.typ).(*types.Pointer); ok {
		s.Makes = append(s.Makes, Make{Name: "new(" + s.name(p.Elem()) + ")", expr: "new(" + s.scope.write(p.Elem()) + ")"})
		return nil
	}
	s.Makes = append(s.Makes, Make{Name: "new(" + s.Type + ")", expr: "*new(" + text + ")"})
	return nil
}

// instance returns the signature of a constructor of a type, and the type arguments with which it
// is called; nil if fn is none.
func instance(fn *types.Func, of types.Type) (*types.Signature, []types.Type) {
	sig := fn.Signature()
	n := sig.Results().Len()
	if n == 0 || n > 2 || n == 2 && !isError(sig.Results().At(1).Type()) {
		return nil, nil
	}
	result := sig.Results().At(0).Type()
	var args []types.Type
	if sig.TypeParams().Len() > 0 {
		bound := map[*types.TypeParam]types.Type{}
		if !unify(result, of, bound) {
			return nil, nil
		}
		for p := range sig.TypeParams().TypeParams() {
			if bound[p] == nil {
				return nil, nil
			}
			args = append(args, bound[p])
		}
		inst, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			return nil, nil
		}
		sig = inst.(*types.Signature)
		result = sig.Results().At(0).Type()
	}
	if !types.Identical(result, of) {
		return nil, nil
	}
	return sig, args
}

// unify finds the type arguments that make a generic type the one wanted.
func unify(generic, want types.Type, bound map[*types.TypeParam]types.Type) bool {
	generic, want = types.Unalias(generic), types.Unalias(want)
	switch g := generic.(type) {
	case *types.TypeParam:
		if bound[g] != nil {
			return types.Identical(bound[g], want)
		}
		bound[g] = want
		return true
	case *types.Pointer:
		w, ok := want.(*types.Pointer)
		return ok && unify(g.Elem(), w.Elem(), bound)
	case *types.Slice:
		w, ok := want.(*types.Slice)
		return ok && unify(g.Elem(), w.Elem(), bound)
	case *types.Named:
		w, ok := want.(*types.Named)
		if !ok || w.Origin() != g.Origin() || w.TypeArgs().Len() != g.TypeArgs().Len() {
			return false
		}
		for i := range g.TypeArgs().Len() {
			if !unify(g.TypeArgs().At(i), w.TypeArgs().At(i), bound) {
				return false
			}
		}
		return true
	}
	return types.Identical(generic, want)
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// maxMakes is the most ways in which one constructor is called, and maxCalls those of one method.
const (
	maxMakes = 2
	maxCalls = 4
)

// addMake adds the calls of a constructor.
func (s *Subject) addMake(fn *types.Func, sig *types.Signature, typeArgs []types.Type) {
	lists, why := s.arguments(fn.Name(), sig, maxMakes)
	if why != "" {
		s.Left = append(s.Left, Left{fn.Name(), why})
		return
	}
	s.Functions = append(s.Functions, fn)
	name, expr := fn.Name(), s.scope.qualified(fn)
	if len(typeArgs) > 0 {
		var names []string
		for _, t := range typeArgs {
			names = append(names, s.name(t))
		}
		name += "[" + strings.Join(names, ", ") + "]"
		expr += s.scope.typeArguments(typeArgs)
	}
	for _, args := range lists {
		s.Makes = append(s.Makes, Make{
			Name: name + "(" + namesOf(args) + ")", expr: expr + "(" + exprsOf(args) + ")", fails: sig.Results().Len() == 2,
		})
	}
}

// findCalls finds the exported methods.
func (s *Subject) findCalls(run, skip *regexp.Regexp) error {
	set := types.NewMethodSet(s.typ)
	methods := 0
	for i := range set.Len() {
		fn := set.At(i).Obj().(*types.Func)
		if !fn.Exported() {
			continue
		}
		methods++
		if run != nil && !run.MatchString(fn.Name()) || skip != nil && skip.MatchString(fn.Name()) {
			continue
		}
		sig := set.At(i).Type().(*types.Signature)
		lists, why := s.arguments(fn.Name(), sig, maxCalls)
		if why != "" {
			s.Left = append(s.Left, Left{fn.Name(), why})
			continue
		}
		s.Functions = append(s.Functions, fn)
		s.methods++
		for _, args := range lists {
			s.Calls = append(s.Calls, Call{Name: fn.Name() + "(" + namesOf(args) + ")", Method: fn.Name(), args: args, sig: sig})
		}
	}
	switch {
	case methods == 0:
		hint := ""
		if _, ok := types.Unalias(s.typ).(*types.Pointer); !ok && types.NewMethodSet(types.NewPointer(s.typ)).Len() > 0 {
			hint = fmt.Sprintf("; *%s has some", s.Type)
		}
		return fmt.Errorf("type %s has no exported methods%s", s.Type, hint)
	case len(s.Calls) == 0:
		return fmt.Errorf("no method of %s can be called%s", s.Type, s.reasons())
	case len(s.Calls) > maxChoices:
		return fmt.Errorf("%d calls of %s, more than %d: choose methods with -run or -skip, or fewer values with -values",
			len(s.Calls), s.Type, maxChoices)
	}
	return nil
}

// maxChoices is the number of calls that a byte can choose.
const maxChoices = 256

// reasons lists what is left out, for an error.
func (s *Subject) reasons() string {
	var list []string
	for _, l := range s.Left {
		list = append(list, l.Name+": "+l.Why)
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, "; ") + ")"
}

// arguments returns the lists of arguments that a function is called with, at most a number of them: all
// combinations of the values of its parameters or, if these are too many, those with all first values but one.
func (s *Subject) arguments(function string, sig *types.Signature, most int) (lists [][]value, why string) {
	var of [][]value
	product := 1
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		values, why := s.scope.values(function, p, s.typ, sig.Variadic() && i == sig.Params().Len()-1)
		if why != "" {
			return nil, fmt.Sprintf("parameter %s: %s", p.Name(), why)
		}
		of = append(of, values)
		product = min(product*len(values), most+1)
	}
	if product <= most {
		lists = [][]value{nil}
		for _, values := range of {
			var longer [][]value
			for _, list := range lists {
				for _, v := range values {
					longer = append(longer, append(slices.Clip(list), v))
				}
			}
			lists = longer
		}
		return lists, ""
	}
	first := make([]value, len(of))
	for i, values := range of {
		first[i] = values[0]
	}
	lists = append(lists, first)
	for i, values := range of {
		for _, v := range values[1:] {
			if len(lists) == most {
				return lists, ""
			}
			list := slices.Clone(first)
			list[i] = v
			lists = append(lists, list)
		}
	}
	return lists, ""
}

// Draws reports whether histories begin with values that are drawn.
func (s *Subject) Draws() bool { return s.predicate != nil }

// Methods returns the number of methods that are called.
func (s *Subject) Methods() int { return s.methods }

// name writes a type as the package itself writes it.
func (s *Subject) name(t types.Type) string { return types.TypeString(t, types.RelativeTo(s.pkg)) }

// Deterministic reports whether results are compared with those of calls that are made alone, which have to be
// deterministic then.
func (s *Subject) Deterministic() bool { return s.model == nil }

// Describe says what is called on what: Push(1|2) and Pop() on New[int]().
func (s *Subject) Describe() string {
	var calls, makes []string
	for i := 0; i < len(s.Calls); {
		n := 1
		for i+n < len(s.Calls) && s.Calls[i+n].Method == s.Calls[i].Method {
			n++
		}
		calls = append(calls, describeCalls(s.Calls[i:i+n]))
		i += n
	}
	for _, m := range s.Makes {
		makes = append(makes, m.Name)
	}
	text := strings.Join(calls, ", ") + " on " + strings.Join(makes, " or ")
	if s.fromCalls > 0 && len(s.Starts) > 0 {
		kind := plural(len(s.Starts), "state")
		if s.MoreStarts {
			kind = "the first " + kind
		}
		lead := "lead"
		if s.fromCalls == 1 {
			lead = "leads"
		}
		text += fmt.Sprintf(" in %s to which at most %s %s", kind, plural(s.fromCalls, "call"), lead)
	}
	return text
}

// describeCalls writes the calls of one method, with all values of each parameter.
func describeCalls(calls []Call) string {
	var params []string
	combinations := 1
	for i := range calls[0].args {
		var names []string
		for _, c := range calls {
			if name := c.args[i].name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		combinations *= len(names)
		params = append(params, strings.Join(names, "|"))
	}
	text := calls[0].Method + "(" + strings.Join(params, ", ") + ")"
	if len(calls) < combinations {
		text += fmt.Sprintf(" (%d of %d)", len(calls), combinations)
	}
	return text
}
