// Package region finds the small branches of compiled functions whose two sides do
// nothing but compute.
//
// A [Finder] returns the regions of a function as a [Set]. The machine executes both
// sides of a [Region] on expressions, when its condition is symbolic, and chooses
// between their results by the condition, so that the search need not branch there.
package region
