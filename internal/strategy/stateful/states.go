package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/stateful/accesses"
)

// states remembers the states from which everything has been tried.
type states struct {
	known map[run.Fingerprint]possible
	// cores has, of states that differ only in what may be left out, the sets of words that are
	// read after some of them: indexes in read.
	cores map[run.Fingerprint][]int32
	read  []bitset.Set             // distinct sets of words
	reads map[string]int32         // of read, by their keys
	sets  map[string]*accesses.Set // distinct sets of accesses, by their keys
	lists [][]int32                // distinct lists of labels
	index map[string]int32         // of lists, by their bytes
	bytes []byte
	size  int // number of labels in lists
}

// A possible is what is possible from a state on.
type possible struct {
	labels int32           // index in lists
	reads  int32           // index in states.read of the words that are read then, allWords if all are
	ahead  *accesses.Set   // the accesses that come then, nil without Options.ForgetKnowledge
	words  run.Fingerprint // that with all words of the state from which that has been found
}

// Bounds of the states that are remembered, and of the labels in their lists: about 100 MB each. With more,
// all are forgotten. That costs time and nothing else.
const (
	maxStates = 1 << 21
	maxListed = 1 << 24
)

// allWords stands for all words of a state.
const allWords = -1

// maxReads bounds the number of sets of words for states that differ only in what may be left out.
// Of others all words count.
const maxReads = 8

// clear forgets all states.
func (s *states) clear() {
	s.known, s.lists, s.index, s.size = map[run.Fingerprint]possible{}, nil, map[string]int32{}, 0
	s.sets = map[string]*accesses.Set{}
	s.cores, s.read, s.reads = map[run.Fingerprint][]int32{}, nil, map[string]int32{}
}

// Bytes for a state that is remembered, and for a number in a list.
const (
	stateBytes  = 72
	listedBytes = 8
)

// bytesHeld returns about how many bytes the states take.
func (s *states) bytesHeld() int64 {
	return int64(len(s.known))*stateBytes + int64(s.size)*listedBytes
}

// A stateID identifies a state: by its fingerprint and, if that leaves out names, what these are.
type stateID struct {
	fingerprint run.Fingerprint
	full        run.Fingerprint // with what is known of which access
	naming      *naming
	node        *node
	words       []word // with Options.ForgetUnread
	contested   bool   // the state was known already, but a race was possible
}

// makeRoom forgets all states if there are too many, or too much in their lists. It is called
// before something is noted of a state, so that no index of a set or a list is kept that stood for
// another one.
func (s *states) makeRoom() {
	if len(s.known) >= maxStates || s.size >= maxListed {
		s.clear()
	}
}

// complete notes that everything has been tried from a state on, and the labels of what was
// possible: their numbers, as relative labels if the fingerprint leaves out names. So are the names
// in the set of the accesses that can come then. The words that are read then are those of a set.
// The state is id, which f may leave words out of.
func (s *states) complete(f run.Fingerprint, id *stateID, below bitset.Set, ahead *accesses.Set, reads int32) {
	s.bytes = s.bytes[:0]
	n := len(below)
	for n > 0 && below[n-1] == 0 {
		n--
	}
	for _, word := range below[:n] {
		for i := range 8 {
			s.bytes = append(s.bytes, byte(word>>(8*i)))
		}
	}
	k, ok := s.index[string(s.bytes)]
	if !ok {
		k = int32(len(s.lists))
		var list []int32
		for i := range below.All() {
			list = append(list, int32(i))
		}
		s.lists = append(s.lists, slices.Clip(list))
		s.size += len(list)
		s.index[string(s.bytes)] = k
	}
	if ahead != nil {
		key := ahead.Key(s.bytes[:0])
		s.bytes = key
		if same, ok := s.sets[string(key)]; ok {
			ahead = same
		} else {
			s.sets[string(key)] = ahead
			s.size += ahead.Size()
		}
	}
	s.known[f] = possible{labels: k, reads: reads, ahead: ahead, words: id.fingerprint}
}

// setOf returns the index of a set of words that are read after states with a core. It is allWords
// if there are too many.
func (s *states) setOf(core run.Fingerprint, reads bitset.Set) int32 {
	s.bytes = keyOf(s.bytes[:0], reads)
	k, ok := s.reads[string(s.bytes)]
	if !ok {
		k = int32(len(s.read))
		s.read = append(s.read, reads)
		s.reads[string(s.bytes)] = k
		s.size += len(reads)
	}
	list := s.cores[core]
	switch {
	case slices.Contains(list, k):
	case len(list) >= maxReads:
		return allWords
	default:
		s.cores[core] = append(list, k)
	}
	return k
}

// countWords makes all words count: of states that are known without some of their words, the one is known from which
// everything has been tried.
func (s *states) countWords() {
	counted := map[run.Fingerprint]run.Fingerprint{}
	for f, k := range s.known {
		if k.reads == allWords {
			continue
		}
		// One with a fingerprint of its own, since a race was possible, is known twice: always the
		// same of the two counts.
		if g, ok := counted[k.words]; !ok || slices.Compare(f[:], g[:]) < 0 {
			counted[k.words] = f
		}
	}
	for words, f := range counted {
		if _, ok := s.known[words]; !ok {
			s.known[words] = s.known[f]
		}
	}
}

// find returns what is possible from a state on, if everything has been tried there, or from one
// that differs only in words that are not read.
func (s *states) find(id *stateID) (possible, bool) {
	if k, ok := s.known[id.fingerprint]; ok || len(id.words) == 0 {
		return k, ok
	}
	for _, set := range s.cores[id.without(nil)] {
		if k, ok := s.known[id.without(s.read[set])]; ok {
			return k, true
		}
	}
	return possible{}, false
}
