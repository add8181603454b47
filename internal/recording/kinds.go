package recording

// This file is also part of the packages runtime, sync and internal/sync of a program that records, which is why all
// names begin with everyway.

// The kinds of records. A record is a pair of words, of which the first has the place in the code in its upper 48 bits, the
// kind in the next 6, and the size in bytes in the last 10; the second one is an address. If the size is 0, one more pair
// follows, whose second word it is. From everywayAlloc on, a pair follows with the number of the record among all that
// synchronise, and an argument, and from everywayFork on, a stack takes the place of the place: one of everywayStacks, which
// everywayCallers has defined. If both are small that is one pair: the size is everywayShort and the argument, and the number follows the
// stack in the first word.
//
// A record of one pair, of a plain access or with a number, is a single word if there has been one of the same goroutine with the same first word, but for
// the number: with its highest bit set, which no first word has, and then where that record is among everywayLikes (see everywayLikeAt), how much
// greater the number is than that of the last record of one pair or word, and in the last bits how much greater the address is than in that record, with the sign in the
// lowest bit.
//
// What a goroutine does in a loop takes no room: a record of a single word is not written if it is as expected, that is if it is the word that the record that came after the last
// one of these forms, where that is among everywayLikes, was the last time. Instead a word says how many records are as expected: everywayExpected, with
// the number from bit 16 on. It is increased as long as nothing else is written.
//
// What only releases a lock (everywayShares) has no number of its own, but the last one that any goroutine has taken before, and comes after who has that. Who takes the
// lock next has a greater one.
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
	everywaySend    // the argument is the capacity of the channel
	everywayReceive // likewise, as for all operations on channels
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

// Of records that synchronise, the size is everywayLong if the number and the argument follow, and from everywayShort on it has
// the argument. The number then begins at bit everywayNumber of the first word.
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
	everywayLikeBits  = 9
	everywayLikes     = 1 << everywayLikeBits
	everywayLikeShift = 63 - everywayLikeBits
	everywayNearBits  = 35 // of the address, if there is a number
)

// everywayLikeAt returns where a record is among everywayLikes, of which the first word is given, but for the number. A later one takes its place.
//
//go:nosplit
func everywayLikeAt(first uint64) uint64 {
	return first * 0x9e3779b97f4a7c15 >> (64 - everywayLikeBits)
}

// everywayChunk is the size in bytes of the chunks of the file. No pair is in two of them, so that the last word may be 0. A chunk begins with the number of its goroutine, and a word with its
// own among those of the goroutine, both counted from 1. From bit everywayBefore on that has the number of another goroutine, 0 if there is none: what that one had recorded when it
// ended, stacks and what later records can be like, still holds. The highest bit is set if the goroutine stands for timers. The first chunk instead begins with the size of what has been used of the
// file, and whether that did not suffice.
const everywayChunk = 8 << 10

const (
	everywayBefore = 32
	everywayTimers = 63
)
