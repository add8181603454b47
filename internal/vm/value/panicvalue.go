package value

import (
	"fmt"
	"go/types"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/printing"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// PanicValue makes the running goroutine panic with the interface value (typ, data). It
// returns false, for its caller to return.
func (m *Operations) PanicValue(typ, data heap.Word) bool {
	m.Fault = state.PanicFault
	m.Thrown = [2]heap.Word{typ, data}
	return false
}

// PanicError makes the running goroutine panic with a runtime error whose text is
// "runtime error: " followed by message.
func (m *Operations) PanicError(g *state.Goroutine, message string) bool {
	return m.PanicRuntime(g, "errorString", m.NewString(g, message), heap.Word{N: uint64(len(message))})
}

// PanicPlain makes the running goroutine panic with a runtime error whose text is message
// alone, such as "close of nil channel".
func (m *Operations) PanicPlain(g *state.Goroutine, message string) bool {
	return m.PanicRuntime(g, "plainError", m.NewString(g, message), heap.Word{N: uint64(len(message))})
}

// PanicString makes the running goroutine panic with a value of type string.
func (m *Operations) PanicString(g *state.Goroutine, message string) bool {
	typ, data := m.Box(g, m.Program.Type(types.Typ[types.String]), []heap.Word{m.NewString(g, message), {N: uint64(len(message))}})
	return m.PanicValue(typ, data)
}

// PanicNil makes the running goroutine panic because of a nil pointer dereference.
func (m *Operations) PanicNil(g *state.Goroutine) bool {
	return m.PanicError(g, "invalid memory address or nil pointer dereference")
}

// The codes of bounds errors, which are those of internal/abi.BoundsErrorCode.
const (
	BoundsIndex      = iota // s[x], 0 <= x < len(s) failed
	boundsSliceAlen         // s[?:x], 0 <= x <= len(s) failed
	boundsSliceAcap         // s[?:x], 0 <= x <= cap(s) failed
	boundsSliceB            // s[x:y], 0 <= x <= y failed
	boundsSlice3Alen        // s[::x], 0 <= x <= len(s) failed
	boundsSlice3Acap        // s[::x], 0 <= x <= cap(s) failed
	boundsSlice3B           // s[:x:y], 0 <= x <= y failed
	boundsSlice3C           // s[x:y:], 0 <= x <= y failed
	BoundsConvert           // (*[x]T)(s), 0 <= x <= len(s) failed
)

// boundsOperand gives, for each code, which operand of an index or slice expression is
// out of bounds, as code.Func.Unsigned counts operands.
var boundsOperand = [...]uint8{
	BoundsIndex: 0, boundsSliceAlen: 1, boundsSliceAcap: 1, boundsSliceB: 0,
	boundsSlice3Alen: 2, boundsSlice3Acap: 2, boundsSlice3B: 1, boundsSlice3C: 0,
	BoundsConvert: 0,
}

// PanicBounds makes the running goroutine panic with a bounds error, where x is the
// offending value and y is what it was compared with. The flag signed says that x is
// negative if its top bit is set. It does not apply if the code notes that the operand
// has an unsigned type.
func (m *Operations) PanicBounds(g *state.Goroutine, boundsCode uint8, x uint64, y int64, signed bool) bool {
	f := g.Top()
	if unsigned := f.Func.Unsigned[f.PC]; unsigned>>boundsOperand[boundsCode]&1 != 0 {
		signed = false
	}
	if boundsCode == BoundsIndex && y == code.MaxLength && !(signed && int64(x) < 0) {
		return m.Unsupported(g, fmt.Sprintf("element %d of an array that package unsafe has made", x))
	}
	return m.PanicRuntime(g, "boundsError", heap.Word{N: x}, heap.Word{N: uint64(y)}, heap.BoolWord(signed),
		heap.Word{N: uint64(boundsCode)})
}

// PanicRuntime makes the running goroutine panic with a value of a type of
// package runtime's model, whose words are given. The types are:
//
//	type errorString string
//	type plainError string
//	type boundsError struct { x int64; y int; signed bool; code uint8 }
//
// and, given as pointers to their words,
//
//	type TypeAssertionError struct { message string }
//	type PanicNilError struct { _ [0]func() }
func (m *Operations) PanicRuntime(g *state.Goroutine, name string, words ...heap.Word) bool {
	t := m.runtimeType(name)
	if t == nil {
		return m.Unsupported(g, "package runtime of this program has no type "+name)
	}
	if t.Words != len(words) {
		return m.Unsupported(g, fmt.Sprintf("runtime.%s has %d words, not %d", name, t.Words, len(words)))
	}
	if name == "TypeAssertionError" || name == "PanicNilError" {
		o := m.NewObject(g, t, heap.Variable)
		copy(o.Cells, words)
		return m.PanicValue(m.TypeWord(m.pointerTo(t)), heap.Word{P: o})
	}
	typ, data := m.Box(g, t, words)
	return m.PanicValue(typ, data)
}

// Exit makes the running goroutine run its deferred calls and end, as runtime.Goexit
// does.
func (m *Operations) Exit() bool {
	m.Fault = state.ExitFault
	return false
}

// Print carries out a Print instruction.
func (m *Operations) Print(args []heap.Word, newline bool) {
	m.WriteOutput([]byte(printing.Print(args, newline, m.Address)))
}
