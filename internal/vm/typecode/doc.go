// Package typecode writes the code of functions for types that are known only when a
// program runs.
//
// A primitive of package reflect's model, such as copierOf or callerOf, returns a
// function that works on values of a type: it copies a struct, sends on a channel, calls
// a method. A [Writer] writes each as instructions of package code, and what such a
// function does is then ordinary code to the machine. Arguments and results of calls
// are passed in a struct of the type [FrameType].
package typecode
