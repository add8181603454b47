package kernel

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// kernelPrimitives returns the primitives that compute: texts, hashes, digests, big numbers and functions of package math.
func Primitives() []exec.Primitive {
	return slices.Concat(hashPrimitives(), bytealgPrimitives(), digestPrimitives(), mathPrimitives(), bigPrimitives())
}
