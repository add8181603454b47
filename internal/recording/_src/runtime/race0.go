// Package runtime's side of recording: it takes the place of the file with the hooks of the race
// detector for builds that do not have it. The compiler has been told to instrument plain accesses
// all the same, and the other hooks and those in package sync record what goroutines do.
//
// Each goroutine writes to chunks of its own of a file that is mapped into memory, so that nothing
// is lost if the process is killed. What synchronises is numbered in the order in which it happens.
// The numbers in what a goroutine has recorded rise: from where one is taken to where it is
// written, the stack may not be moved, since that records, too. So all functions in between are
// nosplit.

package runtime

import (
	"internal/abi"
	"internal/goarch"
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"internal/stringslite"
	"unsafe"
)

const raceenabled = true

// An everywayLog is what a goroutine has recorded. It is the racectx of the goroutine.
type everywayLog struct {
	id       uint64
	pos, end uintptr
	chunks   uint64
	before   uint64 // the goroutine that had recorded here before, if it has recorded anything
	timers   bool   // the goroutine stands for timers
	off      int32  // how many calls are not to be recorded
	epoch    uint32 // changes when the goroutine synchronises
	next     *everywayLog
	wide     bool   // all of seen is used, and not only a part
	fresh    uint32 // how many accesses have been recorded since epoch was freshIn
	freshIn  uint32
	seen     [everywaySeen]everywayAccess
	stacks   [everywayStacks]everywayStack
	defined  [everywayStacks]bool  // which of stacks have been recorded
	after    [everywayStacks]uint8 // by stack: the one that was recorded after it the last time
	last     uint8                 // the stack that was recorded last
	replaced uintptr               // how many stacks have been replaced by others
	seq      uint64                // the last number in one word or pair
	likes    [everywayLikes]everywayLike
	like     uint64  // where the last record that has one is among likes
	expected uintptr // pos after the word that says how many records are as expected, if that is the last one
}

// An everywayStack is the callers of a goroutine, up to the first that is 0. There is one more word
// than there are callers, so that each list ends with a 0.
type everywayStack [everywayDepth + 1]uintptr

// An everywayLike is a record that later ones can be like: its first word, without a number, and
// the last address. If the last one of these was a single word, it has that, and it has where the
// record is that came next the last time.
type everywayLike struct {
	first, addr, word, next uint64
}

// An everywayAccess is one that need not be recorded again until the goroutine synchronises: the
// first word of its record, with its address, and where and when it was made.
type everywayAccess struct {
	addrKindSize, pcEpoch uint64
}

// everywayProbes is in how many places a stack may be.
const everywayProbes = 4

const (
	everywaySeenBits = 10
	everywaySeen     = 1 << everywaySeenBits

	// Who synchronises often uses a part of everywaySeen, which stays in the processor's cache: one
	// that has recorded fewer accesses than everywayWide in between, the last time and up to now.
	everywayNarrowBits = 7
	everywayWide       = 512
)

var (
	everywayBase   uintptr // of the file in memory, 0 if there is none
	everywaySize   uint64
	everywayText   uintptr // where the code of the program begins
	everywayRun    uint64  // which run of those that have recorded in the file this is
	everywayDirty  uint64  // how much of the file others have used
	everywayTried  bool
	everywayMulti  bool // a goroutine has been started that is not the runtime's
	everywaySeq    uint64
	everywayIDs    uint64
	everywayFree   *everywayLog
	everywayMutex  uint32        // protects everywayFree
	everywayLocked [256]struct { // by address; each has a cache line of its own
		lock uint32
		_    [15]uint32
	}
)

// everywayOpen maps the file that the environment names, of the size that it says.
func everywayOpen() {
	if everywayTried {
		return
	}
	everywayTried = true
	name := gogetenv("EVERYWAY_RECORD")
	size := 0
	for _, digit := range []byte(gogetenv("EVERYWAY_RECORD_SIZE")) {
		size = 10*size + int(digit-'0')
	}
	if name == "" || size == 0 || len(name) >= 4096 {
		return
	}
	var path [4096]byte
	copy(path[:], name)
	fd := open(&path[0], 2, 0) // O_RDWR
	if fd < 0 {
		return
	}
	p, err := mmap(nil, uintptr(size), _PROT_READ|_PROT_WRITE, 1, fd, 0) // MAP_SHARED
	closefd(fd)
	if err != 0 {
		return
	}
	everywaySize = uint64(size)
	everywayText = firstmoduledata.text
	header := (*[5]uint64)(p)
	header[2], everywayRun, everywayDirty = uint64(everywayText), header[3], header[4]
	everywayBase = uintptr(p)
}

// everywayNew returns the log of a new goroutine, which may stand for timers.
func everywayNew(timers bool) *everywayLog {
	everywaySpin(&everywayMutex)
	l := everywayFree
	if l != nil {
		everywayFree = l.next
	}
	atomic.Store(&everywayMutex, 0)
	if l == nil {
		l = (*everywayLog)(persistentalloc(unsafe.Sizeof(everywayLog{}), 16, &memstats.other_sys))
	}
	epoch := l.epoch
	if l.chunks > 0 {
		l.before = l.id
	}
	l.timers, l.expected = timers, 0
	l.id, l.chunks, l.off, l.next = atomic.Xadd64(&everywayIDs, 1), 0, 0, nil
	l.epoch = epoch + 1
	if l.end-l.pos < everywayRest {
		l.pos, l.end = 0, 0
		return l
	}
	// It goes on in the chunk of the one before, which says so at its end.
	chunk := (l.pos - everywayBase) &^ (everywayChunk - 1)
	l.end -= 8
	part := l.id<<everywayPart | uint64(l.pos-everywayBase-chunk)
	if timers {
		part |= 1 << everywayTimers
	}
	*(*uint64)(unsafe.Pointer(l.end)) = part
	parts := &(*[3]uint64)(unsafe.Pointer(everywayBase + chunk))[2]
	atomic.Store64(parts, *parts+1)
	l.chunks = 1
	return l
}

// everywaySpin takes a lock that is held for as long as a record takes, unless the thread that holds it is not running.
//
//go:nosplit
func everywaySpin(lock *uint32) {
	for n := 0; !atomic.Cas(lock, 0, 1); n++ {
		if n < 30 {
			procyield(10)
		} else {
			osyield()
		}
	}
}

// everywayLockOf returns the lock of an address.
//
//go:nosplit
func everywayLockOf(addr unsafe.Pointer) *uint32 {
	return &everywayLocked[uintptr(addr)/goarch.PtrSize%uintptr(len(everywayLocked))].lock
}

// chunk begins a new chunk, in which there is room. It returns false if the file is full: then
// nothing more is recorded.
//
//go:nosplit
func (l *everywayLog) chunk() bool {
	header := (*[2]uint64)(unsafe.Pointer(everywayBase))
	at := atomic.Xadd64(&header[0], everywayChunk) - everywayChunk
	if at+everywayChunk > everywaySize {
		atomic.Store64(&header[1], 1) // full
		l.pos, l.expected = l.end, 0
		return false
	}
	l.pos = everywayBase + uintptr(at)
	l.end = l.pos + everywayChunk
	if at < everywayDirty {
		memclrNoHeapPointers(unsafe.Pointer(l.pos), everywayChunk)
	}
	chunk := (*[3]uint64)(unsafe.Pointer(l.pos))
	l.chunks++
	chunk[0], chunk[1] = l.id, l.chunks|l.before<<everywayBefore
	if l.timers {
		chunk[1] |= 1 << everywayTimers
	}
	atomic.Store64(&chunk[2], everywayRun<<everywayRuns) // from now on it is one of this run
	l.pos += everywayHeader
	return true
}

// put appends two words, in one chunk.
//
//go:nosplit
func (l *everywayLog) put(a, b uint64) {
	if l.end-l.pos < 16 && !l.chunk() {
		return
	}
	words := (*[2]uint64)(unsafe.Pointer(l.pos))
	words[1], words[0] = b, a
	l.pos += 16
}

// putLike appends a record with the given first word, but for its number, and an address: one word
// if it is like one before, otherwise two. A number is written as the difference to the last one,
// and an address as that to the one of the record before that is like this one.
//
//go:nosplit
func (l *everywayLog) putLike(first, addr, seq uint64) {
	slot := everywayLikeAt(first)
	like := &l.likes[slot]
	d := addr - like.addr
	d = d<<1 ^ uint64(int64(d)>>63)
	same := like.first == first
	like.first, like.addr = first, addr
	if seq == 0 {
		same = same && d < 1<<everywayLikeShift
	} else {
		n := seq - l.seq
		l.seq = seq
		same = same && d < 1<<everywayNearBits && n < 1<<(everywayLikeShift-everywayNearBits)
		d |= n << everywayNearBits
	}
	last := &l.likes[l.like%everywayLikes]
	l.like = slot
	word := 1<<63 | slot<<everywayLikeShift | d
	if same && last.next == slot && like.word == word {
		if l.pos == l.expected && l.pos != 0 {
			*(*uint64)(unsafe.Pointer(l.pos - 8)) += 1 << 16
			return
		}
		l.one(1<<16 | everywayExpected)
		l.expected = l.pos
		return
	}
	last.next = slot
	if !same {
		like.word = 0
		if seq == 0 {
			if word := everywayNear(first, addr, uint64(everywayText)); word != 0 {
				l.one(word)
				return
			}
		}
		l.put(seq<<everywayNumber|first, addr)
		return
	}
	like.word = word
	l.one(word)
}

// one appends a word.
//
//go:nosplit
func (l *everywayLog) one(word uint64) {
	if l.pos == l.end && !l.chunk() {
		return
	}
	*(*uint64)(unsafe.Pointer(l.pos)) = word
	l.pos += 8
}

//go:nosplit
func everywayOf(gp *g) *everywayLog {
	return (*everywayLog)(unsafe.Pointer(gp.racectx))
}

// everywayPlain records a plain access.
//
//go:nosplit
func everywayPlain(addr, size, pc uintptr, kind uint64) {
	if !everywayMulti {
		return
	}
	gp := getg()
	l := everywayOf(gp)
	if l == nil || l.off != 0 || addr-gp.stack.lo < gp.stack.hi-gp.stack.lo || size == 0 {
		return
	}
	if size < 1<<10 {
		// All of an address that can be, and as much of pc as tells the places of a program apart.
		a := everywayAccess{uint64(addr)<<16 | kind<<10 | uint64(size), uint64(pc)<<32 | uint64(l.epoch)}
		hash := a.addrKindSize*0x9e3779b97f4a7c15 + uint64(pc)*0xc2b2ae3d27d4eb4f
		if !l.wide {
			hash >>= everywaySeenBits - everywayNarrowBits
		}
		s := &l.seen[hash>>(64-everywaySeenBits)]
		if *s == a {
			return
		}
		*s = a
		if l.freshIn != l.epoch {
			l.freshIn, l.fresh, l.wide = l.epoch, 0, l.fresh >= everywayWide
		} else if l.fresh++; l.fresh == everywayWide {
			l.wide = true
		}
		l.putLike(uint64(pc)<<16|kind<<10|uint64(size), uint64(addr), 0)
		return
	}
	l.put(uint64(pc)<<16|kind<<10, uint64(addr))
	l.put(1, uint64(size))
}

//go:nosplit
func raceread(addr uintptr) { everywayPlain(addr, 1, sys.GetCallerPC(), everywayRead) }

//go:nosplit
func racewrite(addr uintptr) { everywayPlain(addr, 1, sys.GetCallerPC(), everywayWrite) }

//go:nosplit
func racereadrange(addr, size uintptr) { everywayPlain(addr, size, sys.GetCallerPC(), everywayRead) }

//go:nosplit
func racewriterange(addr, size uintptr) { everywayPlain(addr, size, sys.GetCallerPC(), everywayWrite) }

//go:nosplit
func racefuncenter(callpc uintptr) {}

//go:nosplit
func racefuncenterfp(fp uintptr) {}

//go:nosplit
func racefuncexit() {}

func raceReadObjectPC(t *_type, addr unsafe.Pointer, callerpc, pc uintptr) {
	everywayPlain(uintptr(addr), t.Size_, callerpc, everywayRead)
}

func raceWriteObjectPC(t *_type, addr unsafe.Pointer, callerpc, pc uintptr) {
	everywayPlain(uintptr(addr), t.Size_, callerpc, everywayWrite)
}

// A send or close is an operation on the channel, and not an access.
func racereadpc(addr unsafe.Pointer, callerpc, pc uintptr) {
	if pc != abi.FuncPCABIInternal(chansend) {
		everywayPlain(uintptr(addr), 1, callerpc, everywayRead)
	}
}

func racewritepc(addr unsafe.Pointer, callerpc, pc uintptr) {
	if pc != abi.FuncPCABIInternal(closechan) {
		everywayPlain(uintptr(addr), 1, callerpc, everywayWrite)
	}
}

func racereadrangepc(addr unsafe.Pointer, sz, callerpc, pc uintptr) {
	everywayPlain(uintptr(addr), sz, callerpc, everywayRead)
}

func racewriterangepc(addr unsafe.Pointer, sz, callerpc, pc uintptr) {
	everywayPlain(uintptr(addr), sz, callerpc, everywayWrite)
}

// everywayNumbers returns the first of n numbers for records of what synchronises.
func everywayNumbers(n int64) uint64 {
	return atomic.Xadd64(&everywaySeq, n) - uint64(n) + 1
}

// stackAt returns the number of the callers at a frame. What a goroutine does next is most often
// what it did after the last time, so that the frames are compared with these callers first: to
// collect them, and to look for them, takes twice as long.
//
//go:nosplit
func (l *everywayLog) stackAt(fp uintptr) uint64 {
	n := l.after[l.last]
	if l.defined[n] {
		s, p := &l.stacks[n], fp
		for i := 0; i < everywayDepth; i++ {
			if p == 0 {
				if s[i] == 0 {
					l.last = n
					return uint64(n)
				}
				break
			}
			if s[i] != *(*uintptr)(unsafe.Pointer(p + goarch.PtrSize)) {
				break
			}
			if p = *(*uintptr)(unsafe.Pointer(p)); i == everywayDepth-1 {
				l.last = n
				return uint64(n)
			}
		}
	}
	var callers everywayStack
	for i := 0; i < everywayDepth && fp != 0; i++ {
		callers[i] = *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}
	return l.stack(&callers)
}

// stack returns the number of callers among the stacks. If they are not there they replace others, which a record says.
//
//go:nosplit
func (l *everywayLog) stack(callers *everywayStack) uint64 {
	hash, depth := uintptr(0), 0
	for ; callers[depth] != 0; depth++ {
		hash = hash<<5 - hash ^ callers[depth]
	}
	hash ^= hash >> 9
	n, same := uintptr(0), false
	for k := uintptr(0); k < everywayProbes && !same; k++ { // what a loop does must not replace each other
		n = (hash + k) % everywayStacks
		if !l.defined[n] {
			break
		}
		s := &l.stacks[n]
		same = s[depth] == 0
		for i := 0; i < depth && same; i++ {
			same = s[i] == callers[i]
		}
	}
	if !same {
		if l.defined[n] {
			n = (hash + l.replaced%everywayProbes) % everywayStacks
			l.replaced++
		}
		s := &l.stacks[n]
		*s, l.defined[n] = *callers, true
		l.put(uint64(n)<<16|everywayCallers<<10|1, 0)
		for i := 0; i < everywayDepth; i += 2 {
			l.put(uint64(callers[i]), uint64(callers[i+1]))
		}
	}
	l.after[l.last], l.last = uint8(n), uint8(n)
	return uint64(n)
}

// sync appends a record of what synchronises, with its number, by a goroutine with the given callers.
//
//go:nosplit
func (l *everywayLog) sync(kind uint64, addr uintptr, arg uint64, seq uint64, callers *everywayStack) {
	l.epoch++
	l.numbered(l.stack(callers), kind, uint64(addr), arg, seq)
}

// numbered appends a record with a number.
//
//go:nosplit
func (l *everywayLog) numbered(stack, kind, addr, arg, seq uint64) {
	if arg < 1<<10-everywayShort && seq < 1<<(63-everywayNumber) {
		l.putLike(stack<<16|kind<<10|(everywayShort+arg), addr, seq)
		return
	}
	l.put(stack<<16|kind<<10|everywayLong, addr)
	l.put(seq, arg)
}

// everywayNote records what gp does that synchronises: the goroutine itself, or one that is parked.
func everywayNote(gp *g, kind uint64, addr unsafe.Pointer, arg uint64) {
	if everywayNotes(gp, addr) {
		everywayPut(gp, kind, addr, arg, everywayNumbers(1))
	}
}

// everywayNotes reports whether what gp does is recorded, to what is at an address.
//
//go:nosplit
func everywayNotes(gp *g, addr unsafe.Pointer) bool {
	l := everywayOf(gp)
	return l != nil && l.off == 0 && everywayMulti && uintptr(addr)-gp.stack.lo >= gp.stack.hi-gp.stack.lo
}

// everywayNumbered is everywayNote, with the number of the record.
//
//go:nosplit
func everywayNumbered(gp *g, kind uint64, addr unsafe.Pointer, arg, seq uint64) {
	if everywayNotes(gp, addr) {
		everywayPut(gp, kind, addr, arg, seq)
	}
}

// everywayPut is everywayNumbered for what has to be recorded.
//
//go:nosplit
func everywayPut(gp *g, kind uint64, addr unsafe.Pointer, arg, seq uint64) {
	fp := uintptr(0)
	switch {
	case gp != getg():
		fp = gp.sched.bp
	case gp != gp.m.g0:
		fp = getfp()
	}
	l := everywayOf(gp)
	l.epoch++
	l.numbered(l.stackAt(fp), kind, uint64(uintptr(addr)), arg, seq)
}

// everywayRecord is called by packages sync and sync/atomic.
//
//go:linkname everywayRecord
func everywayRecord(kind uint64, addr unsafe.Pointer, arg int64) {
	// As everywayNote, without its callees, whose frames would have to be compared, too.
	gp := getg()
	if !everywayNotes(gp, addr) {
		return
	}
	l := everywayOf(gp)
	l.epoch++
	stack := l.stackAt(getfp())
	seq := uint64(0)
	if everywayShares(kind) {
		seq = atomic.Load64(&everywaySeq)
	} else {
		seq = everywayNumbers(1)
	}
	if uint64(arg) < 1<<10-everywayShort && seq < 1<<(63-everywayNumber) { // as numbered, without a call
		l.putLike(stack<<16|kind<<10|(everywayShort+uint64(arg)), uint64(uintptr(addr)), seq)
		return
	}
	l.numbered(stack, kind, uint64(uintptr(addr)), uint64(arg), seq)
}

// everywayTouch is called by package internal/race, for an access at pc or, if that is 0, by its caller's caller.
//
//go:linkname everywayTouch
func everywayTouch(kind uint64, addr unsafe.Pointer, size, pc uintptr) {
	if pc == 0 {
		var callers [3]uintptr
		fpTracebackPCs(unsafe.Pointer(getfp()), callers[:])
		pc = callers[2]
	}
	everywayPlain(uintptr(addr), size, pc, kind)
}

// everywayEnter begins what is not recorded, everywayLeave ends it.
//
//go:linkname everywayEnter
func everywayEnter() {
	if l := everywayOf(getg()); l != nil {
		l.off++
	}
}

//go:linkname everywayLeave
func everywayLeave() {
	if l := everywayOf(getg()); l != nil {
		l.off--
	}
}

// everywayBegin begins an atomic operation, and everywayDone ends it and records it: in the order in which those
// on the address happen. If the goroutine does not record, they do nothing.
//
//go:linkname everywayBegin
func everywayBegin(addr unsafe.Pointer) {
	if l := everywayOf(getg()); l == nil || l.off != 0 {
		return
	}
	acquirem()
	everywaySpin(everywayLockOf(addr))
}

//go:linkname everywayDone
func everywayDone(kind uint64, addr unsafe.Pointer) {
	gp := getg()
	if l := everywayOf(gp); l == nil || l.off != 0 {
		return
	}
	everywayNote(gp, kind, addr, 0)
	atomic.Store(everywayLockOf(addr), 0)
	releasem(gp.m)
}

// everywaySent records that the present goroutine has sent, to a goroutine that waits if sg is not nil.
func everywaySent(c *hchan, sg *sudog) {
	if sg == nil {
		everywayNote(getg(), everywaySend, unsafe.Pointer(c), uint64(c.dataqsiz))
		return
	}
	everywayPair(c, getg(), everywaySend, sg.g, everywayReceive)
}

// everywayReceived records that the present goroutine has received, while another one waits to send if sg
// is not nil.
func everywayReceived(c *hchan, sg *sudog) {
	switch {
	case sg == nil:
		everywayNote(getg(), everywayReceive, unsafe.Pointer(c), uint64(c.dataqsiz))
	case c.dataqsiz == 0:
		everywayPair(c, sg.g, everywaySend, getg(), everywayReceive)
	default:
		everywayPair(c, getg(), everywayReceive, sg.g, everywaySend)
	}
}

// everywayPair records what two goroutines do to a channel, with nothing in between.
func everywayPair(c *hchan, first *g, kind uint64, second *g, then uint64) {
	seq := everywayNumbers(2)
	everywayNumbered(first, kind, unsafe.Pointer(c), uint64(c.dataqsiz), seq)
	everywayNumbered(second, then, unsafe.Pointer(c), uint64(c.dataqsiz), seq+1)
}

func everywayReceivedClosed(c *hchan, gp *g) {
	everywayNote(gp, everywayReceiveClosed, unsafe.Pointer(c), uint64(c.dataqsiz))
}

func everywayClosed(c *hchan) {
	everywayNote(getg(), everywayClose, unsafe.Pointer(c), uint64(c.dataqsiz))
}

// everywayFailed records that the present goroutine panics, as the channel is closed.
func everywayFailed(c *hchan) {
	everywayNote(getg(), everywayFails, unsafe.Pointer(c), uint64(c.dataqsiz))
}

// everywayCases records the cases of a select that begins, each with where it is in the code.
func everywayCases(scases []scase, sends int, pcs []uintptr, block bool) {
	first := uint64(everywayFirst)
	for i := range scases {
		how, pc := uint64(everywayReceives), uintptr(0)
		if i < sends {
			how = everywaySends
		}
		if i < len(pcs) {
			pc = pcs[i]
		}
		everywayCaseOf(scases[i].c, how|first, pc)
		first = 0
	}
	if !block {
		everywayCaseOf(nil, everywayDefaults|first, everywayLast)
	}
}

// everywayTries records the cases of a select that has one besides the default case.
func everywayTries(c *hchan, how uint64) {
	everywayCaseOf(c, how|everywayFirst, 0)
	everywayCaseOf(nil, everywayDefaults, everywayLast)
}

// everywayLast is after all places in the code, and fits into a first word.
const everywayLast = 1<<47 - 1

func everywayCaseOf(c *hchan, how uint64, pc uintptr) {
	if !everywayNotes(getg(), unsafe.Pointer(c)) {
		return
	}
	if c != nil {
		how |= uint64(c.dataqsiz) << everywayShift
	}
	l := everywayOf(getg())
	l.put(uint64(pc)<<16|everywayCase<<10, uint64(uintptr(unsafe.Pointer(c))))
	l.put(1, how)
}

// everywayTakesDefault records that a select takes its default case.
func everywayTakesDefault() { everywayNote(getg(), everywayDefault, nil, 0) }

// everywayWaits records that the present goroutine has to wait: for a channel, if that is not nil, or in a select.
func everywayWaits(c *hchan, kind uint64) {
	everywayNote(getg(), everywayPending, unsafe.Pointer(c), kind)
}

// everywaySetTimer records that a timer begins to run, which sends on c or, if that is nil, calls a function.
func everywaySetTimer(t *timer, c unsafe.Pointer) {
	everywayNote(getg(), everywayTimerSet, unsafe.Pointer(t), uint64(uintptr(c)))
}

func raceinit() (uintptr, uintptr)                    { return 0, 0 }
func racefini()                                       {}
func raceproccreate() uintptr                         { return 0 }
func raceprocdestroy(ctx uintptr)                     {}
func racemapshadow(addr unsafe.Pointer, size uintptr) {}
func racefree(p unsafe.Pointer, sz uintptr)           {}
func racefingo()                                      {}

func raceacquire(addr unsafe.Pointer)         { everywayNote(getg(), everywayAcquire, addr, 0) }
func raceacquireg(gp *g, addr unsafe.Pointer) { everywayNote(gp, everywayAcquire, addr, 0) }
func racerelease(addr unsafe.Pointer)         { everywayNote(getg(), everywayRelease, addr, 0) }
func racereleaseg(gp *g, addr unsafe.Pointer) { everywayNote(gp, everywayRelease, addr, 0) }
func racereleasemerge(addr unsafe.Pointer)    { everywayNote(getg(), everywayMerge, addr, 0) }
func racereleasemergeg(gp *g, addr unsafe.Pointer) {
	everywayNote(gp, everywayMerge, addr, 0)
}

func racereleaseacquire(addr unsafe.Pointer) {
	raceacquire(addr)
	racerelease(addr)
}

func racereleaseacquireg(gp *g, addr unsafe.Pointer) {
	raceacquireg(gp, addr)
	racereleaseg(gp, addr)
}

// raceacquirectx is called when a timer runs.
func raceacquirectx(racectx uintptr, addr unsafe.Pointer) {
	if l := (*everywayLog)(unsafe.Pointer(racectx)); l != nil && everywayMulti {
		l.sync(everywayTimerRuns, uintptr(addr), 0, everywayNumbers(1), &everywayStack{})
	}
}

func racemalloc(p unsafe.Pointer, sz uintptr) {
	gp := getg()
	if gp == gp.m.g0 && gp.m.curg != nil {
		gp = gp.m.curg
	}
	l := everywayOf(gp)
	if l == nil || !everywayMulti {
		return
	}
	l.numbered(0, everywayAlloc, uint64(uintptr(p)), uint64(sz), everywayNumbers(1))
}

// racegostart returns the log of a goroutine that is started at a place in the code.
func racegostart(pc uintptr) uintptr {
	everywayOpen()
	if everywayBase == 0 {
		return 0
	}
	gp := getg()
	if gp.racectx == 0 && gp.m.curg != nil {
		gp = gp.m.curg
	}
	starter := funcname(findfunc(pc))
	own := stringslite.HasPrefix(starter, "runtime.")
	timers := starter == "runtime.(*timers).run" // it stands for those of a P
	child := everywayNew(timers || starter == "runtime.newextram")
	if timers {
		child.sync(everywayTimerRuns, 0, 0, everywayNumbers(1), &everywayStack{})
	}
	if parent := everywayOf(gp); parent != nil && (!own || gp == gp.m.g0) {
		everywayMulti = true
		parent.sync(everywayFork, 0, child.id, everywayNumbers(1), &everywayStack{pc})
	}
	return uintptr(unsafe.Pointer(child))
}

// everywayNoteCallback records that C has called back. In a thread that C has started a goroutine
// does that which nobody has started.
func everywayNoteCallback(gp *g) {
	if gp.m.isextra {
		everywayMulti = true
		everywayNote(gp, everywayCalledBack, nil, 0)
	}
}

func racegoend() {
	gp := getg()
	l := everywayOf(gp)
	if l == nil {
		return
	}
	if everywayMulti {
		l.sync(everywayEnd, 0, 0, everywayNumbers(1), &everywayStack{})
	}
	gp.racectx = 0
	everywaySpin(&everywayMutex)
	l.next = everywayFree
	everywayFree = l
	atomic.Store(&everywayMutex, 0)
}

// What finalizers and cleanups do is their goroutine's.
func racectxstart(spawnctx, racectx uintptr) uintptr { return getg().racectx }
func racectxend(racectx uintptr)                     {}
