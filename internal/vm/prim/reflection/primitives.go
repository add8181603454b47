package reflection

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// Primitives returns the primitives by which a program examines its own types and calls, and
// those that concern garbage collection.
func Primitives() []exec.Primitive {
	r := newReflection()
	return slices.Concat(r.reflectPrimitives(), r.collectPrimitives(), runtimePrimitives(), stackPrimitives())
}
