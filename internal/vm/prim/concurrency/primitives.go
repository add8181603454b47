package concurrency

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/exec"
)

// concurrencyPrimitives returns the primitives that packages sync, sync/atomic, time and testing/synctest wait with.
func Primitives() []exec.Primitive {
	return slices.Concat(goroutinePrimitives(), syncPrimitives(), atomicPrimitives(), timerPrimitives(), bubblePrimitives())
}
