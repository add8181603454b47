// Package callgraph finds the functions that a program can reach from where it starts, and
// which function calls which.
//
// [Build] begins at the roots, asks for the body of each function that is reached, and follows
// its calls. It is a rapid type analysis (Bacon and Sweeney, Fast static analysis of C++ virtual
// function calls, OOPSLA 1996): a call through an interface may call the methods of every type
// of which some reachable code converts a value to an interface, and a call of a function value
// may call every function with that signature whose value reachable code takes. No pointer is
// followed, so that nothing which is done with package unsafe makes the graph wrong. A
// [Graph] can be narrowed by what is known of pointers: see package pointsto.
//
// # What is taken into account
//
// Go and defer statements are calls of their own kinds. Functions without a body are those of the
// machine, which carries them out itself; the node [Graph.Machine] stands for it. What a
// go:linkname directive or the linker binds is followed to where it leads. The machine calls
// functions of the program in the goroutine of a timer, for finalizers, for cleanups and signals,
// and what package reflect calls, it calls, too: when code that asks for one of these can be
// reached, the machine calls every function, or every method of a type that reflection can get at,
// which it might be asked for (machine.go).
//
// # What is assumed
//
// The functions of the machine call nothing but what the table in machine.go says. A function
// whose body cannot be built stops a run that calls it, and so calls nothing; [Graph.Unsound] names it.
package callgraph
