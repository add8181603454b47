package callgraph

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A power is what the machine can do on behalf of a function that it carries out.
type power uint8

const (
	// callsPlain: the machine calls a function value without parameters and results that the program
	// has given it, in a goroutine of its own.
	callsPlain power = 1 << iota
	// callsAny: a function value that the machine has made calls any function whose value has been
	// taken.
	callsAny
	// callsMethods: a function value that the machine has made, or what it calls, is an exported method of any type
	// of which there are values in interfaces.
	callsMethods
	// boxes: a value of a type that is a part of a type in an interface gets into an interface.
	boxes
	// makes: a function value that the machine has made calls reflect.callReflect, and may have any
	// signature.
	makes
	// invents: there are types with methods that no code of the program mentions.
	invents
	// draws: it makes interfaces and functions that are inputs.
	draws
	// returns: a function is given, and is not called but comes back.
	returns
)

// powers are the functions of the machine that make it call functions of the program, or give it
// a function value. Those that are not in the table are given none (see Graph.Unsound).
var powers = map[string]power{
	"time.startTimer":                          callsPlain,
	"time.resetTimer":                          callsPlain,
	"runtime.addCleanup":                       callsPlain,
	"runtime.setFinalizer":                     callsPlain,
	"runtime.nextFinalizer":                    callsAny,
	"reflect.callerOf":                         callsAny,
	"reflect.methodCallerOf":                   callsMethods,
	"reflect.methodFunc":                       callsMethods,
	"reflect.methodBound":                      callsMethods,
	"reflect.makeFunc":                         makes,
	"reflect.packerOf":                         boxes,
	"internal/reflectlite.packerOf":            boxes,
	"reflect.structOf":                         invents,
	"github.com/everyway-go/everyway/sym.draw": draws,
	"github.com/everyway-go/everyway/sym.open": draws,
	"testing.function":                         returns,
	"testing.reportExample":                    returns,
	"sync.commute":                             0, // it only looks at the function
}

// machineState is what is known of the machine while a graph is built.
type machineState struct {
	has   power
	calls map[*Node]bool
	taken []machineTaken // function values that callsAny and callsPlain are about
	// What the function values call that the machine has made: with callsAny, and with callsMethods.
	any, methods group
	made         *Node // the function values of reflect.makeFunc, if makes is set
	bound        *Node // those of reflect.methodBound, if they are reached
}

// A machineTaken is a function whose value is taken, with its signature.
type machineTaken struct {
	sig *signature
	*taken
}

// visitPrimitive follows what the machine may do when it carries out a function.
func (b *builder) visitPrimitive(n *Node) {
	if n.Func == nil {
		return
	}
	p, known := powers[n.Name]
	for v := range n.Func.Signature.Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok && !known {
			b.note("%s: the machine is given a function there, and is taken not to call it", n.Name)
		}
	}
	if p&invents != 0 && b.machine.has&invents == 0 {
		b.note("%s: methods that are promoted in a type made there may be called", n.Name)
	}
	if p&draws != 0 {
		b.draw()
	}
	b.addWritten(n, p)
	if n.Name == "reflect.methodBound" {
		b.machine.bound = b.written(n.Name)
		b.machine.bound.Sites = []*Site{{Caller: b.machine.bound, Mode: Outside, dynamic: &b.machine.methods}}
		b.machine.any.add(b.machine.bound)
	}
	added := p &^ b.machine.has
	if n.Name == "reflect.methodBound" {
		added |= p // there are values now that there were not before
	}
	b.machine.has |= p
	if added&makes != 0 {
		b.addMade(n)
	}
	if added&callsPlain != 0 {
		for _, t := range b.machine.taken {
			b.machineCallsTaken(t)
		}
	}
	if added&callsAny != 0 {
		for _, t := range b.machine.taken {
			b.machine.any.add(b.nodeOf(t.taken))
		}
	}
	if added&(callsMethods|boxes) != 0 {
		for i := 0; i < len(b.types.list); i++ { // which grows
			b.machineType(b.types.list[i])
		}
	}
}

// draw adds the values that interfaces and functions have which are inputs.
func (b *builder) draw() {
	if b.graph.draws {
		return
	}
	b.graph.draws = true
	for _, t := range b.Code.InputTypes() {
		b.addType(t)
		b.addType(types.NewPointer(t))
	}
	for _, t := range b.Code.Stores.All() {
		b.addType(t)
	}
	for _, fn := range b.Code.InputFuncs() {
		b.take(fn)
	}
}

// addWritten adds nodes for the function values that a function of the machine returns, which the
// machine writes itself.
func (b *builder) addWritten(n *Node, p power) {
	for v := range n.Func.Signature.Results().Variables() {
		sig, ok := v.Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		w := b.written(n.Name)
		if p&callsAny != 0 {
			w.Sites = append(w.Sites, &Site{Caller: w, Mode: Outside, dynamic: &b.machine.any})
		}
		if p&callsMethods != 0 {
			w.Sites = append(w.Sites, &Site{Caller: w, Mode: Outside, dynamic: &b.machine.methods})
		}
		b.takeAs(&taken{node: w}, sig)
	}
}

// written returns a new node for function values that the function of the machine with a name returns.
func (b *builder) written(name string) *Node {
	w := &Node{ID: len(b.graph.Nodes), Name: name + "()"}
	b.graph.Nodes = append(b.graph.Nodes, w)
	b.graph.written[name] = w
	return w
}

// addMade adds a node for the function values of reflect.makeFunc.
func (b *builder) addMade(n *Node) {
	b.machine.made = b.written(n.Name)
	if fn := member(n.Func.Pkg, "callReflect"); fn != nil {
		b.machine.made.Sites = []*Site{{Caller: b.machine.made, Mode: Outside, static: b.node(fn)}}
	}
	b.machine.any.add(b.machine.made)
	for _, s := range b.sigList {
		b.machineUsed(s)
	}
}

func member(pkg *ssa.Package, name string) *ssa.Function {
	if pkg == nil {
		return nil
	}
	return pkg.Func(name)
}

// machineTaken is called when the value of a function is taken.
func (b *builder) machineTaken(s *signature, fn *taken) {
	t := machineTaken{s, fn}
	b.machine.taken = append(b.machine.taken, t)
	b.machineCallsTaken(t)
}

func (b *builder) machineCallsTaken(t machineTaken) {
	plain := t.sig.typ.Params().Len() == 0 && t.sig.typ.Results().Len() == 0
	if b.machine.has&callsAny != 0 {
		b.machine.any.add(b.nodeOf(t.taken))
	}
	if b.machine.has&callsPlain != 0 && plain {
		b.machineCalls(b.nodeOf(t.taken))
	}
}

// machineUsed is called when there is a call of a function value of a signature.
func (b *builder) machineUsed(s *signature) {
	if s.used && b.machine.made != nil {
		s.calls.add(b.machine.made)
	}
}

// machineType is called when values of a type may be in an interface, and when the machine can do
// more with these.
func (b *builder) machineType(c *concrete) {
	if b.machine.has&callsMethods != 0 {
		for sel := range c.set.Methods() {
			if !sel.Obj().Exported() {
				continue
			}
			if b.machine.has&boxes != 0 && !c.signed {
				b.addSignature(sel.Type().(*types.Signature))
			}
			fn := b.types.method(c, sel.Obj().(*types.Func))
			if fn == nil {
				continue
			}
			n := b.node(fn)
			b.machine.methods.add(n)
			if !c.methods {
				b.takeAs(&taken{node: n}, Unbound(fn.Signature))
			}
			if b.machine.bound != nil && !c.bound {
				b.takeAs(&taken{node: b.machine.bound}, bound(fn.Signature))
			}
		}
	}
	c.methods, c.bound = b.machine.has&callsMethods != 0, b.machine.bound != nil
	c.signed = c.methods && b.machine.has&boxes != 0
	if b.machine.has&boxes != 0 {
		b.derive(c)
	}
}

// panics adds what the machine does when a program panics: the value may be one that it makes
// itself, of a type of package runtime, and to print a value it calls the method Error or String.
func (b *builder) panics() {
	if runtime := b.Code.SSA.ImportedPackage("runtime"); runtime != nil {
		for _, name := range slices.Sorted(maps.Keys(runtime.Members)) {
			if t := runtime.Type(name); t != nil {
				b.addPanic(t.Type())
				b.addPanic(types.NewPointer(t.Type()))
			}
		}
	}
	for _, i := range []*types.Interface{errorType, stringerType} {
		b.graph.Machine.Sites = append(b.graph.Machine.Sites, &Site{
			Caller: b.graph.Machine, Mode: Outside, dynamic: b.method(i, i.Method(0)),
		})
	}
}

// addPanic adds a type of package runtime if its values are errors.
func (b *builder) addPanic(t types.Type) {
	if named, ok := t.(*types.Named); ok && named.TypeParams().Len() > 0 {
		return
	}
	if !types.IsInterface(t) && types.Implements(t, errorType) {
		b.graph.errors = append(b.graph.errors, t)
		b.addType(t)
	}
}

// The types of the interfaces whose methods the machine calls to print the value of a panic.
var (
	errorType    = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	stringerType = types.NewInterfaceType([]*types.Func{types.NewFunc(token.NoPos, nil, "String",
		types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, nil, "", types.Typ[types.String])), false))}, nil).Complete()
)

// bound returns the signature of a method value.
func bound(s *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// Unbound returns the signature of the method expression for a method.
func Unbound(s *types.Signature) *types.Signature {
	params := []*types.Var{s.Recv()}
	for v := range s.Params().Variables() {
		params = append(params, v)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), s.Results(), s.Variadic())
}
