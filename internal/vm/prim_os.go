package vm

import (
	"fmt"

	"github.com/everyway-go/everyway/schedule"
)

// osPrimitives lists what the models of packages os and syscall leave to the
// machine.
func osPrimitives() []primitive {
	return []primitive{
		{name: "os.writeOutput", run: writeOutput},
		{name: "syscall.writeOutput", run: writeOutput},
		{name: "syscall.Exit", run: func(c *call) { c.m.exitProgram(c.g, int(c.int(0))) }},
		{name: "os.unsupported", run: func(c *call) { c.m.unsupported(c.g, c.text(0)) }},
		{name: "syscall.unsupported", run: func(c *call) {
			c.m.unsupported(c.g, fmt.Sprintf("system call %d", c.int(0)))
		}},
		{name: "syscall.clock", run: func(c *call) { c.set(0, uint64(c.m.now+clockStart)) }},
	}
}

// writeOutput writes a []byte to the machine's output. Symbolic bytes are
// printed as they are in this run: what is printed decides nothing.
func writeOutput(c *call) {
	if n := int(c.window[1].N); n > 0 && c.m.Output != nil {
		// Printing is no part of the run: it does not end because nobody reads.
		_, _ = c.m.Output.Write(bytesAt(c.window[0], n))
	}
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
