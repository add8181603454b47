// Package check says what is wrong with a run: it sorts the findings of a trace
// by weight, tells whether two runs show the same finding, and compares two
// runs of one plan.
package check
