package linkname

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// forwards says, for functions that have no body because the linker binds them
// to one of another name (or assembly stands for it), which function that is.
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

// linked says, for some names that packages take from the standard library by go:linkname,
// which function of the models stands for them. Others are called as they are.
var linked = map[string]string{
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

// Forwarded returns the symbol of the function that stands in for the function of that
// name, which has no body: the linker binds it to another, or assembly stands for it. It is
// false for most functions.
func Forwarded(name string) (symbol string, ok bool) {
	symbol, ok = forwards[name]
	return symbol, ok
}

// Target returns the symbol that a directive with the declaration of fn gives it, or that
// of the model that stands for it. It is "" when there is none.
func Target(fn *ssa.Function) string {
	symbol := Directive(fn)
	if model, ok := linked[symbol]; ok {
		return model
	}
	return symbol
}

// Directive returns the symbol that a directive with the declaration of fn gives it, ""
// when there is none.
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
// path.(*T).M, or what a function of the package at path has been given. It is nil when
// there is none.
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
