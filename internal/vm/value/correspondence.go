package value

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Bounds on the number of correspondences of a run, and on their lengths in bytes.
const (
	maxCorrespondences = 256
	maxHave            = 256
	maxWant            = 128
)

// noteCorrespondence records that have was compared with want, if some byte of have is
// symbolic. Both are the two words of a string.
func (m *Operations) noteCorrespondence(g *state.Goroutine, have, want []heap.Word) {
	t := m.Trace
	n, k := int(have[1].N), int(want[1].N)
	if len(t.Correspondences) == maxCorrespondences || n > maxHave || k > maxWant || !symbolic.IsText(have) {
		return
	}
	w := run.Correspondence{
		Site: m.SiteOfTop(g),
		Have: have[0].P.ShadowAt(int(have[0].N), n),
		Want: heap.BytesAt(want[0], k),
	}
	for i := range t.Correspondences {
		if o := &t.Correspondences[i]; o.Site == w.Site && slices.Equal(o.Have, w.Have) && slices.Equal(o.Want, w.Want) {
			return
		}
	}
	w.Have, w.Want = slices.Clone(w.Have), slices.Clone(w.Want)
	t.Correspondences = append(t.Correspondences, w)
}

// CorrespondEqual records that two strings of different lengths were compared.
func (m *Operations) CorrespondEqual(g *state.Goroutine, x, y []heap.Word) {
	if m.Plan.InputToState {
		m.noteCorrespondence(g, x, y)
		m.noteCorrespondence(g, y, x)
	}
}
