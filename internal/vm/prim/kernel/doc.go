// Package kernel implements primitives that only compute: searches in strings, hashes,
// digests, arithmetic on big numbers and functions of package math. It also has native
// implementations of pure functions of the standard library that have a Go body.
//
// Kernels that work on slices do so only if the cells are settled: their values are
// concrete, unless the kernel can compute with symbolic ones, and accesses to them are
// neither visible operations nor recorded as events. Otherwise the portable Go code runs.
package kernel
