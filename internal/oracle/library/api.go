package library

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Packages are those whose functions are checked.
var Packages = []string{
	"bytes", "encoding/ascii85", "encoding/base32", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/gob",
	"encoding/hex", "encoding/json", "encoding/pem", "encoding/xml", "errors", "fmt", "html", "net/netip", "net/url",
	"path", "strconv", "strings", "text/tabwriter", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// An API is what the packages export.
type API struct {
	Programs []*Program
	// Functions are the names of all exported functions, and of the exported methods of
	// exported types: package, a dot and the name as in Program.Function.
	Functions []string
	// Omitted gives the reason for each function that is left out.
	Omitted map[string]string
	// Missing says, for each other function without a program, what it would need.
	Missing map[string]string
	used    map[string]bool // keys of the tables of arguments
}

// NewAPI makes the programs of the packages, those that are written by hand included.
func NewAPI() (*API, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}, Packages...)
	if err != nil {
		return nil, fmt.Errorf("loading the packages: %w", err)
	}
	api := &API{Omitted: map[string]string{}, Missing: map[string]string{}, used: map[string]bool{}}
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("loading %s: %w", pkg.PkgPath, pkg.Errors[0])
		}
		for _, fn := range exported(pkg.Types) {
			api.add(pkg.PkgPath, fn)
		}
	}
	for i := range written {
		w := &written[i]
		for _, body := range w.bodies {
			names := strings.Fields(w.functions)
			p := &Program{Package: w.pkg, Function: names[0], Variant: body, bytes: moreBytes[w.pkg]}
			p.body = p.expand(body) + "\n"
			api.Programs = append(api.Programs, p)
			for _, name := range names {
				delete(api.Missing, w.pkg+"."+name)
			}
		}
	}
	slices.Sort(api.Functions)
	slices.SortStableFunc(api.Programs, func(a, b *Program) int { return strings.Compare(a.Package, b.Package) })
	return api, nil
}

// exported returns the exported functions of a package and the exported methods of its exported
// types, and of the types of its exported variables.
func exported(pkg *types.Package) []*types.Func {
	var list []*types.Func
	seen := map[*types.Func]bool{}
	methods := func(t types.Type) {
		if named, ok := t.(*types.Named); !ok || types.IsInterface(named) || named.TypeParams() != nil || named.Obj().Pkg() != pkg {
			return
		}
		set := types.NewMethodSet(types.NewPointer(t))
		for i := range set.Len() {
			fn, ok := set.At(i).Obj().(*types.Func)
			if ok && fn.Exported() && fn.Pkg() == pkg && !seen[fn] {
				seen[fn] = true
				list = append(list, fn)
			}
		}
	}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			list = append(list, obj)
		case *types.TypeName:
			methods(obj.Type())
		case *types.Var:
			methods(obj.Type())
		}
	}
	return list
}

// function returns the name of a function as in Program.Function.
func function(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.(*types.Named).Obj().Name() + "." + fn.Name()
}

// typeName returns the name of a type as in the keys of arguments.
func typeName(t types.Type) string {
	return types.TypeString(types.Unalias(t), func(p *types.Package) string { return packageName(p.Path()) })
}

// choices returns the templates for a parameter.
func (api *API) choices(pkg, function, name string, t types.Type) []string {
	for _, key := range []string{pkg + "." + function + "." + name, pkg + ".*." + name} {
		if list := particular[key]; list != nil {
			api.used[key] = true
			return list
		}
	}
	api.used[typeName(t)] = true
	return arguments[typeName(t)]
}

// add adds the programs of a function, or what is missing for them.
func (api *API) add(pkg string, fn *types.Func) {
	name := function(fn)
	api.Functions = append(api.Functions, pkg+"."+name)
	if why := omitted[pkg+"."+name]; why != "" {
		api.Omitted[pkg+"."+name] = why
		return
	}
	sig := fn.Signature()
	if sig.TypeParams() != nil {
		api.Missing[pkg+"."+name] = "type arguments"
		return
	}
	var templates [][]string
	variants := 1
	params := []*types.Var{}
	if recv := sig.Recv(); recv != nil {
		params = append(params, recv)
	}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	for i, p := range params {
		of := api.choices(pkg, name, p.Name(), p.Type())
		if i == 0 && sig.Recv() != nil {
			of = api.receiver(p.Type())
		}
		if of == nil {
			api.Missing[pkg+"."+name] = "an argument of type " + typeName(p.Type())
			return
		}
		templates = append(templates, of)
		variants = max(variants, len(of))
	}
	for v := range variants {
		p := &Program{Package: pkg, Function: name, bytes: moreBytes[pkg]}
		var chosen []string
		for _, of := range templates {
			chosen = append(chosen, of[v%len(of)])
		}
		p.Variant = strings.Join(chosen, ", ")
		if err := p.call(sig, params, chosen, fn); err != nil {
			api.Missing[pkg+"."+name] = err.Error()
			return
		}
		api.Programs = append(api.Programs, p)
	}
}

// receiver returns the templates for a receiver: those of its type or, if there are none, of the
// type that it points to or of the pointer to it.
func (api *API) receiver(t types.Type) []string {
	name := typeName(t)
	elem, _ := strings.CutPrefix(name, "*")
	for _, key := range []string{name, elem, "*" + name} {
		if of := arguments[key]; of != nil {
			api.used[key] = true
			return of
		}
	}
	return nil
}

// constant matches arguments that need the type of their parameter.
var constant = regexp.MustCompile(`^(nil|-?[0-9]+|'.*')$`)

// call makes the body of a program that calls a function with the chosen arguments.
func (p *Program) call(sig *types.Signature, params []*types.Var, chosen []string, fn *types.Func) error {
	var b strings.Builder
	var names, after []string
	w := writer{&b, 0}
	for i, param := range params {
		name := fmt.Sprintf("a%d", i)
		argument := p.expand(chosen[i])
		if constant.MatchString(argument) || types.IsInterface(param.Type()) {
			fmt.Fprintf(&b, "\tvar %s %s = %s\n", name, typeName(param.Type()), argument)
		} else {
			fmt.Fprintf(&b, "\t%s := %s\n", name, argument)
		}
		names = append(names, name)
		switch typeName(param.Type()) {
		case "[]byte", "io.Writer", "*strings.Builder", "*bytes.Buffer", "*strings.Reader", "*bytes.Reader",
			"*time.Time", "*netip.Addr", "*netip.AddrPort", "*netip.Prefix", "*url.URL":
			after = append(after, name)
		}
	}
	callee := packageName(p.Package) + "." + fn.Name()
	if sig.Recv() != nil {
		callee, names = names[0]+"."+fn.Name(), names[1:]
	}
	if sig.Variadic() {
		names[len(names)-1] += "..."
	}
	var results []string
	for i := range sig.Results().Len() {
		results = append(results, fmt.Sprintf("r%d", i))
	}
	call := callee + "(" + strings.Join(names, ", ") + ")"
	if len(results) > 0 {
		call = strings.Join(results, ", ") + " := " + call
	}
	fmt.Fprintf(&b, "\t%s\n", call)
	for i := range results {
		if err := w.show(results[i], sig.Results().At(i).Type(), 0); err != nil {
			return err
		}
	}
	for i, param := range params {
		if name := fmt.Sprintf("a%d", i); slices.Contains(after, name) {
			if err := w.show(name, param.Type(), 0); err != nil {
				return err
			}
		}
	}
	if len(results) == 0 && len(after) == 0 {
		fmt.Fprintf(&b, "\tshow(1)\n")
	}
	p.body = b.String()
	return nil
}

// PackageOf returns the package of one of API.Functions.
func PackageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + name
}
