package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// A Wish is a text that the code looked for and could not find, whatever the input's
// bytes are, since it is of another length than what was there. No condition says so:
// lengths are concrete. An input with the wanted text in the place of the bytes that were
// there may go the other way; where they came from is what their symbolic values say.
// This is the input-to-state correspondence of Aschermann et al.: REDQUEEN: Fuzzing with
// Input-to-State Correspondence (NDSS 2019), section III.A.
type Wish struct {
	Site SiteID
	// Have are the symbolic values of the bytes that were there, None where a byte is
	// concrete; at least one is symbolic.
	Have []expr.ID
	// Want is what was looked for: its bytes in this run, when they are symbolic too.
	Want []byte
}

// Bounds of the wishes of a run, and of their bytes.
const (
	maxWishes   = 256
	maxWishHave = 256
	maxWishWant = 128
)

// wish records that want was looked for in the place of have, if one of the bytes
// there is symbolic. Both are the two words of a string.
func (m *Machine) wish(g *goroutine, have, want []Word) {
	t := m.trace
	n, k := int(have[1].N), int(want[1].N)
	if len(t.Wishes) == maxWishes || n > maxWishHave || k > maxWishWant || !symbolicText(have) {
		return
	}
	w := Wish{
		Site: m.siteOfTop(g),
		Have: have[0].P.shadowAt(int(have[0].N), n),
		Want: bytesAt(want[0], k),
	}
	for i := range t.Wishes {
		if o := &t.Wishes[i]; o.Site == w.Site && slices.Equal(o.Have, w.Have) && slices.Equal(o.Want, w.Want) {
			return
		}
	}
	w.Have, w.Want = slices.Clone(w.Have), slices.Clone(w.Want)
	t.Wishes = append(t.Wishes, w)
}

// wishEqual records that two strings of different lengths were compared.
func (m *Machine) wishEqual(g *goroutine, x, y []Word) {
	if m.plan.Wishes {
		m.wish(g, x, y)
		m.wish(g, y, x)
	}
}
