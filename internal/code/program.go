package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/maporder"
)

// A Program is the code of an ssa.Program: its types, and its functions, which are
// compiled when they are first asked for. It is not safe for concurrent use: each
// worker has its own. Several may share one ssa.Program.
//
// The numbers of types and branches depend on the order in which functions are
// compiled.
type Program struct {
	SSA      *ssa.Program
	Branches []Branch // and blocks of statements, by the operand of Cover; grows as functions are compiled
	Bodies   Bodies   // of functions that have none in SSA; nil for none
	// Own holds of the packages whose functions are Func.Own; nil for none.
	Own func(*ssa.Package) bool
	// References has what the source says of variables, so that functions have Variables; nil for none. The
	// packages of SSA are built in debug mode then.
	References *References
	// Block returns the number of the block of statements that an assignment to a variable
	// marks, and whether it does: then it is compiled to Cover. Nil stands for no such variables.
	Block func(*ssa.Global) (n int, ok bool)
	// Named are package variables of interface types that code outside of the standard library
	// mentions and does not assign to, such as io.EOF: an interface that is an input may have the
	// value of one.
	Named []*ssa.Global
	// Stores has the types of what an atomic.Value that is an input may hold.
	Stores Stores
	// Made reports whether a declaration is in a file that was made for the search: what it
	// declares is no input. Nil stands for none.
	Made func(token.Pos) bool

	compile  Compiler
	covered  func(*ssa.Package) bool
	standard func(*ssa.Package) bool
	funcs    map[*ssa.Function]*Func
	unboxing map[*ssa.Function]*Func          // see InterfaceMethod
	same     map[*ssa.Function]*ssa.Function  // see Same
	wrappers map[types.Object][]*ssa.Function // the different ones of a method
	commute  map[visit]bool                   // see CallsCommute
	types    typeTable
	methods  methodTable
}

// A visit is a call of a function with each entry of a map.
type visit struct {
	fn     *ssa.Function
	key    int
	over   *types.Map
	floats bool
}

// A Compiler writes the code of a function: it fills in f from body, a function with
// the body of f.SSA. The error says which limit of the instruction format the
// function exceeds.
type Compiler func(p *Program, f *Func, body *ssa.Function) error

// Bodies provides bodies of functions that are not built with their package. All
// Programs that share an ssa.Program share one, and hold its lock while they ask the
// ssa.Program for anything that building changes.
type Bodies interface {
	sync.Locker
	// Body returns a function that has the body of fn, nil when there is none. The
	// error says why it cannot be built.
	Body(fn *ssa.Function) (*ssa.Function, error)
	// Has reports whether Body returns a function or an error, without building it.
	Has(fn *ssa.Function) bool
}

// NewProgram returns a Program for prog, whose packages were created with syntax but
// need not be built. Branches are counted in the packages for which covered holds;
// standard reports whether a package is part of GOROOT. Both may be nil for none.
func NewProgram(prog *ssa.Program, sizes types.Sizes, covered, standard func(*ssa.Package) bool, compile Compiler) *Program {
	none := func(*ssa.Package) bool { return false }
	if covered == nil {
		covered = none
	}
	if standard == nil {
		standard = none
	}
	return &Program{
		SSA:      prog,
		compile:  compile,
		covered:  covered,
		standard: standard,
		funcs:    make(map[*ssa.Function]*Func),
		unboxing: make(map[*ssa.Function]*Func),
		same:     make(map[*ssa.Function]*ssa.Function),
		wrappers: make(map[types.Object][]*ssa.Function),
		commute:  make(map[visit]bool),
		types:    typeTable{sizes: sizes},
		methods:  newMethodTable(),
	}
}

// Func returns the code of fn. It compiles fn, and builds the package of fn, when that
// has not been done yet.
func (p *Program) Func(fn *ssa.Function) *Func {
	if f := p.funcs[fn]; f != nil {
		return f
	}
	body, err := p.Body(fn)
	f := p.newFunc(fn)
	p.funcs[fn] = f
	switch {
	case err != nil:
		p.refuse(f, err)
	case body.Blocks == nil:
		f.Intrinsic = true
	default:
		branches := len(p.Branches)
		if err := p.compile(p, f, body); err != nil {
			p.Branches = p.Branches[:branches]
			p.refuse(f, err)
		}
	}
	return f
}

// Body returns the function that has the body of fn. It builds the package of fn, when that has not
// been done yet. That is fn itself in most cases, and when there is no body. Instances of generic
// functions and wrappers are built when they are made.
func (p *Program) Body(fn *ssa.Function) (*ssa.Function, error) {
	defer p.lock()()
	body, err := p.body(fn)
	if p.References != nil && err == nil {
		p.References.take(body)
	}
	return body, err
}

// body is Body for a function from which its references have not been taken out. The lock is held.
func (p *Program) body(fn *ssa.Function) (*ssa.Function, error) {
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	if outer.Pkg != nil && outer.Origin() == nil {
		outer.Pkg.Build()
	}
	if fn.Blocks == nil && p.Bodies != nil {
		if body, err := p.Bodies.Body(fn); body != nil || err != nil {
			return body, err
		}
	}
	return fn, nil
}

// CallsCommute reports whether calls of fn commute that are made with the entries of a map of type over, one for
// each, of which argument key is the key, none if it is negative. There may be floating-point numbers in keys if floats
// is set and the type has them. See [maporder.Commutes].
func (p *Program) CallsCommute(fn *ssa.Function, key int, over *types.Map, floats bool) bool {
	v := visit{fn, key, over, floats}
	commute, ok := p.commute[v]
	if !ok {
		commute = maporder.Commutes(fn, key, over, floats, p.Body)
		p.commute[v] = commute
	}
	return commute
}

// Declared returns the function that a declaration makes, nil if there is none in SSA.
func (p *Program) Declared(fn *types.Func) *ssa.Function {
	defer p.lock()()
	return p.SSA.FuncValue(fn)
}

// HasBody reports whether a function that is declared in a package has a body. It builds
// nothing.
func (p *Program) HasBody(fn *ssa.Function) bool {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || decl.Body != nil {
		return true
	}
	defer p.lock()()
	return p.Bodies != nil && p.Bodies.Has(fn)
}

// newFunc returns a Func without code for fn.
func (p *Program) newFunc(fn *ssa.Function) *Func {
	f := &Func{Name: FuncName(fn), SSA: fn, Recover: -1, Wrapper: isWrapper(fn)}
	for _, param := range fn.Params {
		f.Params += p.Type(param.Type()).Words
	}
	f.Results = p.Type(fn.Signature.Results()).Words
	f.Regs = max(f.Params, f.Results)
	if pkg := p.pkgOf(fn); pkg != nil {
		f.Standard = p.standard(pkg)
		f.Own = p.Own != nil && p.Own(pkg)
	}
	return f
}

// refuse makes f a function that stops the run, saying why.
func (p *Program) refuse(f *Func, why error) {
	*f = Func{
		Name: f.Name, SSA: f.SSA, Params: f.Params, Results: f.Results, Regs: max(f.Params, f.Results),
		Recover: -1, Standard: f.Standard, Own: f.Own, Wrapper: f.Wrapper,
		Code:     []Instr{{Op: Unsupported, B: 0}},
		Pos:      []token.Pos{p.SourcePos(f.SSA)},
		Messages: []string{why.Error()},
	}
}

// isWrapper reports whether fn was made by go/ssa to pass a call on to a method.
func isWrapper(fn *ssa.Function) bool {
	return fn.Synthetic != "" && fn.Syntax() == nil && fn.Parent() == nil && fn.Object() != nil && len(fn.Blocks) > 0
}

// InterfaceMethod returns the code to call for method fn through an interface: the
// first word of its parameters is the data word of the interface. For receivers of one
// word that is the code of fn itself; for others it is a wrapper that loads the receiver
// from the copy to which the data word points.
func (p *Program) InterfaceMethod(fn *ssa.Function) *Func {
	if f := p.unboxing[fn]; f != nil {
		return f
	}
	f := p.Func(fn)
	if recv := p.Type(fn.Signature.Recv().Type()); recv.Words != 1 {
		f = unboxing(f, recv, p.SourcePos(fn))
	}
	p.unboxing[fn] = f
	return f
}

// Covered reports whether the branches of fn are counted.
func (p *Program) Covered(fn *ssa.Function) bool {
	pkg := p.pkgOf(fn)
	return pkg != nil && fn.Syntax() != nil && p.covered(pkg)
}

// pkgOf returns the SSA package in which the source of fn is, nil when there is none.
func (p *Program) pkgOf(fn *ssa.Function) *ssa.Package {
	pkg := pkgOf(fn)
	if pkg == nil {
		return nil
	}
	defer p.lock()()
	return p.SSA.Package(pkg)
}

// Standard reports whether a package is part of GOROOT.
func (p *Program) Standard(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	defer p.lock()()
	return p.standard(p.SSA.Package(pkg))
}

// Packages returns the packages of the program, in no order.
func (p *Program) Packages() []*ssa.Package {
	defer p.lock()()
	// There may be others that only hold bodies.
	return slices.DeleteFunc(p.SSA.AllPackages(), func(pkg *ssa.Package) bool { return p.SSA.Package(pkg.Pkg) != pkg })
}

// SourcePos returns a position in the source for fn: its own, or one of what it
// belongs to. Wrappers of error.Error and initialisers of packages without files may
// have none.
func (p *Program) SourcePos(fn *ssa.Function) token.Pos {
	defer p.lock()()
	return sourcePos(fn)
}

// lock keeps others from building functions until the function that it returns is
// called.
func (p *Program) lock() (unlock func()) {
	if p.Bodies == nil {
		return func() {}
	}
	p.Bodies.Lock()
	return p.Bodies.Unlock
}

// Sizes returns the sizes of types that the layouts were made with.
func (p *Program) Sizes() types.Sizes { return p.types.sizes }

// Type returns the layout of t, which has no type parameters.
func (p *Program) Type(t types.Type) *Type { return p.types.of(t) }
