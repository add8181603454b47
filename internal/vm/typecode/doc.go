// Package typecode generates code for operations on types that are known only when the
// program runs.
//
// A primitive of package reflect's model, such as copierOf or callerOf, returns a
// function that works on values of a type: it copies a struct, sends on a channel, calls
// a method. A [Writer] writes such a function as instructions of package code, which the
// machine executes like any other code. Arguments and results of calls are passed in a
// struct of type [FrameType].
package typecode
