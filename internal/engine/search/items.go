package search

import (
	"encoding/json"
	"errors"

	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A savedState is the form of a state in a file. In it, too, what items have in common is there once.
type savedState struct {
	*plainState
	Bases    []savedBase `json:"bases,omitempty"`
	Frontier []savedItem `json:"frontier,omitempty"`
	Tasks    []savedTask `json:"tasks,omitempty"`
	Left     []savedItem `json:"left,omitempty"`
}

type plainState state

// A savedTask is a task with its items.
type savedTask struct {
	worker.Task
	Items []savedItem `json:"items,omitempty"`
}

// A savedItem is an item of which the base has a number, from 1; 0 if it has none.
type savedItem struct {
	Base int    `json:"base,omitempty"`
	Data []byte `json:"data"`
	Size int    `json:"size,omitempty"`
}

// A savedBase is a base that is from one of those before it, if From is not 0.
type savedBase struct {
	From int    `json:"from,omitempty"`
	Data []byte `json:"data"`
}

// MarshalJSON implements json.Marshaler.
func (st *state) MarshalJSON() ([]byte, error) {
	out := savedState{plainState: (*plainState)(st)}
	numbers := map[*strategy.Base]int{}
	number := func(b *strategy.Base) int {
		var anew []*strategy.Base
		for ; b != nil && numbers[b] == 0; b = b.From {
			anew = append(anew, b)
		}
		n := numbers[b]
		for i := len(anew) - 1; i >= 0; i-- {
			out.Bases = append(out.Bases, savedBase{n, anew[i].Data})
			n = len(out.Bases)
			numbers[anew[i]] = n
		}
		return n
	}
	items := func(list []strategy.Item) (saved []savedItem) {
		for _, it := range list {
			saved = append(saved, savedItem{number(it.Base), it.Data, it.Size})
		}
		return saved
	}
	out.Frontier, out.Left = items(st.Frontier), items(st.Left)
	for i := range st.Tasks {
		out.Tasks = append(out.Tasks, savedTask{st.Tasks[i], items(st.Tasks[i].Items)})
	}
	return json.Marshal(&out)
}

// errBase is an error of a file that has no such base.
var errBase = errors.New("an item of which a part is missing")

// UnmarshalJSON implements json.Unmarshaler.
func (st *state) UnmarshalJSON(text []byte) error {
	in := savedState{plainState: (*plainState)(st)}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	bases := make([]*strategy.Base, 1, 1+len(in.Bases))
	for _, b := range in.Bases {
		if b.From < 0 || b.From >= len(bases) {
			return errBase
		}
		bases = append(bases, &strategy.Base{From: bases[b.From], Data: b.Data})
	}
	var err error
	items := func(saved []savedItem) (list []strategy.Item) {
		for _, it := range saved {
			if it.Base < 0 || it.Base >= len(bases) {
				err = errBase
				return nil
			}
			list = append(list, strategy.Item{Base: bases[it.Base], Data: it.Data, Size: it.Size})
		}
		return list
	}
	st.Frontier, st.Left = items(in.Frontier), items(in.Left)
	for _, t := range in.Tasks {
		t.Task.Items = items(t.Items)
		st.Tasks = append(st.Tasks, t.Task)
	}
	return err
}
