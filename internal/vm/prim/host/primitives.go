package host

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// Primitives returns the primitives by which a program interacts with its environment.
func Primitives() []exec.Primitive {
	return slices.Concat(inputPrimitives(), randomPrimitives(), osPrimitives(), testingPrimitives(), contextPrimitives())
}
