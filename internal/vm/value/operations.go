package value

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/links"
	"github.com/everyway-go/everyway/internal/vm/sched"
)

// Operations carries out operations on values. It is embedded in the interpreter, whose
// scheduler it has. An operation that panics sets Fault and Thrown, and returns false.
type Operations struct {
	sched.Scheduler
	links.Tables
	Memory     layout.Memory
	RuntimePkg *ssa.Package
	Thrown     [2]heap.Word // PanicFault: the value of the panic
}

// WordSize returns the size in bytes of words that are not values of a Go type of their own,
// such as the length of a string or the capacity of a slice.
func (m *Operations) WordSize() int64 { return m.Memory.WordSize() }
