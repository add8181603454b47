// Package escape finds out which objects more than one goroutine may have a pointer to.
//
// An object is shared if a package variable leads to it, a go statement passes it to a new
// goroutine, also as a captured variable or a receiver, the machine calls a function that has
// captured it (in the goroutine of a timer, for a finalizer), a value that may be sent on a shared
// channel leads to it, or any other shared object does. What package pointsto calls exposed is
// shared, since it is not known what is done with it. All others are used by the goroutine alone
// that has made them, at all times: the analysis does not look at when an object becomes shared.
package escape
