// Package results keeps the results of searches in the user's cache, as go test keeps those
// of tests, and finds those that still stand.
//
// A [Keeper] is made for one command. [Keeper.Find] says, before anything is loaded, of
// which test binaries all results are kept: their sources are the same, byte by byte, and so
// is everything else that the results follow from. The others are loaded and searched. Of
// these [Keeper.Get] finds the targets whose results are kept nevertheless, since nothing
// that they can reach has changed, and [Keeper.Put] keeps what a search ends with.
//
// Results that say what more time may change are not kept, nor are failures: a search
// begins with the runs that have failed before, which is as good.
package results
