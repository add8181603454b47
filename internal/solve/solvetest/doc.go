// Package solvetest has what the tests of package solve and of its stages share:
// random queries, and their models as all values of all variables give them.
package solvetest
