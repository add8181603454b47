package linkname

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// forwards maps functions without a body to the functions that run in their place, where
// the linker binds the two or where the body is in assembly.
var forwards = map[string]string{
	"internal/chacha8rand.block":                 "internal/chacha8rand.portableBlock",
	"time/tzdata.registerLoadFromEmbeddedTZData": "time.registerLoadFromEmbeddedTZData",
	"testing/synctest.testingSynctestTest":       "testing.testingSynctestTest",
	"internal/poll.runtime_Semacquire":           "runtime.semacquire",
	"internal/poll.runtime_Semrelease":           "runtime.semrelease",
	"net.newUnixFile":                            "os.net_newUnixFile",
	"golang.org/x/sys/unix.Syscall":              "syscall.Syscall",
	"golang.org/x/sys/unix.Syscall6":             "syscall.Syscall6",
	"golang.org/x/sys/unix.RawSyscall":           "syscall.RawSyscall",
	"golang.org/x/sys/unix.RawSyscall6":          "syscall.RawSyscall6",
	"golang.org/x/sys/unix.SyscallNoError":       "syscall.rawSyscallNoError",
	"golang.org/x/sys/unix.RawSyscallNoError":    "syscall.rawSyscallNoError",
	"golang.org/x/sys/unix.gettimeofday":         "syscall.gettimeofday",
}

// models maps names that packages take from the standard library by go:linkname to
// functions of the models. Names that are not in it are used as they are.
var models = map[string]string{
	"time.now":                     "time.runtimeNow",
	"sync.runtime_nanotime":        "runtime.nanotime",
	"sync.runtime_canSpin":         "runtime.canSpin",
	"sync.runtime_doSpin":          "runtime.doSpin",
	"sync.runtime_Semacquire":      "runtime.semacquire",
	"sync.runtime_SemacquireMutex": "runtime.semacquireLifo",
	"sync.runtime_Semrelease":      "runtime.semreleaseHandoff",
	"sync.fastrandn":               "runtime.randn",
	"sync.runtime_randn":           "runtime.randn",
	"math/rand.fastrand64":         "runtime.rand",
	"math/rand.runtime_rand":       "runtime.rand",
	"math/rand/v2.runtime_rand":    "runtime.rand",
	"hash/maphash.runtime_memhash": "runtime.memhash",
	"os.fastrand":                  "runtime.rand32",
	"net.fastrandu":                "runtime.fastrandu",
}

// Forwarded returns the symbol of the function that runs in place of the one with the
// given name, which has no body. The result is false for most functions.
func Forwarded(name string) (symbol string, ok bool) {
	symbol, ok = forwards[name]
	return symbol, ok
}

// Target returns the symbol that a go:linkname directive gives fn, or that of the
// function in a model that provides it. It is "" if there is no directive.
func Target(fn *ssa.Function) string {
	symbol := Directive(fn)
	if model, ok := models[symbol]; ok {
		return model
	}
	return symbol
}

// Directive returns the symbol that a go:linkname directive gives fn, "" if there is
// none.
func Directive(fn *ssa.Function) string {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || decl.Doc == nil {
		return ""
	}
	for _, c := range decl.Doc.List {
		if f := strings.Fields(c.Text); len(f) == 3 && f[0] == "//go:linkname" && f[1] == fn.Name() {
			return f[2]
		}
	}
	return ""
}

// Lookup returns the function that the linker knows by a symbol: path.F, path.T.M or
// path.(*T).M, or a function of the package at path to which a directive gives the
// symbol. It returns nil if there is none.
func Lookup(prog *ssa.Program, symbol string) *ssa.Function {
	slash := strings.LastIndex(symbol, "/") + 1
	dot := strings.Index(symbol[slash:], ".")
	if dot < 0 {
		return nil
	}
	pkg := prog.ImportedPackage(symbol[:slash+dot])
	if pkg == nil {
		return nil
	}
	for _, member := range slices.Sorted(maps.Keys(pkg.Members)) {
		if fn := pkg.Func(member); fn != nil && Directive(fn) == symbol {
			return fn
		}
	}
	name := symbol[slash+dot+1:]
	recv, method, ok := strings.Cut(name, ".")
	if !ok {
		return pkg.Func(name)
	}
	base, pointer := strings.CutPrefix(recv, "(*")
	member := pkg.Type(strings.TrimSuffix(base, ")"))
	if member == nil {
		return nil
	}
	typ := member.Type()
	if pointer {
		typ = types.NewPointer(typ)
	}
	if types.NewMethodSet(typ).Lookup(pkg.Pkg, method) == nil {
		return nil
	}
	return prog.LookupMethod(typ, pkg.Pkg, method)
}
