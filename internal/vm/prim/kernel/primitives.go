package kernel

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// Primitives returns the primitives that only compute.
func Primitives() []exec.Primitive {
	return slices.Concat(hashPrimitives(), bytealgPrimitives(), digestPrimitives(), mathPrimitives(), bigPrimitives())
}
