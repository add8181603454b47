package engine

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
)

// inputTypes knows the Go types of a target's input variables by their names.
type inputTypes map[string]types.Type // of the parameters

func (w *worker) inputTypes() inputTypes {
	in := inputTypes{}
	for _, p := range parameters(w.target) {
		in[p.Name()] = p.Type()
	}
	return in
}

// parameters returns the parameters over which a target is searched: those of
// the fuzz callback after the *testing.T, or of the function, receiver first.
func parameters(t *load.Target) []*types.Var {
	var params []*types.Var
	switch t.Kind {
	case load.TargetFuzz:
		if sig := fuzzCallback(t.Func); sig != nil {
			for i := 1; i < sig.Params().Len(); i++ {
				params = append(params, sig.Params().At(i))
			}
		}
	case load.TargetFunc:
		sig := t.Func.Signature
		if recv := sig.Recv(); recv != nil {
			params = append(params, recv)
		}
		for p := range sig.Params().Variables() {
			params = append(params, p)
		}
	}
	return params
}

// checkInputs returns an error when a parameter of the target is of a type over
// which it cannot be searched.
func checkInputs(t *load.Target) error {
	for _, p := range parameters(t) {
		if bad := unsupportedPart(p.Type()); bad != nil {
			what := types.TypeString(p.Type(), types.RelativeTo(t.Package.Types))
			if part := types.TypeString(bad, types.RelativeTo(t.Package.Types)); part != what {
				what += ", which has a part of type " + part
			}
			return fmt.Errorf("%s: parameter %s is a %s: inputs are scalars, strings, slices, arrays and structs of these", t.Name, p.Name(), what)
		}
	}
	return nil
}

// unsupportedPart returns a type inside t whose values cannot be inputs, nil
// when there is none.
func unsupportedPart(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return t
		}
		return nil
	case *types.Slice:
		return unsupportedPart(u.Elem())
	case *types.Array:
		return unsupportedPart(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if bad := unsupportedPart(f.Type()); bad != nil {
				return bad
			}
		}
		return nil
	}
	return t
}

// fuzzCallback returns the signature of the function that a fuzz target hands
// to f.Fuzz, nil when it does so through another function.
func fuzzCallback(fn *ssa.Function) *types.Signature {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee := call.Common().StaticCallee()
			if callee == nil || callee.String() != "(*testing.F).Fuzz" {
				continue
			}
			if arg, ok := call.Common().Args[1].(*ssa.MakeInterface); ok {
				sig, _ := arg.X.Type().Underlying().(*types.Signature)
				return sig
			}
		}
	}
	return nil
}

// of returns the type of an input variable as Go writes it; for a variable
// named len(x), that of x, for real(x) and imag(x) that of the part. Variables that were drawn in another way than through
// parameters have the unsigned type of their width.
func (in inputTypes) of(v run.InputVar) string {
	name := v.Name
	if inner, ok := strings.CutPrefix(name, "len("); ok {
		name = strings.TrimSuffix(inner, ")")
	}
	for _, part := range []string{"real(", "imag("} {
		if inner, ok := strings.CutPrefix(name, part); ok && in.resolve(strings.TrimSuffix(inner, ")")) != nil {
			return fmt.Sprintf("float%d", v.Width)
		}
	}
	if t := in.resolve(name); t != nil {
		return typeName(t)
	}
	if v.Width == 1 {
		return "bool"
	}
	return fmt.Sprintf("uint%d", v.Width)
}

// typeName returns the underlying type of t as the files of go test write it:
// []byte, not []uint8.
func typeName(t types.Type) string {
	name := types.TypeString(t.Underlying(), nil)
	if name == "[]uint8" {
		return "[]byte"
	}
	return name
}

// resolve follows a name such as p.f[3].g from a parameter to the type of the
// part.
func (in inputTypes) resolve(name string) types.Type {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		return in[name]
	}
	t, rest := in[name[:end]], name[end:]
	for rest != "" && t != nil {
		var part string
		if rest[0] == '[' {
			_, rest, _ = strings.Cut(rest[1:], "]")
			t = elementType(t)
			continue
		}
		rest = rest[1:]
		if end := strings.IndexAny(rest, ".["); end >= 0 {
			part, rest = rest[:end], rest[end:]
		} else {
			part, rest = rest, ""
		}
		t = fieldType(t, part)
	}
	return t
}

func elementType(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return types.Typ[types.Uint8]
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return nil
}

func fieldType(t types.Type, name string) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == name {
			return f.Type()
		}
	}
	return nil
}
