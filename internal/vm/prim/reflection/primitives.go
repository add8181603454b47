package reflection

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// Primitives returns the primitives by which a program examines its own types and calls.
func Primitives() []exec.Primitive {
	return slices.Concat(reflectPrimitives(), runtimePrimitives(), stackPrimitives())
}
