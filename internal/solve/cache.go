package solve

import (
	"encoding/binary"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// answersLimit is the approximate size, in bytes, at which answers are forgotten.
const answersLimit = 32 << 20

// recentModels is how many models Satisfiable tries.
const recentModels = 8

// answers remembers the answers to slices; it is the counterexample cache of
// KLEE (Cadar, Dunbar, Engler, OSDI 2008, section 3.3), except that a model is
// used again only for the slice it was found for, or where the model itself is not
// needed.
type answers struct {
	bySlice map[string]answer // by the IDs of its conjuncts, ascending
	refuted map[expr.ID][][]expr.ID
	models  []answer // the last ones found, in a ring
	next    int      // in models
	size    int

	ids []expr.ID // scratch
	key []byte
}

func (a *answers) reset() {
	clear(a.bySlice)
	clear(a.refuted)
	a.models, a.next = a.models[:0], 0
	a.size = 0
}

// get returns what is known of exactly this slice.
func (a *answers) get(slice []part) (answer, bool) {
	found, ok := a.bySlice[string(a.keyOf(slice))]
	return found, ok
}

func (a *answers) put(slice []part, x answer) {
	key := a.keyOf(slice)
	a.grow(len(key) + 12*len(x.vars) + 100)
	if a.bySlice == nil {
		a.bySlice = map[string]answer{}
	}
	a.bySlice[string(key)] = x
	if x.result == Unsat {
		a.refute(slice)
	}
}

// grow adds to the size. All answers are forgotten first if there are too many.
func (a *answers) grow(size int) {
	if a.size > answersLimit {
		a.reset()
	}
	a.size += size
}

// refute remembers that the parts contradict each other, unless it is already known
// of some of them.
func (a *answers) refute(parts []part) {
	if a.containsRefuted(parts) {
		return
	}
	ids := slices.Clone(a.idsOf(parts))
	a.grow(4*len(ids) + 50)
	if a.refuted == nil {
		a.refuted = map[expr.ID][][]expr.ID{}
	}
	last := ids[len(ids)-1]
	a.refuted[last] = append(a.refuted[last], ids)
}

// containsRefuted reports whether the slice contains conjuncts that are known to
// contradict each other.
func (a *answers) containsRefuted(slice []part) bool {
	if len(a.refuted) == 0 {
		return false
	}
	ids := a.idsOf(slice)
	for i, x := range ids {
		for _, set := range a.refuted[x] {
			if subset(set, ids[:i+1]) {
				return true
			}
		}
	}
	return false
}

// subset reports whether all elements of x are in y; both are ascending.
func subset(x, y []expr.ID) bool {
	if len(x) > len(y) {
		return false
	}
	for _, e := range x {
		i, ok := slices.BinarySearch(y, e)
		if !ok {
			return false
		}
		y = y[i+1:]
	}
	return true
}

// found remembers a model.
func (a *answers) found(m answer) {
	if len(a.models) < recentModels {
		a.models = append(a.models, m)
		return
	}
	a.models[a.next] = m
	a.next = (a.next + 1) % recentModels
}

// keyOf returns the IDs of the conjuncts as a text, idsOf themselves, ascending.
func (a *answers) keyOf(slice []part) []byte {
	a.key = a.key[:0]
	for _, x := range a.idsOf(slice) {
		a.key = binary.LittleEndian.AppendUint32(a.key, uint32(x))
	}
	return a.key
}

func (a *answers) idsOf(slice []part) []expr.ID {
	a.ids = a.ids[:0]
	for _, p := range slice {
		a.ids = append(a.ids, p.x)
	}
	slices.Sort(a.ids)
	a.ids = slices.Compact(a.ids)
	return a.ids
}
