package code

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// FuncName returns the name of fn as runtime.FuncForPC gives it for compiled
// code, but for what SymbolName escapes: pkgpath.F, pkgpath.(*T).M, pkgpath.F.func1, pkgpath.F[...].
func FuncName(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		return FuncName(parent) + closureSuffix(parent, fn)
	}
	name := fn.Name()
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i] + "[...]"
	}
	if n, ok := strings.CutPrefix(name, "init#"); ok {
		i, _ := strconv.Atoi(n)
		name = "init." + strconv.Itoa(i-1)
	}
	if bound, ok := strings.CutSuffix(name, "$bound"); ok {
		name = bound + "-fm"
	}
	name = strings.TrimSuffix(name, "$thunk")
	if recv := receiver(fn); recv != nil {
		return typeName(recv) + "." + name
	}
	if pkg := pkgOf(fn); pkg != nil {
		return PkgPath(pkg) + "." + name
	}
	return name
}

// SymbolName returns the name of fn as runtime.FuncForPC gives it: dots in the last element of the
// package's path, and what is no printable ASCII in it, are escaped as in symbols of object files.
func SymbolName(fn *ssa.Function) string {
	name := FuncName(fn)
	pkg := pkgOf(fn)
	if recv := receiver(ssaform.Outermost(fn)); recv != nil {
		recv = types.Unalias(recv)
		if ptr, ok := recv.(*types.Pointer); ok {
			recv = types.Unalias(ptr.Elem())
		}
		if named, ok := recv.(*types.Named); ok {
			pkg = named.Obj().Pkg()
		}
	}
	if pkg == nil {
		return name
	}
	if path := PkgPath(pkg); strings.HasPrefix(name, path) {
		return escapePath(path) + name[len(path):]
	}
	return name
}

// escapePath escapes the path of a package as PathToPrefix of cmd/internal/objabi does.
func escapePath(path string) string {
	var b strings.Builder
	last := strings.LastIndexByte(path, '/')
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c >= 0x7f || c == '%' || c == '"' || c == '.' && i > last {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// closureSuffix returns what the name of closure fn adds to that of parent.
func closureSuffix(parent, fn *ssa.Function) string {
	_, body := fn.Syntax().(*ast.RangeStmt)
	n := 1
	for _, anon := range parent.AnonFuncs {
		if anon == fn {
			break
		}
		if _, other := anon.Syntax().(*ast.RangeStmt); other == body {
			n++
		}
	}
	switch {
	case body: // of a range-over-func loop
		return "-range" + strconv.Itoa(n)
	case parent.Parent() != nil:
		return "." + strconv.Itoa(n)
	}
	return ".func" + strconv.Itoa(n)
}

// receiver returns the receiver type of a method, or of the method that a
// wrapper is for; nil for functions.
func receiver(fn *ssa.Function) types.Type {
	if recv := fn.Signature.Recv(); recv != nil {
		return recv.Type()
	}
	if strings.HasSuffix(fn.Name(), "$thunk") { // T.M, where the method may be that of an embedded type
		return fn.Signature.Params().At(0).Type()
	}
	if obj, ok := fn.Object().(*types.Func); ok && obj.Signature().Recv() != nil {
		return obj.Signature().Recv().Type()
	}
	return nil
}

// typeName returns pkgpath.T or pkgpath.(*T).
func typeName(t types.Type) string {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		if named, ok := types.Unalias(ptr.Elem()).(*types.Named); ok {
			pkg, name := namedName(named)
			return pkg + "(*" + name + ")"
		}
	}
	if named, ok := t.(*types.Named); ok {
		pkg, name := namedName(named)
		return pkg + name
	}
	return types.TypeString(t, nil)
}

func namedName(t *types.Named) (pkg, name string) {
	name = t.Obj().Name()
	if t.TypeArgs().Len() > 0 {
		name += "[...]"
	}
	if t.Obj().Pkg() != nil {
		pkg = PkgPath(t.Obj().Pkg()) + "."
	}
	return pkg, name
}

// pkgOf returns the package in which the source of fn is; nil for error.Error.
func pkgOf(fn *ssa.Function) *types.Package {
	fn = ssaform.Outermost(fn)
	switch {
	case fn.Pkg != nil:
		return fn.Pkg.Pkg
	case fn.Origin() != nil && fn.Origin().Pkg != nil:
		return fn.Origin().Pkg.Pkg
	case fn.Object() != nil:
		return fn.Object().Pkg()
	}
	return nil
}
