package run

// A Fingerprint identifies what a run can do from a scheduling point on: two runs of one
// machine with the same settings, of plans that are alike, that come to points with equal
// fingerprints can continue in the same ways, with the same findings.
//
// Plans are alike if they differ at most in their prefixes and inputs. If the inputs differ,
// the two runs have the same path condition, and the same inputs satisfy it: what one can do
// from the point on with some input, the other can do with that input.
//
// A finding is the same if it is of the same kind, with the same message and at the same place. Of
// a race that is the two places and the call chain of the earlier access. What a run has shown
// up to the point does not count, such as the bounds that it has met, or what it has printed:
// each run shows that itself.
//
// Limits do not count either, nor does what only tells how long a run has been going. A run
// that has come to the point in fewer steps, or with less memory, may go on where the other one
// exceeds a limit, and says so. Which goroutine has taken the last step does not count, although
// schedulers see it.
type Fingerprint [2]uint64

// A PlainWord is a word of memory of which each read is a step of the [Flow] of a run: a number in
// a variable or an array that the run has made, and written to. The fingerprint of the state, less
// the Hash of some of these words, taken as two numbers of 64 bits, is the same for states that
// differ only in these words. In both they are the same words, at the same places among all of
// them.
type PlainWord struct {
	Object ObjectID
	Offset int32
	Size   int32 // of the object, in cells
	Hash   Fingerprint
}

// A Naming says which goroutines and objects of a run the fingerprint of its state stands for. Two
// states of equal fingerprints that have namings are the same but for names: what the goroutine
// with some index can do in one, that with the same index can do in the other, with objects of the
// same indexes. What a goroutine makes later, it makes in the same order in both.
//
// Goroutines and objects that are in neither list have the same name in both states.
type Naming struct {
	Goroutines []NamedGoroutine // those that have not ended
	Objects    []ObjectID
}

// A NamedGoroutine is a goroutine of a Naming, with the numbers of goroutines that it has started,
// objects that it has allocated and timers that it has set. These are part of the names of
// what it makes next.
type NamedGoroutine struct {
	Number                 int32 // in Names
	Spawns, Allocs, Timers int32
	// Like is the index of the first goroutine of the Naming that is about to do the same, as far as that can be told
	// without the names of objects: its own if there is none before it. Those of one Like are next to each other.
	Like int32
}
