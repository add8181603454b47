package layout

import "github.com/everyway-go/everyway/internal/code"

// nextCapacity returns the capacity that append gives a slice of capacity old that has to
// hold n elements, before rounding up. It is computed as in Go's runtime.
func nextCapacity(n, old int64) int64 {
	if n > 2*old {
		return n
	}
	const threshold = 256
	if old < threshold {
		return 2 * old
	}
	c := old
	for c < n {
		c += (c + 3*threshold) >> 2
	}
	return c
}

// sizeClasses are the sizes of the small blocks of Go's allocator.
var sizeClasses = [...]int64{
	8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256,
	288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048,
	2304, 2688, 3072, 3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880,
	12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768,
}

// RoundUpSize returns the size in bytes of the block that Go's allocator uses for size
// bytes of memory without pointers.
func RoundUpSize(size int64) int64 {
	return roundUpBlock(size, false)
}

// roundUpBlock is roundUpSize for memory that may contain pointers. Larger blocks of such
// memory have a header of one word.
func roundUpBlock(size int64, pointers bool) int64 {
	const (
		largest = 32768
		page    = 8192
		header  = 8
		minHead = 512
	)
	if size <= largest-header {
		want := size
		if pointers && size > minHead {
			want += header
		}
		for _, c := range sizeClasses {
			if c >= want {
				return c - (want - size)
			}
		}
	}
	return (size + page - 1) / page * page
}

// HasPointers reports whether values of type t contain pointers.
func HasPointers(t *code.Type) bool {
	switch t.Shape {
	case code.Scalar, code.ShapeComplex:
		return false
	case code.ShapeArray:
		return t.Len > 0 && HasPointers(t.Elem)
	case code.ShapeStruct:
		for i := range t.Fields {
			if HasPointers(t.Fields[i].Type) {
				return true
			}
		}
		return false
	}
	return true
}

// GrownCapacity returns the capacity of the array that append makes for n elements of
// type elem if the old array had room for old.
func GrownCapacity(n, old int64, elem *code.Type) int64 {
	c := nextCapacity(n, old)
	if elem.Size == 0 {
		return n
	}
	return roundUpBlock(c*elem.Size, HasPointers(elem)) / elem.Size
}
