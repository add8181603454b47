// Package sexpr reads s-expressions, the syntax of SMT-LIB 2: of scripts, and of
// what solvers answer to them.
//
// A [Reader] takes a stream apart into one [Expr] after another. It reads no
// further than to the end of an expression, so the stream can be that of a
// process that waits for the next command.
package sexpr
