package input

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

const two = `
	g0 new o1 memory 0 - 0 -
	g0 write o1.1 u8:0 -
	g0 fork g1 -
	g1 begin
`

func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"a flag that a branch has seen, with another value for which it goes the same way", two + `
			g0 write o1.0 u8:1 -
			g0 acq o1.9 mutex
			g0 write o1.1 u8:5 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 u8:5 v1
			g1 rel o1.9
			g1 let v2 u8:10
			g1 binopr ult v1 v2 v3
			g1 branch v3 true
			g1 write o1.0 u8:2 -`, []string{"data race: g0.4 write, g1.7 write"}},
		{"a flag for which the branch would go the other way", two + `
			g0 write o1.0 u8:1 -
			g0 acq o1.9 mutex
			g0 write o1.1 u8:5 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 u8:5 v1
			g1 rel o1.9
			g1 let v2 u8:4
			g1 binopr ult v2 v1 v3
			g1 branch v3 true
			g1 write o1.0 u8:2 -`, nil},
		{"a flag that is as the input says", two + `
			g0 symbol v1 u8:7 n
			g0 write o1.1 u8:7 v1
			g0 write o1.0 u8:1 -
			g0 acq o1.9 mutex
			g0 write o1.1 u8:5 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 u8:5 v2
			g1 rel o1.9
			g1 let v3 u8:5
			g1 binopr eq v2 v3 v4
			g1 branch v4 true
			g1 write o1.0 u8:2 -`, []string{"data race: g0.5 write, g1.2 read", "data race: g0.6 write, g1.7 write"}},
		{"indexes that are the same for another input", two + `
			g0 symbol v1 u8:2 i
			g0 symbol v2 u8:3 j
			@depends <v1>
			g0 write o1.2 u8:1 -
			@depends <v2>
			g1 write o1.3 u8:1 -`, []string{"data race: g0.6 write, g1.1 write"}},
		{"indexes that cannot be the same", two + `
			g0 symbol v1 u8:2 i
			g0 symbol v2 u8:3 j
			g0 binopr ult v1 v2 v3
			g0 branch v3 true
			g0 fork g2 -
			g2 begin
			@depends <v1>
			g0 write o1.2 u8:1 -
			@depends <v2>
			g2 write o1.3 u8:1 -`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
