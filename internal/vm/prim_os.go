package vm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// osPrimitives lists what the models of packages os, syscall, net and those near them
// leave to the machine.
func osPrimitives() []primitive {
	list := []primitive{
		{name: "os.writeOutput", run: writeOutput},
		{name: "os.argument", run: func(c *call) {
			arg, ok := "", false
			if i := int(c.int(0)); i < len(c.m.Args) {
				arg, ok = c.m.Args[i], true
			}
			c.setText(0, arg)
			c.setBool(2, ok)
		}},
		{name: "syscall.writeOutput", run: writeOutput},
		{name: "syscall.Exit", run: func(c *call) { exitProgram(c.m, c.g, int(c.int(0))) }},
		{name: "syscall.hostFile", run: func(c *call) { readHost(c, hostFile) }},
		{name: "syscall.hostDirectory", run: func(c *call) { readHost(c, hostDirectory) }},
		{name: "syscall.workDirectory", run: func(c *call) { c.setText(0, path.Clean(c.m.Dir)) }},
		{name: "syscall.outside", run: func(c *call) {
			if c.m.Files != nil {
				c.m.Unsupported(c.g, "a path that leads out of the module's directory")
			}
		}},
		{name: "syscall.unsupported", run: func(c *call) {
			c.m.Unsupported(c.g, fmt.Sprintf("system call %d", c.int(0)))
		}},
		{name: "syscall.clock", run: func(c *call) { c.set(0, uint64(c.m.Now+state.ClockStart)) }},
		{name: "net.wholeRead", run: func(c *call) { c.m.Trace.WholeReads = true }},
		{name: "net.ephemeral", run: func(c *call) { c.set(0, uint64(ephemeralPort(c.m, c.g))) }},
	}
	for _, pkg := range []string{"net", "os", "os/exec", "plugin"} {
		list = append(list, primitive{name: pkg + ".unsupported", run: func(c *call) { c.m.Unsupported(c.g, c.text(0)) }})
	}
	return list
}

// writeOutput writes a []byte to the machine's output. Symbolic bytes are
// printed as they are in this run: what is printed decides nothing.
func writeOutput(c *call) {
	if n := int(c.window[1].N); n > 0 && c.m.Output != nil {
		c.m.WriteOutput(heap.BytesAt(c.window[0], n))
	}
}

// readHost gives the text that read finds at the path in the first register.
func readHost(c *call, read func(m *Interpreter, name string) (string, error)) {
	name := c.text(0)
	text, ok := c.m.hostTexts[name]
	if !ok {
		var err error
		if text, err = read(c.m, name); err != nil {
			c.m.Unsupported(c.g, fmt.Sprintf("a file that cannot be read: %v", err))
			return
		}
		c.m.hostTexts[name] = text
	}
	c.setText(0, text)
}

func hostFile(m *Interpreter, name string) (string, error) {
	b, err := fs.ReadFile(m.Files, name)
	return string(b), err
}

// hostDirectory lists a directory for the model of package syscall. Symbolic links, which
// may lead to places that the program does not have, stand for what they lead to. What is
// neither a file nor a directory is left out, and so are links that lead nowhere.
func hostDirectory(m *Interpreter, name string) (string, error) {
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
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return "", err
			}
			mode = info.Mode()
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

// exitProgram ends the run as os.Exit does. A status that is not zero is
// noted.
func exitProgram(m *Interpreter, g *state.Goroutine, status int) {
	m.Record(g, run.Event{Op: schedule.End, Object: run.NoObject, Other: -1})
	if status == 0 {
		m.Stop(run.Finished, "")
		return
	}
	m.Trace.Exit = &run.Exit{StackTrace: m.StackTrace(g, len(g.Frames)), Status: status}
	m.Stop(run.Failed, "")
}

// ephemeralPort returns a number in the range that Linux gives to sockets which ask
// for no port in particular. Like an object's name it follows from the goroutine's name and from
// what it has done: goroutines that ask for ports do not disturb each other.
func ephemeralPort(m *Interpreter, g *state.Goroutine) uint32 {
	const first, last = 32768, 60999
	h := fnv.New32a()
	h.Write(m.Names.Append(nil, g.ID))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(g.Allocs)))
	return first + h.Sum32()%(last-first+1)
}
