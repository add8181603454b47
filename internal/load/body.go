package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// Bodies has the bodies of functions of the standard library that are checked
// and built one by one, when they are first called: a program runs some hundred of
// the thousands of functions in the packages that it imports.
//
// To the type checker and to go/ssa such a function has no body at first. Later
// its declaration makes a file of its own, which is checked as a further file of
// the package, its function being named _, and from which an SSA package is created.
//
// Building adds to the ssa.Program and to its types.Packages. Whoever asks them
// anything that this changes holds the lock.
type Bodies struct {
	sync.Mutex
	c    *checker
	prog *ssa.Program
	of   map[*types.Func]*body
}

// A body is what was taken from a function declaration.
type body struct {
	unit  *unit
	file  *ast.File
	decl  *ast.FuncDecl
	block *ast.BlockStmt

	built *ssa.Function
	err   error
}

// Body returns a function with the body of fn: of the same name, signature and
// package. It is nil when fn has no body, or is built with its package. The error
// says that the body does not compile. The lock is held.
func (b *Bodies) Body(fn *ssa.Function) (*ssa.Function, error) {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return nil, nil
	}
	body := b.of[obj]
	if body == nil {
		return nil, nil
	}
	if body.built == nil && body.err == nil {
		body.built, body.err = b.build(body, fn, obj)
	}
	return body.built, body.err
}

// Has reports whether Body has a body for fn. The lock is held.
func (b *Bodies) Has(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && b.of[obj] != nil
}

func (b *Bodies) build(body *body, fn *ssa.Function, obj *types.Func) (*ssa.Function, error) {
	decl := *body.decl
	decl.Name = &ast.Ident{NamePos: decl.Name.NamePos, Name: "_"}
	decl.Body = body.block
	file := *body.file
	file.Decls = nil
	for _, d := range body.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			file.Decls = append(file.Decls, d)
		}
	}
	file.Decls = append(file.Decls, &decl)

	info := newInfo()
	var first error
	conf := b.c.config(body.unit, func(err error) {
		// The other functions of the file may use its other imports.
		if e, ok := err.(types.Error); first == nil && !(ok && e.Soft) {
			first = err
		}
	})
	_ = types.NewChecker(&conf, b.c.fset, body.unit.pkg.Types, info).Files([]*ast.File{&file})
	if first != nil {
		return nil, fmt.Errorf("checking %s: %w", obj.FullName(), first)
	}
	// The package is one of its own to go/ssa, so that it hides nothing of the real one.
	pkg := types.NewPackage(obj.Pkg().Path(), obj.Pkg().Name())
	own := types.NewFunc(obj.Pos(), pkg, obj.Name(), obj.Signature())
	info.Defs[decl.Name] = own
	created := b.prog.CreatePackage(pkg, []*ast.File{&file}, info, false)
	created.Pkg = fn.Pkg.Pkg
	built := b.prog.FuncValue(own)
	built.Pkg = fn.Pkg
	created.Build()
	return built, nil
}

// holdBack takes from the files of u the bodies that need not be there for
// checking what else is in the package. Those stay that belong to generic functions, of
// which go/ssa makes instances, and those that variables may depend on when they are
// initialised: which they are is decided by name.
func (u *unit) holdBack() {
	stays := u.initialising()
	for _, f := range u.pkg.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && !stays[d] && !generic(d) {
				u.bodies = append(u.bodies, &body{unit: u, file: f, decl: d, block: d.Body})
			}
		}
	}
	for _, b := range u.bodies {
		b.decl.Body = nil
	}
}

// initialising returns the functions that run before others can be asked for:
// init functions, and all whose names initialisers of variables mention,
// directly or through others of the package.
func (u *unit) initialising() map[*ast.FuncDecl]bool {
	named := make(map[string][]*ast.FuncDecl)
	var work []ast.Node
	for _, f := range u.pkg.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				named[d.Name.Name] = append(named[d.Name.Name], d)
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					work = append(work, d)
				}
			}
		}
	}
	found := make(map[*ast.FuncDecl]bool)
	reach := func(name string) {
		for _, d := range named[name] {
			found[d] = true
			if d.Body != nil {
				work = append(work, d.Body)
			}
		}
		delete(named, name)
	}
	reach("init")
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && len(named[id.Name]) > 0 {
				reach(id.Name)
			}
			return true
		})
	}
	return found
}

// generic reports whether fn is a generic function, or a method of a generic type.
func generic(fn *ast.FuncDecl) bool {
	if recv := receiver(fn); recv != nil {
		_, plain := recv.(*ast.Ident)
		return !plain
	}
	return fn.Type.TypeParams != nil
}
