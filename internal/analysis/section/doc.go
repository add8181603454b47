// Package section keeps the critical sections of the locks of a schedule, and says which of them an ideal of
// package ideal has: what detectors that leave out sections, or put them into another order, build on.
package section
