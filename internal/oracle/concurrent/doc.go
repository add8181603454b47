// Package concurrent searches the concurrent programs of package oracle in the machine.
//
// A [Suite] is a set of programs, loaded. [Suite.Search] lets a strategy search one of them
// and gives what it has [Found], in the terms of [oracle.Result]. The tests compare what
// strategies find with what the enumerator says; [Compare] does so for programs of some
// seeds.
package concurrent
