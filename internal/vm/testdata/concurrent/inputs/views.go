package inputs

import (
	"sync"
	"unsafe"
)

// want: found
// want: other
func bytesOfWord() {
	x := uint32(input("x"))<<16 | uint32(input("y"))
	b := (*[4]byte)(unsafe.Pointer(&x))
	if b[1] == 0x42 && b[3] == b[0] && b[0] > 200 {
		print("found")
	} else {
		print("other")
	}
}

// A store to a part of a word leaves the rest of it as it was.
//
// want: found
// want: other
func partOfWord() {
	x := uint32(input("x"))
	b := (*[4]byte)(unsafe.Pointer(&x))
	*(*uint16)(unsafe.Pointer(&b[1])) = 0xbeef
	if x == 0x00beef07 {
		print("found")
	} else {
		print("other")
	}
}

// want: found
// want: other
func wordOfBytes() {
	b := [5]byte{1, byte(input("x")), byte(input("y")), 3}
	if *(*uint32)(unsafe.Pointer(&b[1])) == 0x0003beef {
		print("found")
	} else {
		print("other")
	}
}

// want: found
// want: other
func partsInTurn() {
	x := uint64(0)
	b := (*[8]byte)(unsafe.Pointer(&x))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			mu.Lock()
			b[2] = b[2]<<4 | byte(i+1)
			mu.Unlock()
		})
	}
	wg.Wait()
	if x == 0x120000 {
		print("found")
	} else {
		print("other")
	}
}
