package host

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// osPrimitives returns the primitives of the models of packages os, syscall, net and
// related ones.
func osPrimitives() []exec.Primitive {
	list := []exec.Primitive{
		{Name: "os.writeOutput", Run: writeOutput},
		{Name: "os.argument", Run: func(c *exec.Call) {
			arg, ok := "", false
			if i := int(c.Int(0)); i < len(c.Machine.Args) {
				arg, ok = c.Machine.Args[i], true
			}
			c.SetText(0, arg)
			c.SetBool(2, ok)
		}},
		{Name: "runtime.processors", Run: processors},
		{Name: "os.executablePath", Run: func(c *exec.Call) { c.SetText(0, cmp.Or(c.Machine.Executable, "/tmp/go-build/b001/exe/program")) }},
		{Name: "syscall.writeOutput", Run: writeOutput},
		{
			Name: "syscall.Exit",
			// Others may continue for a while before the program ends, as with a panic.
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Fail, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			Run: func(c *exec.Call) { exitProgram(c.Machine, c.Goroutine, int(c.Int(0))) },
		},
		{Name: "syscall.hostFile", Run: func(c *exec.Call) { readHost(c, hostFile) }},
		{Name: "syscall.hostDirectory", Run: func(c *exec.Call) { readHost(c, hostDirectory) }},
		{Name: "syscall.workDirectory", Run: func(c *exec.Call) { c.SetText(0, path.Clean(c.Machine.Dir)) }},
		{Name: "syscall.hostRoot", Run: func(c *exec.Call) { c.SetText(0, c.Machine.Root) }},
		{Name: "syscall.outside", Run: func(c *exec.Call) {
			if c.Machine.Files != nil {
				c.Machine.Unsupported(c.Goroutine, "a path that leads out of the module's directory")
			}
		}},
		{Name: "syscall.unsupported", Run: func(c *exec.Call) {
			c.Machine.Unsupported(c.Goroutine, fmt.Sprintf("system call %d", c.Int(0)))
		}},
		{Name: "syscall.setGodebug", Run: setGodebug},
		{Name: "internal/godebug.setting", Run: func(c *exec.Call) { c.SetText(0, c.Machine.Godebug[c.Text(0)]) }},
		{Name: "syscall.clock", Run: func(c *exec.Call) { c.Set(0, uint64(c.Machine.Now+state.ClockStart)) }},
		{Name: "syscall.choose", Run: exec.Choose},
		{Name: "syscall.fromOutside", Run: func(c *exec.Call) {
			c.Machine.Trace.Bounds.Add(run.OutsideSignals)
			c.Set(0, uint64(c.Machine.Signals))
		}},
		{Name: "net.choose", Run: exec.Choose},
		{Name: "net.noteWhole", Run: func(c *exec.Call) { c.Machine.Trace.Bounds.Add(run.WholeReads) }},
		{Name: "net.noteFew", Run: func(c *exec.Call) { c.Machine.Trace.Bounds.Add(run.FewPieces) }},
		{Name: "net.noteUnbroken", Run: func(c *exec.Call) { c.Machine.Trace.Bounds.Add(run.Unbroken) }},
		{Name: "net.inPieces", Run: func(c *exec.Call) { c.SetBool(0, c.Machine.Network != run.Whole) }},
		{Name: "net.canBreak", Run: func(c *exec.Call) { c.SetBool(0, c.Machine.Network == run.Breaks) }},
		{Name: "net.ephemeral", Run: func(c *exec.Call) { c.Set(0, uint64(ephemeralPort(c.Machine, c.Goroutine))) }},
	}
	for _, pkg := range []string{"net", "os", "os/exec", "plugin"} {
		list = append(list, exec.Primitive{Name: pkg + ".unsupported", Run: func(c *exec.Call) { c.Machine.Unsupported(c.Goroutine, c.Text(0)) }})
	}
	return list
}

// processors returns how many processors there are. Verdicts are within that number, unless the
// standard library asks for its own purposes, as package testing does for its flags.
func processors(c *exec.Call) {
	for _, f := range slices.Backward(c.Goroutine.Frames) {
		if pkg, _, _ := strings.Cut(f.Func.Name, "."); f.Func.Standard && (pkg == "runtime" || pkg == "runtime/metrics") {
			continue
		}
		if !f.Func.Standard {
			c.Machine.Trace.Bounds.Add(run.Processors)
		}
		break
	}
	c.Set(0, uint64(cmp.Or(c.Machine.Processors, run.DefaultProcessors)))
}

// writeOutput writes a []byte to the machine's output. Symbolic bytes are printed with
// their values in this run and stay symbolic, since output does not affect the run.
func writeOutput(c *exec.Call) {
	if n := int(c.Window[1].N); n > 0 && c.Machine.Output != nil {
		c.Machine.WriteOutput(heap.BytesAt(c.Window[0], n))
	}
}

// setGodebug ends the run if the program sets $GODEBUG to what changes a setting.
func setGodebug(c *exec.Call) {
	for setting := range strings.SplitSeq(c.Text(0), ",") {
		name, value, ok := strings.Cut(setting, "=")
		if ok && c.Machine.Godebug[name] != value {
			c.Machine.Unsupported(c.Goroutine, "GODEBUG="+setting+" set by the program: write a line //go:debug "+setting)
			return
		}
	}
}

// readHost returns the text that read finds at the path in the first argument.
func readHost(c *exec.Call, read func(m *exec.Interpreter, name string) (string, error)) {
	name := c.Text(0)
	text, ok := c.Machine.HostTexts[name]
	if !ok {
		var err error
		if text, err = read(c.Machine, name); err != nil {
			c.Machine.Unsupported(c.Goroutine, fmt.Sprintf("a file that cannot be read: %v", err))
			return
		}
		c.Machine.HostTexts[name] = text
	}
	c.SetText(0, text)
}

// hostFile returns the content of a file.
func hostFile(m *exec.Interpreter, name string) (string, error) {
	b, err := fs.ReadFile(m.Files, name)
	return string(b), err
}

// hostDirectory lists a directory for the model of package syscall. Symbolic links are
// replaced by what they point to, since that may be outside of what the program can
// reach. Entries that are neither files nor directories are left out, and so are broken
// links. A link that cannot be followed, as it leads out of the files, is listed: a program
// that reads it is told so.
func hostDirectory(m *exec.Interpreter, name string) (string, error) {
	if m.Files == nil {
		return "", nil
	}
	entries, err := fs.ReadDir(m.Files, name)
	if err != nil {
		return "", err
	}
	var list strings.Builder
	for _, e := range entries {
		mode := e.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := fs.Stat(m.Files, path.Join(name, e.Name()))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case err != nil:
				mode = 0 // a regular file, which cannot be read either
			default:
				mode = info.Mode()
			}
		}
		switch {
		case mode.IsDir():
			list.WriteString("d")
		case mode.IsRegular():
			list.WriteString("f")
		default:
			continue
		}
		list.WriteString(e.Name() + "\x00")
	}
	return list.String(), nil
}

// exitProgram ends the run as os.Exit does. A status other than zero makes it fail. If a TestMain exits because its
// tests have passed, only its goroutine ends, and without its deferred calls: the target has returned, as one has
// without a TestMain, and what its other goroutines do then they could do beside the tests that come next.
func exitProgram(m *exec.Interpreter, g *state.Goroutine, status int) {
	if status == 0 && g.Slot == 0 && m.TestsRan {
		for i := range g.Frames {
			g.Frames[i].Defers = g.Frames[i].Defers[:0]
		}
		m.Exit()
		return
	}
	m.Record(g, run.Event{Op: schedule.End, Object: run.NoObject, Other: -1})
	if status == 0 {
		m.Stop(run.Finished, "")
		return
	}
	m.Trace.Exit = &run.Exit{StackTrace: m.StackTrace(g, len(g.Frames)), Status: status, OfTests: g.Slot == 0 && m.TestsRan}
	m.Stop(run.Failed, "")
}

// ephemeralPort returns a port number in the range that Linux uses for sockets that ask
// for no particular port. Like the name of an object, it depends only on the goroutine's
// name and on what the goroutine has done, so that goroutines that ask for ports do not
// depend on each other.
func ephemeralPort(m *exec.Interpreter, g *state.Goroutine) uint32 {
	const first, last = 32768, 60999
	h := fnv.New32a()
	h.Write(m.Names.Append(nil, g.ID))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(g.Allocs)))
	return first + h.Sum32()%(last-first+1)
}
