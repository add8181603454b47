package search

import (
	"errors"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A state is all that a search needs to be resumed later. It is what a search file holds.
type state struct {
	Phase int          `json:"phase"`           // index of the present one
	Stats worker.Stats `json:"tally,omitzero"`  // without those of Tasks
	Since int          `json:"since,omitempty"` // runs made when the phase began
	// Length is such that all runs were made in which no goroutine takes more steps; 0 if that is
	// not known of any number.
	Length int `json:"length,omitempty"`
	// Bound is how many steps a goroutine takes at most in the runs of the frontier; 0 if there is no bound.
	Bound int `json:"bound,omitempty"`
	// What con2colic has shown.
	Degree   int            `json:"degree"`
	ByDegree []int          `json:"bydegree,omitempty"`
	Promise  string         `json:"promise,omitempty"`  // of the random runs
	Farthest string         `json:"farthest,omitempty"` // of the guided runs
	Met      []bool         `json:"met,omitempty"`      // for each suspect of the goal, whether a guided run has come to its places
	Alone    *verdict.Alone `json:"alone,omitempty"`    // of goroutines that run alone
	MaxLen   int            `json:"maxlen,omitempty"`   // length of the longest string or slice that is drawn
	// Instructions is the limit on those of a run, if a long run has shown that it has to be
	// higher than the usual one.
	Instructions uint64 `json:"instructions,omitempty"`

	// Visible are the accesses of races that did not end the search. The exhaustive search
	// looks at every order of them.
	Visible []schedule.Place `json:"visible,omitempty"`
	// Overlooked says what runs have shown that the exhaustive search looks at from then on: every
	// order of collections and what goroutines hold on to, of their number, of the Adds of wait
	// groups, and of logs.
	worker.Overlooked

	// ProlongedTo is the share of the budget up to which the stateful search goes on, if that is
	// for longer, see mix.go.
	ProlongedTo float64 `json:"prolongedTo,omitempty"`

	// Suspended is what a strategy that cannot be divided has left to do.
	Suspended []byte `json:"suspended,omitempty"`

	// Divided is set when the phase is one of rounds of tasks; see divide.go.
	Divided bool `json:"divided,omitempty"`
	// Frontier holds the unexplored items, the next one last.
	Frontier []strategy.Item `json:"-"`
	Deep     bool            `json:"deep,omitempty"`     // it is so large that the search goes depth first
	Round    int             `json:"round,omitempty"`    // rounds begun
	Tasks    []worker.Task   `json:"-"`                  // of the round, those that are not in Stats yet
	Left     []strategy.Item `json:"-"`                  // what those that are have left over, next first
	Numbered int             `json:"numbered,omitempty"` // tasks so far
	Before   int             `json:"before,omitempty"`   // runs made by the phases before
	Size     size            `json:"size,omitzero"`

	// Finite is set when an exhaustive search has come to its end.
	Finite bool `json:"finite,omitempty"`
	// Accepted are the findings that do not make the target fail.
	Accepted []*schedule.Finding `json:"accepted,omitempty"`
	// Findings were reported. Ended is the verdict when there is no more to be done.
	Findings []*verdict.Counterexample `json:"findings,omitempty"`
	Ended    verdict.Verdict           `json:"ended,omitempty"`
}

// check returns an error if no search has such a state.
func (st *state) check() error {
	for _, n := range []struct {
		name  string
		value int
	}{
		{"phase", st.Phase}, {"number of runs", st.Stats.Runs}, {"number of runs before the phase", st.Since},
		{"number of runs before the tasks", st.Before}, {"degree", st.Degree + 1}, {"longest string", st.MaxLen},
		{"round", st.Round}, {"number of tasks", st.Numbered},
	} {
		if n.value < 0 {
			return fmt.Errorf("a %s below 0", n.name)
		}
	}
	for i := range st.Tasks {
		t := &st.Tasks[i]
		switch {
		case t.Number < 1 || t.Number > st.Numbered:
			return fmt.Errorf("a task %d of %d", t.Number, st.Numbered)
		case t.Runs < 0 || t.Stats.Runs < 0:
			return fmt.Errorf("a number of runs below 0 of task %d", t.Number)
		case t.Found != nil && (t.Found.Finding == nil || !t.Done):
			return fmt.Errorf("a run of task %d without a finding", t.Number)
		case slices.ContainsFunc(t.Items, isEmpty):
			return fmt.Errorf("an empty item of task %d", t.Number)
		}
	}
	if slices.ContainsFunc(st.Frontier, isEmpty) || slices.ContainsFunc(st.Left, isEmpty) {
		return errors.New("an empty item")
	}
	for _, f := range st.Findings {
		if f == nil || f.Run == nil || f.Run.Finding == nil {
			return errors.New("a finding without a run")
		}
	}
	if slices.Contains(st.Accepted, nil) {
		return errors.New("an accepted finding that is none")
	}
	switch st.Ended {
	case "", verdict.Fails, verdict.Possible, verdict.Holds, verdict.Open, verdict.Skipped, verdict.Reached, verdict.Unreachable:
		return nil
	}
	return fmt.Errorf("a verdict %q", st.Ended)
}

// isEmpty reports whether an item has nothing in it.
func isEmpty(item strategy.Item) bool { return len(item.Data) == 0 }

// total returns the stats of all runs made so far, those of tasks under way included.
func (st *state) total() worker.Stats {
	sum := st.Stats.Clone()
	for i := range st.Tasks {
		sum.Add(&st.Tasks[i].Stats)
	}
	return sum
}

// outline returns the state without what is unexplored.
func (st *state) outline() *state {
	o := *st
	o.Stats = st.total()
	o.Frontier, o.Tasks, o.Left, o.Suspended = nil, nil, nil, nil
	return &o
}

// lookAgain has the exhaustive search begin again, since it looks at more now. What was shown of
// short runs is not shown any more.
func (st *state) lookAgain() {
	st.Length = 0
	st.divideAgain()
}

// divideAgain has a phase that is divided begin again.
func (st *state) divideAgain() {
	if st.Divided {
		st.Divided, st.Size = false, size{}
		st.Frontier, st.Tasks, st.Left = nil, nil, nil
		st.Stats.CutLength, st.Stats.LeftOut = false, nil
	}
}

// unexplored returns the number of items that are known and were not explored.
func (st *state) unexplored() int {
	n := len(st.Frontier) + len(st.Left)
	for i := range st.Tasks {
		n += len(st.Tasks[i].Items)
	}
	return n
}

// endTask takes the result of the round's first task.
func (st *state) endTask() {
	t := &st.Tasks[0]
	st.Stats.Add(&t.Stats)
	st.Left = append(st.Left, t.Items...)
	st.Tasks = st.Tasks[1:]
}

// endRound makes what the tasks have left over the front of the frontier.
func (st *state) endRound() {
	slices.Reverse(st.Left)
	st.Frontier = append(st.Frontier, st.Left...)
	st.Left = nil
}

// maxFrontier bounds the unexplored items, in bytes. What several have in common counts once.
const maxFrontier = 32 << 20

// bound drops the items at the back of a frontier that has become too large, and returns the
// size of the others.
func (st *state) bound() int64 {
	size, i := 0, len(st.Frontier)
	counted := map[*strategy.Base]bool{}
	for i > 0 {
		it := &st.Frontier[i-1]
		more := len(it.Data)
		for b := it.Base; b != nil && !counted[b]; b = b.From {
			more += len(b.Data)
			counted[b] = true
		}
		if size+more > maxFrontier {
			break
		}
		i--
		size += more
	}
	if i > 0 {
		st.Frontier = slices.Delete(st.Frontier, 0, i)
		st.Stats.LeaveOut(dropped())
	}
	return int64(size)
}

// dropped says why a search has left out the runs of items that it has dropped.
func dropped() string {
	return fmt.Sprintf("more than %d MiB of runs waited to be made; the last ones were dropped", maxFrontier>>20)
}
