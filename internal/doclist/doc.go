// Package doclist keeps the lists in the documentation that follow from the code: a test
// calls [Check] with what a list has to be.
package doclist
