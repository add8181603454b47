package synchronisation

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// settable are the types of package flag, without the suffix Value, whose methods Set compute what
// they set from their argument, which is that of a flag.
var settable = []string{"bool", "int", "int64", "uint", "uint64", "string", "float64", "duration"}

// setsFlag reports whether an instruction sets a variable to the value of a flag that is known.
func (s *Slice) setsFlag(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.Store)
	return ok && isFlagSetter(instr.Parent()) && s.FlagsKnown()
}

// FlagsKnown reports whether what flag.Parse finds follows from the flags that the program is
// started with, and these are known.
func (s *Slice) FlagsKnown() bool {
	if !s.options.Flags {
		return false
	}
	if s.flags == nil {
		s.flags = new(bool)
		*s.flags = s.flagsGiven()
	}
	return *s.flags
}

// reachFlags adds what decides whether function flag.Parse is called.
func (s *Slice) reachFlags() {
	for _, n := range s.ops.calls.Nodes {
		if n.Func == nil || n.Body == nil || n.Func.String() != "flag.Parse" {
			continue
		}
		for _, instr := range n.Body.Blocks[0].Instrs {
			if _, ok := instr.(ssa.CallInstruction); ok {
				s.reach(instr)
				break
			}
		}
	}
}

// isFlagSetter reports whether a function is one of the methods Set of settable.
func isFlagSetter(fn *ssa.Function) bool {
	name, ok := strings.CutPrefix(fn.String(), "(*flag.")
	name, set := strings.CutSuffix(name, "Value).Set")
	return ok && set && slices.Contains(settable, name)
}

// asksForMethods reports whether the program may call methods by reflection.
func (s *Slice) asksForMethods() bool {
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil {
			continue
		}
		if p := place.PackageOf(n.Body); p != nil && p.Path() == "reflect" {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				for _, op := range instr.Operands(nil) {
					if fn, ok := (*op).(*ssa.Function); ok && place.PackageOf(fn) != nil && place.PackageOf(fn).Path() == "reflect" && strings.HasPrefix(fn.Name(), "Method") {
						return true
					}
				}
				call, ok := instr.(ssa.CallInstruction)
				if ok && call.Common().IsInvoke() && strings.HasPrefix(call.Common().Method.FullName(), "(reflect.Type).Method") {
					return true
				}
			}
		}
	}
	return false
}

// flagsHidden reports whether package reflect, and code with package unsafe, cannot get at the
// flags of the program, or at what these are stored in.
func (s *Slice) flagsHidden() bool {
	for _, o := range s.pointers.Objects() {
		if o.Exposed && o.Kind != pointsto.Unknown && o.Type != nil && slices.Contains([]string{"flag.FlagSet", "flag.Flag", "map[string]*flag.Flag"}, types.TypeString(o.Type, nil)) {
			return false
		}
	}
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil {
			continue
		}
		name, ok := strings.CutPrefix(n.Name, "flag.new")
		if name, value := strings.CutSuffix(name, "Value"); !ok || !value || !slices.Contains(settable, strings.ToLower(name)) {
			continue
		}
		if slices.ContainsFunc(s.pointers.Of(n.Body.Params[1]), func(l pointsto.Label) bool { return l.Exposed }) {
			return false
		}
	}
	return true
}

// typed returns the functions that the program may execute, if all of these write to memory that is
// shared with others through pointers of its own type; nil if that is not known. Package reflect
// does not if no function is called that sets something, and no other methods than those that the
// program mentions.
func (s *Slice) typed() map[*ssa.Function]bool {
	if s.asksForMethods() {
		return nil
	}
	found := make(map[*callgraph.Node]bool)
	var work []*callgraph.Node
	add := func(n *callgraph.Node) {
		if !found[n] {
			found[n] = true
			work = append(work, n)
		}
	}
	for _, n := range s.ops.calls.Nodes {
		if s.ops.calls.Root(n) {
			add(n)
		}
	}
	for _, n := range s.ops.calls.Given() {
		add(n)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, site := range n.Sites {
			if site.Instr == nil && strings.HasPrefix(n.Name, "reflect.") {
				continue // a method that is asked for
			}
			for _, callee := range site.Callees() {
				add(callee)
			}
		}
	}
	bodies := make(map[*ssa.Function]bool)
	for n := range found {
		if n.Func == nil || n.Body == nil {
			continue
		}
		p := place.PackageOf(n.Body)
		reflects := p != nil && p.Path() == "reflect"
		if reflects && setsByReflection.MatchString(n.Func.Name()) || p != nil && !s.ops.analysis.Code().Standard(p) && convertsPointers(n.Body) {
			return nil
		}
		bodies[n.Body] = !reflects // what that writes is its own
	}
	return bodies
}

// setsByReflection matches the functions and methods of package reflect that write to memory which is not their own.
var setsByReflection = regexp.MustCompile("^(Set.*|Append.*|Copy|Swapper|Grow|Clear|Call.*|MakeFunc|Recv|TryRecv|Select)$")

// convertsPointers reports whether a function makes a pointer of an unsafe.Pointer.
func convertsPointers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.Convert); ok && types.Identical(c.X.Type().Underlying(), types.Typ[types.UnsafePointer]) {
				return true
			}
		}
	}
	return false
}

// writesStrings reports whether an instruction may write an element of a slice of strings, as far as its type says.
func writesStrings(instr ssa.Instruction) bool {
	to := reaching.Written(instr)
	if to == nil {
		return true
	}
	var t types.Type
	switch of := to.Type().Underlying().(type) {
	case *types.Pointer:
		t = of.Elem()
	case *types.Slice:
		t = of.Elem()
	case *types.Map:
		return false
	default:
		return true
	}
	for {
		switch of := t.Underlying().(type) {
		case *types.Array:
			t = of.Elem()
		case *types.Basic:
			return of.Kind() == types.String
		case *types.TypeParam, *types.Tuple:
			return true
		default:
			return false
		}
	}
}

// flagsGiven reports whether flags have no values but those that function flag.Parse finds in the
// arguments with which the program was started.
func (s *Slice) flagsGiven() bool {
	within := func(fn *ssa.Function, packages ...string) bool {
		p := place.PackageOf(fn)
		return p != nil && slices.Contains(packages, p.Path())
	}
	for _, n := range s.ops.calls.Nodes {
		if n.Func == nil {
			continue
		}
		name := n.Func.String()
		// Init may have function flag.Parse return in the middle of the flags.
		parses, sets := name == "(*flag.FlagSet).Parse", name == "flag.Set" || name == "(*flag.FlagSet).Set" || name == "(*flag.FlagSet).Init" || isFlagSetter(n.Func)
		if !parses && !sets {
			continue
		}
		for _, e := range s.ops.Callers(n) {
			caller := e.Site.Caller
			if e.Site.Instr == nil {
				// What the machine calls as a finalizer has one parameter, and what it calls by
				// reflection was asked for, of a receiver that package reflect can get at.
				if strings.HasPrefix(caller.Name, "runtime.nextFinalizer") || strings.HasPrefix(caller.Name, "reflect.") && (!s.asksForMethods() || n.Func.Signature.Recv() != nil && s.flagsHidden()) {
					continue
				}
				return false
			}
			if caller.Func == nil || caller.Func.Synthetic != "" || parses && caller.Func.String() != "flag.Parse" || sets && !within(caller.Func, "flag") {
				return false
			}
		}
	}
	typed := s.typed()
	// Nobody changes os.Args, nor what is in it, nor the set of flags that flag.Parse parses.
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil || within(n.Body, "os", "runtime", "syscall") {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok && !within(n.Body, "flag") && types.TypeString(store.Val.Type(), nil) == "flag.FlagSet" {
					return false
				}
				for _, op := range instr.Operands(nil) {
					g, ok := (*op).(*ssa.Global)
					if !ok || g.Pkg == nil {
						continue
					}
					arguments := g.Pkg.Pkg.Path() == "os" && g.Name() == "Args"
					if !arguments && (g.Pkg.Pkg.Path() != "flag" || g.Name() != "CommandLine" || within(n.Body, "flag")) {
						continue
					}
					if _, debug := instr.(*ssa.DebugRef); debug {
						continue
					}
					load, ok := instr.(*ssa.UnOp)
					if !ok || load.Op != token.MUL || arguments && slices.ContainsFunc(s.defs.Writers(load), func(w ssa.Instruction) bool {
						return !within(w.Parent(), "os", "runtime", "syscall") && (typed == nil || typed[w.Parent()] && writesStrings(w))
					}) {
						return false
					}
				}
			}
		}
	}
	return true
}
