package reflectlite

import "unsafe"

// The machine's side of the package: the same primitives as package reflect's.

func typeKind(t *rtype) Kind
func typeString(t *rtype) string
func typeName(t *rtype) string
func typePkgPath(t *rtype) string
func typeWords(t *rtype) int
func typeSize(t *rtype) uintptr
func typeElem(t *rtype) *rtype
func typeLen(t *rtype) int
func typeComparable(t *rtype) bool
func typeImplements(t, u *rtype) bool
func typeAssignable(t, u *rtype) bool
func newOf(t *rtype) unsafe.Pointer
func offset(p unsafe.Pointer, n int) unsafe.Pointer
func copierOf(t *rtype) func(dst, src unsafe.Pointer)
func packerOf(t *rtype) func(p unsafe.Pointer) any
