package vm

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io/fs"
	"strings"

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
		{name: "syscall.Exit", run: func(c *call) { c.m.exitProgram(c.g, int(c.int(0))) }},
		{name: "syscall.hostFile", run: func(c *call) { c.host(c.m.hostFile) }},
		{name: "syscall.hostDirectory", run: func(c *call) { c.host(c.m.hostDirectory) }},
		{name: "syscall.unsupported", run: func(c *call) {
			c.m.unsupported(c.g, fmt.Sprintf("system call %d", c.int(0)))
		}},
		{name: "syscall.clock", run: func(c *call) { c.set(0, uint64(c.m.now+clockStart)) }},
		{name: "net.wholeRead", run: func(c *call) { c.m.trace.WholeReads = true }},
		{name: "net.ephemeral", run: func(c *call) { c.set(0, uint64(c.m.ephemeralPort(c.g))) }},
	}
	for _, pkg := range []string{"net", "os", "os/exec", "plugin"} {
		list = append(list, primitive{name: pkg + ".unsupported", run: func(c *call) { c.m.unsupported(c.g, c.text(0)) }})
	}
	return list
}

// writeOutput writes a []byte to the machine's output. Symbolic bytes are
// printed as they are in this run: what is printed decides nothing.
func writeOutput(c *call) {
	if n := int(c.window[1].N); n > 0 && c.m.Output != nil {
		c.m.output(bytesAt(c.window[0], n))
	}
}

// host gives the text that read finds at the path in the first register.
func (c *call) host(read func(path string) (string, error)) {
	path := c.text(0)
	text, ok := c.m.hostTexts[path]
	if !ok {
		var err error
		if text, err = read(path); err != nil {
			c.m.unsupported(c.g, fmt.Sprintf("a file that cannot be read: %v", err))
			return
		}
		c.m.hostTexts[path] = text
	}
	c.setText(0, text)
}

func (m *Machine) hostFile(path string) (string, error) {
	b, err := fs.ReadFile(m.Files, path)
	return string(b), err
}

// hostDirectory lists a directory for the model of package syscall. What is neither a file
// nor a directory is left out.
func (m *Machine) hostDirectory(path string) (string, error) {
	if m.Files == nil {
		return "", nil
	}
	entries, err := fs.ReadDir(m.Files, path)
	if err != nil {
		return "", err
	}
	var list strings.Builder
	for _, e := range entries {
		switch {
		case e.IsDir():
			list.WriteString("d")
		case e.Type().IsRegular():
			list.WriteString("f")
		default:
			continue
		}
		list.WriteString(e.Name() + "\x00")
	}
	return list.String(), nil
}

// exitProgram ends the run as os.Exit does. A status that is not zero is a
// failure.
func (m *Machine) exitProgram(g *goroutine, status int) {
	m.record(g, Event{Op: schedule.End, Object: NoObject, Other: -1})
	if status == 0 {
		m.stop(Finished, "")
		return
	}
	m.find(g, TestFailure, fmt.Sprintf("exit status %d", status))
	m.stop(Failed, "")
}

// ephemeralPort returns a number in the range that Linux gives to sockets which ask
// for no port in particular. Like an object's name it follows from the goroutine's name and from
// what it has done: goroutines that ask for ports do not disturb each other.
func (m *Machine) ephemeralPort(g *goroutine) uint32 {
	const first, last = 32768, 60999
	h := fnv.New32a()
	h.Write(m.Names.append(nil, g.id))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(g.allocs)))
	return first + h.Sum32()%(last-first+1)
}
