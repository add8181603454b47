// Package sync has the types that a program uses in the place of those of the standard library's package of that name: see package substitute. Its sources are part of the program.
package sync
