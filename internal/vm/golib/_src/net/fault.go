package net

import "syscall"

// choose returns a number below n: a decision of the run.
func choose(n int) int

// inPieces reports whether the network delivers data in pieces, and canBreak whether
// connections can break.
func inPieces() bool
func canBreak() bool

// noteWhole notes that the network could have brought in pieces what a read got, noteFew that
// there are more pieces than are tried, and noteUnbroken that a connection could have broken.
func noteWhole()
func noteFew()
func noteUnbroken()

// manyPieces is the number of bytes above which a read does not get every number of them.
const manyPieces = 8

// piece returns how many bytes a read gets that could get up to n.
func piece(n int) int {
	switch {
	case n <= 1:
		return n
	case !inPieces():
		noteWhole()
		return n
	case n <= manyPieces:
		return n - choose(n)
	}
	noteFew()
	return [...]int{n, 1, n / 2, n - 1}[choose(4)]
}

// mayBreak breaks the connection of fd, or does not. One that is broken stays so.
//
// It is called before each read and write: only then can an end learn of it.
func (fd *netFD) mayBreak() {
	switch {
	case fd.sotype == syscall.SOCK_DGRAM || fd.out == nil || fd.listening:
	case !canBreak():
		noteUnbroken()
	case choose(2) == 1:
		fd.in.breakOff()
		fd.out.breakOff()
	}
}
