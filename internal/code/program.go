package code

import (
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// A Program compiles the functions of an ssa.Program as they are asked for.
// It is not safe for concurrent use: each worker has its own. Several may share
// one ssa.Program.
//
// The numbers of types and branches depend on the order in which functions
// are compiled.
type Program struct {
	SSA      *ssa.Program
	Types    []*Type  // by Type.ID
	Branches []Branch // by the operand of Cover; grows as functions are compiled
	Bodies   Bodies   // of functions that have none in SSA; nil for none

	sizes    types.Sizes
	covered  func(*ssa.Package) bool
	standard func(*ssa.Package) bool
	funcs    map[*ssa.Function]*Func
	viaIface map[*ssa.Function]*Func
	regions  map[*Func]*Regions
	types    typeutil.Map // types.Type → *Type
	unfilled []*Type      // types that are interned and may not be laid out yet; empty but within Type

	methodSets map[*Type][]MethodEntry
	methods    map[methodKey]*ssa.Function
	missing    map[[2]*Type]string
}

// Bodies has bodies of functions that are not built with their package. All
// Programs that share an ssa.Program share one, and hold its lock while they ask the
// ssa.Program for what building changes.
type Bodies interface {
	sync.Locker
	// Body returns a function that has the body of fn, nil when there is none. The
	// error says that it cannot be built.
	Body(fn *ssa.Function) (*ssa.Function, error)
}

// NewProgram returns a compiler for prog, whose packages were created with
// syntax but need not be built. Branches are counted in the packages of which
// covered holds; standard tells the packages of GOROOT. Both may be nil for none.
func NewProgram(prog *ssa.Program, sizes types.Sizes, covered, standard func(*ssa.Package) bool) *Program {
	none := func(*ssa.Package) bool { return false }
	if covered == nil {
		covered = none
	}
	if standard == nil {
		standard = none
	}
	return &Program{
		SSA:        prog,
		sizes:      sizes,
		covered:    covered,
		standard:   standard,
		funcs:      make(map[*ssa.Function]*Func),
		viaIface:   make(map[*ssa.Function]*Func),
		regions:    make(map[*Func]*Regions),
		methodSets: make(map[*Type][]MethodEntry),
		methods:    make(map[methodKey]*ssa.Function),
		missing:    make(map[[2]*Type]string),
	}
}

// Func returns the code of fn. The package of fn is built when it is not yet.
func (p *Program) Func(fn *ssa.Function) *Func {
	if f := p.funcs[fn]; f != nil {
		return f
	}
	body, err := p.build(fn)
	f := p.newFunc(fn)
	p.funcs[fn] = f
	switch {
	case err != nil:
		f.refuse(p, err.Error())
	case body.Blocks == nil:
		f.Intrinsic = true
	default:
		compile(p, f, body)
	}
	return f
}

// Standard reports whether pkg is of GOROOT or a model of it.
func (p *Program) Standard(pkg *ssa.Package) bool { return p.standard(pkg) }

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
	}
	return f
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

// build returns the function that has the body of fn: fn itself in most cases, and
// when there is none. Instances of generic functions and wrappers are built when
// they are made.
func (p *Program) build(fn *ssa.Function) (*ssa.Function, error) {
	defer p.lock()()
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

// lock keeps others from building functions, until the function that it returns
// is called.
func (p *Program) lock() (unlock func()) {
	if p.Bodies == nil {
		return func() {}
	}
	p.Bodies.Lock()
	return p.Bodies.Unlock
}

// Packages returns the packages of the program, in no order.
func (p *Program) Packages() []*ssa.Package {
	defer p.lock()()
	// There may be others that only hold bodies.
	return slices.DeleteFunc(p.SSA.AllPackages(), func(pkg *ssa.Package) bool { return p.SSA.Package(pkg.Pkg) != pkg })
}

// isWrapper says whether fn was made by go/ssa to pass a call on to a method.
func isWrapper(fn *ssa.Function) bool {
	return fn.Synthetic != "" && fn.Syntax() == nil && fn.Parent() == nil && fn.Object() != nil && len(fn.Blocks) > 0
}

// InterfaceMethod returns the code to call for method fn through an
// interface: the first word of its parameters is the interface's data word.
// For receivers of one word that is fn itself; for others a wrapper that
// loads the receiver from the copy to which the data word points.
func (p *Program) InterfaceMethod(fn *ssa.Function) *Func {
	if f := p.viaIface[fn]; f != nil {
		return f
	}
	target := p.Func(fn)
	recv := p.Type(fn.Signature.Recv().Type())
	f := target
	if recv.Words != 1 {
		f = p.unboxing(target, recv)
	}
	p.viaIface[fn] = f
	return f
}

// unboxing returns a wrapper around target, a method with receiver type recv,
// that takes a pointer to the receiver.
func (p *Program) unboxing(target *Func, recv *Type) *Func {
	args := target.Params - recv.Words
	f := &Func{
		Name:     target.Name,
		SSA:      target.SSA,
		Params:   1 + args,
		Results:  target.Results,
		Callees:  []*ssa.Function{target.SSA},
		Recover:  -1,
		Wrapper:  true,
		Standard: target.Standard,
	}
	window := int32(f.Params)
	f.Regs = f.Params + max(target.Params, target.Results)
	pieces(recv.Words, func(off, k int) {
		f.Code = append(f.Code, Instr{Op: LoadN, K: uint16(k), A: window + int32(off), B: 0, C: int32(off)})
	})
	if args == 1 {
		f.Code = append(f.Code, Instr{Op: Mov, A: window + int32(recv.Words), B: 1})
	} else {
		pieces(args, func(off, k int) {
			f.Code = append(f.Code, Instr{Op: MovN, K: uint16(k), A: window + int32(recv.Words+off), B: 1 + int32(off)})
		})
	}
	f.Code = append(f.Code,
		Instr{Op: Call, K: ModeCall, A: window, B: 0, C: int32(target.Params), D: int32(target.Results)},
		Instr{Op: Return, K: uint16(target.Results), A: window})
	for range f.Code {
		f.Pos = append(f.Pos, p.sourcePos(target.SSA))
	}
	return f
}
