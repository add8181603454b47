package covering

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
)

// add adds a schedule for the inputs for which conditions hold. It is one that is there already if
// that has the same operations in the same order (section 3.4.1.4), or in another order only
// because they are on other objects: then the schedule has both orders (section 3.4.1.5).
func (m *machine) add(r *result, conj []expr.ID) {
	sc := &cover.Schedule{
		When: [][]expr.ID{conj}, Nodes: r.nodes, End: r.end, Example: maps.Clone(r.input), Races: r.races, Infeasible: m.number > 0 || len(m.decisions) > 0 || r.alive,
	}
	key := keyOf(sc)
	if old := m.like(sc, m.known[key]); old != nil {
		old.When = append(old.When, conj)
		for _, race := range r.races {
			if !slices.Contains(old.Races, race) {
				old.Races = append(old.Races, race)
			}
		}
		old.Conservative = old.Conservative || old.Differs(r.nodes) != ""
		for i := range r.nodes {
			widen(old, i, r.nodes[i].After)
		}
	} else {
		m.known[key] = append(m.known[key], sc)
		m.epoch.Schedules = append(m.epoch.Schedules, sc)
	}
	if len(m.decisions) > 0 {
		agree(m.epoch.Schedules)
	}
}

// like returns which schedule a new one is, of a list of those with the same operations; nil if it is none of them.
func (m *machine) like(sc *cover.Schedule, list []*cover.Schedule) *cover.Schedule {
	if m.cfg.Without.Merging {
		return nil
	}
	for _, old := range list {
		if old.Differs(sc.Nodes) == "" && (!old.Conservative || slices.Equal(old.Races, sc.Races)) {
			return old
		}
	}
	if m.cfg.Without.Conservative || len(sc.Races) > 0 {
		return nil // a race is shown with the order in which it is one
	}
	for _, old := range list {
		if len(old.Races) == 0 {
			return old
		}
	}
	return nil
}

// widen has a node of a schedule come after others, too.
func widen(sc *cover.Schedule, node int, after []int) {
	n := &sc.Nodes[node]
	for _, a := range after {
		if at, found := slices.BinarySearch(n.After, a); !found {
			n.After = slices.Insert(slices.Clone(n.After), at, a)
			sc.Conservative = true
		}
	}
}

// agree has schedules come after the same as far as they have the same operations. As runs do,
// schedules that differ in a decision are the same up to there; if one of them has got the order of
// other inputs, too, the others get it.
func agree(list []*cover.Schedule) {
	if !slices.ContainsFunc(list, func(sc *cover.Schedule) bool { return sc.Conservative }) {
		return
	}
	all := make(map[[sha256.Size]byte][]int) // by the operations up to a node, what it comes after
	each := func(visit func(sc *cover.Schedule, node int, key [sha256.Size]byte)) {
		for _, sc := range list {
			var key [sha256.Size]byte
			for i, n := range sc.Nodes {
				key = sha256.Sum256(append(key[:], n.Operation()...))
				visit(sc, i, key)
			}
		}
	}
	each(func(sc *cover.Schedule, node int, key [sha256.Size]byte) {
		all[key] = append(all[key], sc.Nodes[node].After...)
	})
	each(func(sc *cover.Schedule, node int, key [sha256.Size]byte) { widen(sc, node, all[key]) })
}

// keyOf returns what schedules have in common that may be one: their operations, and how they end.
func keyOf(sc *cover.Schedule) string {
	var b strings.Builder
	for _, n := range sc.Nodes {
		fmt.Fprintln(&b, n.Operation())
	}
	fmt.Fprintln(&b, sc.End.Kind, sc.End.Epoch, sc.End.Goroutines, sc.End.Next, sc.End.By)
	return b.String()
}
