package synchronisation

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
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
		if isOf(n.Body, "reflect") {
			continue
		}
		for instr := range ssaform.Instructions(n.Body) {
			for _, op := range instr.Operands(nil) {
				if fn, ok := (*op).(*ssa.Function); ok && isOf(fn, "reflect") && strings.HasPrefix(fn.Name(), "Method") {
					return true
				}
			}
			call, ok := instr.(ssa.CallInstruction)
			if ok && call.Common().IsInvoke() && strings.HasPrefix(call.Common().Method.FullName(), "(reflect.Type).Method") {
				return true
			}
		}
	}
	return false
}

// flagsHidden reports whether package reflect, and code with package unsafe, cannot get at the
// flags of the program, or at what these are stored in.
func (s *Slice) flagsHidden() bool {
	for _, o := range s.pointers.Objects() {
		if o.Exposed && o.Kind != pointsto.Unknown && o.Type != nil &&
			slices.Contains([]string{"flag.FlagSet", "flag.Flag", "map[string]*flag.Flag"}, types.TypeString(o.Type, nil)) {
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
		if reflects && setsByReflection.MatchString(n.Func.Name()) ||
			p != nil && !s.ops.analysis.Code().Standard(p) && convertsPointers(n.Body) {
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
func (s *Slice) flagsGiven() bool { return s.parsesOnce() && s.keepsArguments() }

// parsesOnce reports whether only flag.Parse parses flags, and only package flag sets them.
func (s *Slice) parsesOnce() bool {
	for _, n := range s.ops.calls.Nodes {
		if n.Func == nil {
			continue
		}
		name := n.Func.String()
		// Init may have function flag.Parse return in the middle of the flags.
		parses := name == "(*flag.FlagSet).Parse"
		sets := name == "flag.Set" || name == "(*flag.FlagSet).Set" || name == "(*flag.FlagSet).Init" || isFlagSetter(n.Func)
		if !parses && !sets {
			continue
		}
		for _, e := range s.ops.Callers(n) {
			caller := e.Site.Caller
			if e.Site.Instr == nil {
				// What the machine calls as a finalizer has one parameter, and what it calls by
				// reflection was asked for, of a receiver that package reflect can get at.
				reflects := strings.HasPrefix(caller.Name, "reflect.") &&
					(!s.asksForMethods() || n.Func.Signature.Recv() != nil && s.flagsHidden())
				if reflects || strings.HasPrefix(caller.Name, "runtime.nextFinalizer") {
					continue
				}
				return false
			}
			if caller.Func == nil || caller.Func.Synthetic != "" ||
				parses && caller.Func.String() != "flag.Parse" || sets && !isOf(caller.Func, "flag") {
				return false
			}
		}
	}
	return true
}

// keepsArguments reports whether nobody changes os.Args, nor what is in it, nor the set of flags
// that flag.Parse parses.
func (s *Slice) keepsArguments() bool {
	typed := s.typed()
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil || isOf(n.Body, "os", "runtime", "syscall") {
			continue
		}
		for instr := range ssaform.Instructions(n.Body) {
			store, ok := instr.(*ssa.Store)
			if ok && !isOf(n.Body, "flag") && types.TypeString(store.Val.Type(), nil) == "flag.FlagSet" {
				return false
			}
			for _, op := range instr.Operands(nil) {
				if g, ok := (*op).(*ssa.Global); ok && !s.onlyReads(instr, g, typed) {
					return false
				}
			}
		}
	}
	return true
}

// onlyReads reports whether an instruction that has a variable for an operand does no more than
// read it, and nobody changes what it reads; typed is what method typed returns. It is true of all
// variables but os.Args and flag.CommandLine.
func (s *Slice) onlyReads(instr ssa.Instruction, g *ssa.Global, typed map[*ssa.Function]bool) bool {
	if g.Pkg == nil {
		return true
	}
	arguments := g.Pkg.Pkg.Path() == "os" && g.Name() == "Args"
	flags := g.Pkg.Pkg.Path() == "flag" && g.Name() == "CommandLine" && !isOf(instr.Parent(), "flag")
	if !arguments && !flags {
		return true
	}
	if _, debug := instr.(*ssa.DebugRef); debug {
		return true
	}
	load, ok := instr.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	return !arguments || !slices.ContainsFunc(s.defs.Writers(load), func(w ssa.Instruction) bool {
		return !isOf(w.Parent(), "os", "runtime", "syscall") && (typed == nil || typed[w.Parent()] && writesStrings(w))
	})
}

// isOf reports whether a function is of one of some packages.
func isOf(fn *ssa.Function, packages ...string) bool {
	p := place.PackageOf(fn)
	return p != nil && slices.Contains(packages, p.Path())
}
