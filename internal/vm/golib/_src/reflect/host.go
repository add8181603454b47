package reflect

import "unsafe"

// The machine's side of the package. Pointers to values and to cells are
// unsafe.Pointer; an offset is a number of cells.

// What a type is.

func typeKind(t *rtype) Kind
func typeString(t *rtype) string
func typeName(t *rtype) string    // "" for types without a name
func typePkgPath(t *rtype) string // "" for predeclared types and types without a name
func typeWords(t *rtype) int      // cells of a value
func typeSize(t *rtype) uintptr   // bytes of a value as the gc compiler lays it out
func typeAlign(t *rtype) int
func typeElem(t *rtype) *rtype // of arrays, channels, maps, pointers, slices; else nil
func typeKey(t *rtype) *rtype  // of maps
func typeLen(t *rtype) int     // of arrays
func typeDir(t *rtype) ChanDir // of channels
func typeComparable(t *rtype) bool

// typeNumField returns how many fields a struct type has.
func typeNumField(t *rtype) int

// typeField describes a field of a struct type. Its offset is in bytes.
func typeField(t *rtype, i int) (name, pkgPath string, typ *rtype, tag string, offset uintptr, embedded bool)

// typeFieldAt tells where in its struct a field is, without its names.
func typeFieldAt(t *rtype, i int) (typ *rtype, offset int, exported, embedded bool)

func typeNumIn(t *rtype) int
func typeNumOut(t *rtype) int
func typeIn(t *rtype, i int) *rtype
func typeOut(t *rtype, i int) *rtype
func typeVariadic(t *rtype) bool

// typeNumMethod returns how many methods an interface type has, or how many
// exported methods another type has.
func typeNumMethod(t *rtype) int

// typeNumHidden returns how many methods that are not exported a type that is
// no interface has.
func typeNumHidden(t *rtype) int

// typeMethod describes the ith of these methods. Its type has no receiver.
func typeMethod(t *rtype, i int) (name, pkgPath string, typ *rtype)

// typeMethodNamed returns the index of the method with the given name, or -1.
func typeMethodNamed(t *rtype, name string) int

// How types relate.

// typeImplements reports whether t has the methods of the interface type u.
func typeImplements(t, u *rtype) bool

// typeAssignable reports whether a value of type t can be assigned to a
// variable of type u.
func typeAssignable(t, u *rtype) bool

// typeSameUnderlying reports whether t and u have identical underlying types
// when struct tags are ignored.
func typeSameUnderlying(t, u *rtype) bool

// Types made at run time.

func pointerTo(t *rtype) *rtype
func sliceOf(t *rtype) *rtype
func arrayOf(n int, t *rtype) *rtype
func chanOf(dir ChanDir, t *rtype) *rtype
func mapOf(key, elem *rtype) *rtype
func funcOf(in, out []*rtype, variadic bool) *rtype

// structOf makes a struct type of fields that are known to be valid, given
// part by part.
func structOf(names, pkgPaths []string, types []*rtype, tags []string, embedded []bool) *rtype

// frameOf returns the struct type whose fields are the parameters and then the
// results of function type t.
func frameOf(t *rtype) *rtype

// Memory.

// newOf returns a pointer to a new zero value.
func newOf(t *rtype) unsafe.Pointer

// offset returns the pointer n cells after p.
func offset(p unsafe.Pointer, n int) unsafe.Pointer

// Functions compiled for a type.

// copierOf returns a function that assigns the value at src to the one at dst.
func copierOf(t *rtype) func(dst, src unsafe.Pointer)

// clearerOf returns a function that sets the value at p to zero.
func clearerOf(t *rtype) func(p unsafe.Pointer)

// packerOf returns a function that makes an interface of the value at p.
func packerOf(t *rtype) func(p unsafe.Pointer) any

// sliceMakerOf returns make of slice type t.
func sliceMakerOf(t *rtype) func(len, cap int) sliceHeader

// appenderOf, sliceCopierOf and sliceClearerOf return append, copy and clear
// of slice type t.
func appenderOf(t *rtype) func(s, x sliceHeader) sliceHeader
func sliceCopierOf(t *rtype) func(dst, src sliceHeader) int
func sliceClearerOf(t *rtype) func(s sliceHeader)

// mapMakerOf returns make of map type t.
func mapMakerOf(t *rtype) func(n int) unsafe.Pointer

// mapGetterOf returns a function that looks up the key at k and leaves the
// element at e; it reports whether there is one.
func mapGetterOf(t *rtype) func(m, k, e unsafe.Pointer) bool

// mapSetterOf returns a function that assigns the element at e to the key at k.
func mapSetterOf(t *rtype) func(m, k, e unsafe.Pointer)

// mapDeleterOf returns a function that deletes the key at k.
func mapDeleterOf(t *rtype) func(m, k unsafe.Pointer)

// mapRangerOf returns a function that makes an iterator over a map, and
// mapNexterOf one that leaves its next key and element at k and e; it reports
// whether there was one.
func mapRangerOf(t *rtype) func(m unsafe.Pointer) unsafe.Pointer
func mapNexterOf(t *rtype) func(it, k, e unsafe.Pointer) bool

// chanMakerOf, senderOf and receiverOf return make, the send statement of the
// value at p, and the receive operation that leaves the value at p, of channel
// type t.
func chanMakerOf(t *rtype) func(size int) unsafe.Pointer
func senderOf(t *rtype) func(ch, p unsafe.Pointer)
func receiverOf(t *rtype) func(ch, p unsafe.Pointer) bool

// selectorOf returns a select statement whose ith case sends (or receives) on
// a channel of type types[i], with a default case if block is false. The
// function gets arrays of the channels and of pointers to the values; it
// returns the index of the case, -1 for default, and whether a value was received.
func selectorOf(sends []bool, types []*rtype, block bool) func(chans, values unsafe.Pointer) (int, bool)

// callerOf returns a function that calls fn of function type t with the
// arguments in a frame (see frameOf) and leaves the results there.
func callerOf(t *rtype) func(fn, frame unsafe.Pointer)

// methodCallerOf returns a function that calls the ith exported method of t on
// the receiver at rcvr. The frame is that of the method's type without receiver.
func methodCallerOf(t *rtype, i int) func(rcvr, frame unsafe.Pointer)

// methodFunc returns the ith exported method of t as a func value whose first
// parameter is the receiver.
func methodFunc(t *rtype, i int) unsafe.Pointer

// methodBound returns the method value of the ith exported method of t with the
// receiver at rcvr, which is read at each call.
func methodBound(t *rtype, i int, rcvr unsafe.Pointer) unsafe.Pointer

// makeFunc returns a func value of type t that puts its arguments in a new
// frame, calls callReflect(impl, frame) and returns the results from the frame.
func makeFunc(t *rtype, impl unsafe.Pointer) unsafe.Pointer

// funcEntry returns the first program counter of a func value.
func funcEntry(fn unsafe.Pointer) uintptr
