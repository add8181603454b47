package waits

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

// begin starts three goroutines, of which g1 has started g2 and g3, and the objects that they wait at.
const begin = `
	g0 new o1 memory 0 - 0 "chan receive"
	g0 new o2 memory 0 - 0 mutex
	g0 fork g1 -
	g1 begin
	g1 fork g2 -
	g2 begin
	g1 fork g3 -
	g3 begin
`

func TestWaits(t *testing.T) {
	for _, test := range []struct {
		name, events string
		info         analysis.Info
		want         []string
	}{
		{"nobody waits", `g1 end`, Abandoned, nil},
		{"who has started it has ended", "g2 pending <semacq o1.2>\ng1 end", Abandoned, []string{"leak: g1.1 fork, g2.1 pending"}},
		{"who has started it goes on", "g2 pending <semacq o1.2>", Abandoned, nil},
		{"who has started it waits, too, but may be woken", "g2 pending <semacq o1.2>\ng1 pending <semacq o1.1>", Abandoned, nil},
		{"it was woken", "g2 yield\ng1 semrel o1.2\ng1 end", Abandoned, nil},
		{"it was woken and waits again", "g1 semrel o1.2\ng2 semacq o1.2\ng2 pending <semacq o1.2>\ng1 end", Abandoned, []string{"leak: g1.1 fork, g2.2 pending"}},
		{"a partner goes on", "g3 semrel o1.2\ng2 semacq o1.2\ng2 pending <semacq o1.2>\ng1 end", Abandoned, nil},
		{"a partner waits, too", "g3 semrel o1.2\ng2 semacq o1.2\ng2 pending <semacq o1.2>\ng3 pending <semacq o1.3>\ng1 end", Abandoned, []string{"leak: g1.1 fork, g2.2 pending, g1.2 fork, g3.2 pending"}},
		{"a partner has ended", "g3 semrel o1.2\ng2 semacq o1.2\ng2 pending <semacq o1.2>\ng3 end\ng1 end", Abandoned, []string{"leak: g1.1 fork, g2.2 pending"}},
		{"two that have nothing to do with each other", "g2 pending <semacq o1.2>\ng3 pending <semacq o2.3>\ng1 end", Abandoned, []string{"leak: g1.1 fork, g2.1 pending", "leak: g1.2 fork, g3.1 pending"}},
		{"short", "@time 5\ng2 yield\n@time 9\ng3 semrel o2.2\n@time 10000004\ng2 semacq o2.2", LongLock, nil},
		{"long", "@time 5\ng2 yield\n@time 9\ng3 semrel o2.2\n@time 10000005\ng2 semacq o2.2", LongLock, []string{"long wait for a lock: g2.1 yield, g3.1 semrel"}},
		{"long for a channel", "@time 5\ng2 yield\n@time 9\ng3 semrel o1.2\n@time 10000005\ng2 semacq o1.2", LongLock, nil},
		{"without times", "g2 yield\ng3 semrel o2.2\n@time 10000005\ng2 semacq o2.2", LongLock, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, test.info, begin+test.events); !slices.Equal(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}
