package concurrency

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// Primitives returns the primitives by which goroutines synchronise.
func Primitives() []exec.Primitive {
	return slices.Concat(goroutinePrimitives(), syncPrimitives(), atomicPrimitives(), timerPrimitives(), bubblePrimitives())
}
