// Package abi keeps of GOROOT's internal/abi what other packages use without
// knowing how the gc compiler lays out memory.
package abi

import "unsafe"

// A Type stands for a type descriptor. The machine has its own; nothing can be
// read from this one.
type Type struct{}

// NoEscape returns p: there is no escape analysis here.
func NoEscape(p unsafe.Pointer) unsafe.Pointer { return p }

// Escape returns x.
func Escape[T any](x T) T { return x }

// EscapeNonString does nothing.
func EscapeNonString[T any](v T) {}

// EscapeToResultNonString does nothing.
func EscapeToResultNonString[T any](v T) T { return v }

// FuncPCABI0 returns the entry of function f. Assembly has none here.
func FuncPCABI0(f any) uintptr

// FuncPCABIInternal returns the entry of function f.
func FuncPCABIInternal(f any) uintptr

// Arguments are not passed in registers, as far as anybody sees.
const (
	IntArgRegs            = 0
	FloatArgRegs          = 0
	EffectiveFloatRegSize = 0
)
