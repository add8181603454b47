package program

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
)

// InputTypes knows the Go types of a target's input variables by their names.
type InputTypes map[string]types.Type // of the parameters

// NewInputTypes returns the types of the inputs of a target. If it is a fuzz test, params
// are the parameters of the function that it passes to F.Fuzz.
func NewInputTypes(t *load.Target, params []run.Param) InputTypes {
	in := InputTypes{}
	if t.Kind == load.TargetFunc {
		for _, p := range parameters(t) {
			in[p.Name()] = p.Type()
		}
		for _, v := range t.Globals {
			in[v.Name()] = v.Type().(*types.Pointer).Elem()
		}
	}
	for _, p := range params {
		if p.Type == "[]uint8" {
			in[p.Name] = types.NewSlice(types.Typ[types.Uint8])
		} else {
			in[p.Name] = types.Universe.Lookup(p.Type).Type()
		}
	}
	return in
}

// Of returns the type of an input variable as Go writes it: for a variable named len(x)
// that of x, for real(x) and imag(x) that of the part. What is not drawn through parameters
// is a number of its kind or a slice of bytes of package sym, or has the unsigned type of its width.
func (in InputTypes) Of(v run.InputVar) string {
	if v.Type != "" {
		return CorpusType(v.Type)
	}
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
		return TypeName(t)
	}
	switch k := code.Kind(v.Kind); {
	case name != v.Name:
		return "[]byte"
	case k != code.NoKind:
		return k.String()
	case v.Width == 1:
		return "bool"
	}
	return fmt.Sprintf("uint%d", v.Width)
}

// TypeName returns the underlying type of t as the files of go test write it:
// []byte, not []uint8.
func TypeName(t types.Type) string { return CorpusType(types.TypeString(t.Underlying(), nil)) }

// CorpusType returns a type as the files of go test write it, given as package reflect
// does.
func CorpusType(name string) string {
	if name == "[]uint8" {
		return "[]byte"
	}
	return name
}

// ReflectType returns a type as package reflect writes it, given as the files of go test
// do.
func ReflectType(name string) string {
	switch name {
	case "[]byte":
		return "[]uint8"
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	}
	return name
}

// resolve follows a name such as p.f[3].g from a parameter to the type of the
// part.
func (in InputTypes) resolve(name string) types.Type {
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
