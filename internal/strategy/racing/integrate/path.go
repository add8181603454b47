package integrate

import (
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// A Path is what a goroutine has done when it ran alone, as far as it depends on the inputs.
type Path struct {
	Input    run.Input       // with which it has done that
	Pointers map[string]bool // the names of the inputs that are pointers
	// Conditions are those that the goroutine itself has added to the path condition, but for those
	// that hold by construction.
	Conditions []Condition
}

// A Condition is one of a path.
type Condition struct {
	Holds expr.ID
	// Chosen says that the condition is a pointer-pointee relation: it says where a pointer leads that was used.
	Chosen bool
}

// Parent is the object of the input that a variable is a field of, by its number, and the name of
// the field. The number is 0 if the variable is no field of such an object.
func Parent(name string) (object int32, field string) {
	rest, ok := strings.CutPrefix(name, "&")
	if !ok {
		return 0, name
	}
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	n, err := strconv.ParseInt(rest[:end], 10, 32)
	if err != nil || n <= 0 {
		return 0, name
	}
	return int32(n), rest[end:]
}

// Name is the inverse of Parent.
func Name(object int32, field string) string {
	if object == 0 {
		return field
	}
	return "&" + strconv.Itoa(int(object)) + field
}

// Target returns to which object of the input a pointer leads, and at which offset. The number is 0 for nil.
func Target(code uint64) (object int32, offset uint64) {
	id, off := run.Pointee(code)
	return id.Count, uint64(off)
}

func codeOf(object int32, offset uint64) uint64 {
	return run.ObjectID{Goroutine: run.InputObjects, Count: object}.PointerCode(offset)
}
