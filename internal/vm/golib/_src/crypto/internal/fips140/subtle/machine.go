package subtle

import "unsafe"

// xorBytes goes byte by byte: GOROOT's portable version takes the bytes for words.
func xorBytes(dst, x, y *byte, n int) {
	d, a, b := unsafe.Slice(dst, n), unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}
