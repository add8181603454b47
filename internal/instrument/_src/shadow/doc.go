// Package shadow hides accesses from the race detector.
//
// The race detector reports one race at an address, and forgets what it knows of the address then:
// of three accesses that race, it may not report a certain pair. Of accesses that it does not see
// it reports no race, and none that it would not otherwise: what orders goroutines it sees all the
// same.
package shadow
