// Package library checks what the machine makes of the standard library when its arguments
// are symbolic: for every input exactly one path of a finished search is that of the input,
// and what the function returns on that path is what it returns natively.
//
// A [Program] calls one function or method on symbolic arguments and shows the results.
// [NewAPI] makes them for each exported function of a list of packages, from their types
// (api.go) and from templates for arguments (arguments.go), and adds some that are written
// by hand where a function needs arguments of a certain form (written.go). A function that
// has none is listed with the reason (omitted.go).
//
// A [Checker] has the machine search a program exhaustively (machine.go), which keeps the path
// condition of every run and the expressions of its results; and it runs the same program, as
// the toolchain compiles it, on inputs from small domains (native.go, domain.go). It evaluates
// the paths on these inputs, and compares (check.go).
package library
