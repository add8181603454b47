package reflection

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// reflectionPrimitives returns the primitives of reflection, and of what a program sees of its own types and calls.
func Primitives() []exec.Primitive {
	return slices.Concat(ReflectPrimitives(), runtimePrimitives())
}
