package recording

// This file is also part of the packages runtime, sync and internal/sync of a program that records, which is why all
// names begin with everyway.

// The kinds of records. A record is a pair of words, of which the first has the place in the code
// in its upper 48 bits, the kind in the next 6, and the size in bytes in the last 10; the second
// one is an address. If the size is 0, one more pair follows, whose second word it is. From
// everywayAlloc on, a pair follows with the number of the record among all that synchronise, and an
// argument, and from everywayFork on, a stack takes the place of the place: one of everywayStacks,
// which everywayCallers has defined. If both are small that is one pair: the size is everywayShort
// and the argument, and the number follows the stack in the first word.
//
// A record of one pair, of a plain access or with a number, is a single word if there has been one
// of the same goroutine with the same first word, but for the number: with its highest bit set,
// which no first word has, the next one not, and then where that record is among everywayLikes (see
// everywayLikeAt), how much greater the number is than that of the last record of one pair or word,
// and in the last bits how much greater the address is than in that record, with the sign in the
// lowest bit. A plain access for which there has been none is one as well, with both of these bits
// set, if everywayNear has a word for it.
//
// What a goroutine does in a loop takes no room: a record of a single word is not written if it is
// as expected, that is if it is the word that the record that came after the last one of these
// forms, where that is among everywayLikes, was the last time. Instead a word says how many records
// are as expected: everywayExpected, with the number from bit 16 on. It is increased as long as
// nothing else is written.
//
// What only releases a lock (everywayShares) has no number of its own, but the last one that any
// goroutine has taken before, and comes after who has that. Who takes the lock next has a greater
// one.
const (
	everywayRead = 1 + iota
	everywayWrite
	everywayCase    // of a select that begins: the address is the channel, and the size is everywayReceives, everywaySends or everywayDefaults, with the capacity
	everywayCallers // defines a stack: its number takes the place of the place, and everywayDepth words follow
	everywayAlloc   // the argument is the size
	everywayFork    // the argument is the number of the goroutine
	everywayEnd
	everywayAcquire
	everywayRelease
	everywayMerge    // a release that leaves what others have released at the address
	everywayTimerSet // the argument is the channel on which it sends, 0 if it calls a function
	everywayTimerRuns
	everywayCalledBack // C calls Go in a thread that C has started
	everywaySend       // the argument is the capacity of the channel
	everywayReceive    // likewise, as for all operations on channels
	everywayReceiveClosed
	everywayClose
	everywayAtomicRead
	everywayAtomicWrite
	everywayAtomicUpdate
	everywayLock // the argument is 1 for a RWMutex
	everywayUnlock
	everywayReadLock
	everywayReadUnlock
	everywayTryFail
	everywayAdd  // the argument is what is added
	everywayWait // the argument is 1 if it has to wait
	everywayCondWait
	everywayCondWake
	everywaySignal
	everywayBroadcast
	everywayOnce
	everywayOnceSeen
	everywayDefault // a select takes its default case
	everywayFails   // a send or close panics, since the channel is closed
	everywayPending // the argument is the kind of what has to wait, everywayCase of a select
)

// The sizes of cases, and that of the first case of a select, to which the capacity is added after a shift.
const (
	everywayReceives = 1 + iota
	everywaySends
	everywayDefaults
	everywayFirst
	everywayShift = 3
)

// everywayDepth is the number of callers that are recorded, and everywayStacks that of the stacks that a goroutine has
// defined at any time.
const (
	everywayDepth  = 10
	everywayStacks = 1 << everywayStackBits

	everywayStackBits = 8
)

// Of records that synchronise, the size is everywayLong if the number and the argument follow, and
// from everywayShort on it has the argument. The number then begins at bit everywayNumber of the
// first word.
const (
	everywayLong   = 1
	everywayShort  = 2
	everywayNumber = 16 + everywayStackBits
)

// everywayExpected is the word of one record that is as expected, but for how many there are: it has no kind.
const everywayExpected = 1

// everywayShares reports whether a record shares its number.
//
//go:nosplit
func everywayShares(kind uint64) bool { return kind == everywayUnlock || kind == everywayReadUnlock }

const (
	everywayLikeBits  = 6
	everywayLikes     = 1 << everywayLikeBits
	everywayLikeShift = 62 - everywayLikeBits
	everywayNearBits  = 35 // of the address, if there is a number
)

// everywayLikeAt returns where a record is among everywayLikes, of which the first word is given,
// but for the number. A later one takes its place.
//
//go:nosplit
func everywayLikeAt(first uint64) uint64 {
	return first * 0x9e3779b97f4a7c15 >> (64 - everywayLikeBits)
}

// everywayNear returns the one word of a plain access, of which the first word is given: from the
// highest bit on two that are 1, one that is 1 for a write, four with the size (1 if they are 0,
// otherwise in words), 25 with how far the place is from where the code of the program begins, and
// 32 with the address, from where the heap begins if the first of these is 1. It is 0 if there is
// none.
//
//go:nosplit
func everywayNear(first, addr, text uint64) uint64 {
	kind, size, pc := first>>10&0x3f, first&(1<<10-1), first>>16-text
	if size == 1 {
		size = 0
	} else if size&7 != 0 || size == 0 {
		return 0
	} else {
		size /= 8
	}
	at := addr
	if at >= everywayHeap {
		at = at - everywayHeap
		if at>>31 != 0 {
			return 0
		}
		at |= 1 << 31
	} else if at>>31 != 0 {
		return 0
	}
	if size > 15 || pc>>25 != 0 {
		return 0
	}
	return 3<<62 | (kind-everywayRead)<<61 | size<<57 | pc<<32 | at
}

// everywayFar returns the first word and the address of an access of which everywayNear has returned a word.
func everywayFar(word, text uint64) (first, addr uint64) {
	kind, size, pc, at := everywayRead+word>>61&1, word>>57&15*8, word>>32&(1<<25-1)+text, word&(1<<31-1)
	if size == 0 {
		size = 1
	}
	if word>>31&1 != 0 {
		at += everywayHeap
	}
	return pc<<16 | kind<<10 | size, at
}

// everywayHeap is where the heap begins, on most systems.
const everywayHeap = 0xc000000000

// everywayChunk is the size in bytes of the chunks of the file. No pair is in two of them, so that
// the last word may be 0. A chunk begins with the number of its goroutine, a word with its own
// among those of the goroutine, both counted from 1, and one with the number of its parts besides
// the first one and, from bit everywayRuns on, the number of the run: others are left from an
// earlier run. From bit everywayBefore on the second word has the number of another goroutine, 0 if
// there is none: what that one had recorded when it ended, stacks and what later records can be
// like, still holds. The highest bit is set if the goroutine stands for timers.
//
// A goroutine that ends leaves the rest of its chunk, if that is everywayRest bytes or more, to the
// one that gets its place in memory, which begins with what it had recorded. The last words of a
// chunk are about its parts besides the first one, from the end on: where it begins and, from bit
// everywayPart on, the number of its goroutine, with the highest bit as above.
//
// The first chunk instead begins with the size of what has been used of the file, whether that did
// not suffice, where the code of the program begins, the number of the run, and how much of the
// file earlier runs have used: pages that are there already take a third of the time of new ones,
// which the kernel clears.
const everywayChunk = 8 << 10

const (
	everywayHeader = 24 // bytes at the beginning of a chunk
	everywayRest   = 256
	everywayRuns   = 32
	everywayBefore = 32
	everywayPart   = 16
	everywayTimers = 63
)
