package mutate

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// byteChanges are the changes of strings and byte slices: those of all sequences, and of numbers
// of several bytes.
var byteChanges = append([]change{word, word}, elementChanges...)

// word changes a number of 2, 4 or 8 bytes in either byte order.
func word(_ *Mutator, r *rand.Rand, _ *sequence, list []element, _ run.Input) []element {
	size := 2 << r.IntN(3)
	if len(list) < size {
		return nil
	}
	piece := list[r.IntN(len(list)-size+1):][:size]
	var b [8]byte
	for i, e := range piece {
		b[i] = byte(e[0])
	}
	if r.IntN(2) == 0 {
		v := binary.LittleEndian.Uint64(b[:])
		binary.LittleEndian.PutUint64(b[:], number(r, v, uint8(8*size)))
	} else {
		shift := 64 - 8*size
		v := binary.BigEndian.Uint64(b[:]) >> shift
		binary.BigEndian.PutUint64(b[:], number(r, v, uint8(8*size))<<shift)
	}
	for i, e := range piece {
		e[0] = uint64(b[i])
	}
	return list
}
