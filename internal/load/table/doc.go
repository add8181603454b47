// Package table makes tables of numbers in the source of a package cheap to initialise: a literal
// becomes a string of its bytes, which a function decodes when the package is initialised.
//
// Each number of a literal would be type-checked, built, compiled and stored by itself. The tables of
// package unicode that are mentioned somewhere were three quarters of what it takes to initialise a program.
//
// A [Packer] packs the literals of one package, and [Packer.Declare] declares the functions that decode
// them. The values are the same, and so is what they are made of: one array for a slice.
package table
