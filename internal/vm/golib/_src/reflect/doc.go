// Package reflect is the model of package reflect for the machine. It has the
// exported API of GOROOT's, with its rules and panic messages, on another
// ground: a type is an object of the machine, and the layout of a value is
// counted in cells.
//
//   - A *rtype points at the machine's object for a type, of which there is one
//     for each type; the first word of an interface is that pointer. What a type
//     is, primitives tell (host.go).
//   - A [Value] always points at storage that holds the value, also when the
//     value is a pointer. A scalar is then read by an ordinary load of its kind,
//     so that races, symbolic data and scheduling are those of ordinary code.
//   - What depends on the layout of a type (copying a struct, sending on a
//     channel, calling a function) is done by functions which the machine
//     compiles for the type when they are first asked for (the ...Of functions
//     of host.go): they are ordinary code too.
//
// A run stops where the two would differ: StructOf with an embedded interface
// that has methods, whose methods gc makes panic, and types of more cells than
// an object can have. The number of a pointer is the machine's; the distance of
// two does not tell the distance in bytes, as it does in gc's programs.
package reflect
