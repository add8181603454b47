// Package maps keeps of GOROOT's internal/runtime/maps what other packages ask of it:
// the machine has maps of its own.
package maps

import "internal/goarch"

// Use64BitHash reports whether hashes have 64 bits.
const Use64BitHash = goarch.PtrSize == 8
