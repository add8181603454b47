package host

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// hostPrimitives returns the primitives that stand for what is outside the program: inputs, random numbers, files and the test.
func Primitives() []exec.Primitive {
	return slices.Concat(inputPrimitives(), randomPrimitives(), osPrimitives(), testingPrimitives())
}
