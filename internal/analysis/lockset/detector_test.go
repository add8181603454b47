package lockset

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

const two = `
	g0 new o1 memory 0 - 0 -
	g0 fork g1 -
	g1 begin
`

func TestSets(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"no lock", two + `
			g0 write o1.0 - -
			g1 read o1.0 - -`, []string{"data race: g0.3 write, g1.1 read"}},
		{"reads", two + `
			g0 read o1.0 - -
			g1 read o1.0 - -`, nil},
		{"one goroutine", two + `
			g0 write o1.0 - -
			g0 read o1.0 - -`, nil},
		{"a common lock", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.8 mutex
			g1 acq o1.9 mutex
			g1 write o1.0 - -`, nil},
		{"another lock, though the schedule orders them", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 acq o1.8 mutex
			g1 write o1.0 - -`, []string{"data race: g0.4 write, g1.4 write"}},
		{"locks for reading", two + `
			g0 racq o1.9
			g0 write o1.0 - -
			g0 rrel o1.9
			g1 racq o1.9
			g1 write o1.0 - -`, []string{"data race: g0.4 write, g1.2 write"}},
		{"a lock for reading, and for writing", two + `
			g0 racq o1.9
			g0 read o1.0 - -
			g0 rrel o1.9
			g1 acq o1.9 rwmutex
			g1 write o1.0 - -`, nil},
		{"atomic", two + `
			g0 atomicwrite o1.0 i64:1 -
			g1 atomicread o1.0 i64:1 -`, nil},
		{"atomic and plain", two + `
			g0 atomicwrite o1.0 i64:1 -
			g1 read o1.0 i64:1 -`, []string{"data race: g0.3 atomicwrite, g1.1 read"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
