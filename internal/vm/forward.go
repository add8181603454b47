package vm

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// forwards says, for functions that have no body because the linker binds them
// to one of another name (or assembly stands for it), which function that is.
var forwards = map[string]string{
	"internal/chacha8rand.block":                 "internal/chacha8rand.portableBlock",
	"time/tzdata.registerLoadFromEmbeddedTZData": "time.registerLoadFromEmbeddedTZData",
	"testing/synctest.testingSynctestTest":       "testing.testingSynctestTest",
	"net.newUnixFile":                            "os.net_newUnixFile",
	"golang.org/x/sys/unix.Syscall":              "syscall.Syscall",
	"golang.org/x/sys/unix.Syscall6":             "syscall.Syscall6",
	"golang.org/x/sys/unix.RawSyscall":           "syscall.RawSyscall",
	"golang.org/x/sys/unix.RawSyscall6":          "syscall.RawSyscall6",
	"golang.org/x/sys/unix.SyscallNoError":       "syscall.rawSyscallNoError",
	"golang.org/x/sys/unix.RawSyscallNoError":    "syscall.rawSyscallNoError",
	"golang.org/x/sys/unix.gettimeofday":         "syscall.gettimeofday",
}

// forwarded returns the function that stands in for the one of that name, nil
// when there is none in the program.
func (m *Machine) forwarded(name string) *ssa.Function {
	to, ok := forwards[name]
	if !ok {
		return nil
	}
	dot := strings.LastIndex(to, ".")
	pkg := m.prog.SSA.ImportedPackage(to[:dot])
	if pkg == nil {
		return nil
	}
	return pkg.Func(to[dot+1:])
}
