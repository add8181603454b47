// Package kernel has primitives that compute and touch nothing else: searches in
// texts, hashes, digests, big numbers and functions of package math, and natives for pure
// functions of the standard library that have a Go body.
package kernel
