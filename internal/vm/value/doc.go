// Package value carries out what instructions do with values: loads and stores (access.go),
// also through views (view.go) and at symbolic indices (element.go), pointers as numbers
// (pointer.go), slices, strings and maps, interfaces and comparisons (types.go, compare.go).
// Room for large values is in room.go, and the panics of all of these in panicvalue.go.
//
// They are methods of [Operations], which the interpreter in package exec embeds. What
// moves a goroutine on, such as calls, channels and panics that unwind, is there.
package value
