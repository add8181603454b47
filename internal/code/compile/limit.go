package compile

import (
	"fmt"
	"math"

	"github.com/everyway-go/everyway/internal/code"
)

// A limitError is the panic that stops the compilation of a function that is beyond the
// limits of the instruction format.
type limitError string

func (err limitError) Error() string { return string(err) }

// count returns n, a number of words in registers, as the K of an instruction.
func count(n int) uint16 {
	if n > math.MaxUint16 {
		panic(limitError(fmt.Sprintf("a value of %d words in registers", n)))
	}
	return uint16(n)
}

// number returns n, a number of elements or cells, as the C or D of an instruction.
func number(n int64) int32 {
	if n > math.MaxInt32 {
		panic(limitError(fmt.Sprintf("an array of %d elements", n)))
	}
	return int32(n)
}

// length returns the length of an array that is indexed through a pointer, as the D of an instruction: at most
// code.MaxLength. Package unsafe gives types of longer arrays to memory of unknown size.
func length(n int64) int32 { return int32(min(n, code.MaxLength)) }
