// Package golist has what the go command says about packages: the files that they consist of,
// what they import, and how they are built.
//
// [List] asks for a [Listing]. [Listing.Graph] is what go/packages would make of it,
// [Listing.Binaries] the test binaries with hashes of all that they are built from, so that a later
// listing shows whether anything has changed.
package golist
