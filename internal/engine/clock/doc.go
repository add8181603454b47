// Package clock measures the time that searches have: that of the world or, where other work on the computer is not to
// count, that of the processors.
//
// Nothing that a search finds out depends on a clock, only how far it comes.
package clock
