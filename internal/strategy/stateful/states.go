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
	sets  map[string]*accesses.Set // distinct sets of accesses, by their keys
	lists [][]int32                // distinct lists of labels
	index map[string]int32         // of lists, by their bytes
	bytes []byte
	size  int // number of labels in lists
}

// A possible is what is possible from a state on.
type possible struct {
	labels int32         // index in lists
	ahead  *accesses.Set // the accesses that come then, nil without Options.ForgetKnowledge
}

// Bounds of the states that are remembered, and of the labels in their lists: about 100 MB each. With more,
// all are forgotten. That costs time and nothing else.
const (
	maxStates = 1 << 21
	maxListed = 1 << 24
)

// clear forgets all states.
func (s *states) clear() {
	s.known, s.lists, s.index, s.size = map[run.Fingerprint]possible{}, nil, map[string]int32{}, 0
	s.sets = map[string]*accesses.Set{}
}

// Bytes for a state that is remembered, and for a number in a list.
const (
	stateBytes  = 64
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
	contested   bool // the state was known already, but a race was possible
}

// complete notes that everything has been tried from a state on, and the labels of what was
// possible: their numbers, as relative labels if the fingerprint leaves out names. So are the names in the set of
// the accesses that can come then.
func (s *states) complete(f run.Fingerprint, below bitset.Set, ahead *accesses.Set) {
	if len(s.known) >= maxStates || s.size >= maxListed {
		s.clear()
	}
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
	s.known[f] = possible{k, ahead}
}

// completed returns the labels of what is possible from a state on, and the accesses that can come then, if
// everything has been tried there.
func (s *states) completed(f run.Fingerprint) (below []int32, ahead *accesses.Set, ok bool) {
	k, ok := s.known[f]
	if !ok {
		return nil, nil, false
	}
	return s.lists[k.labels], k.ahead, true
}
