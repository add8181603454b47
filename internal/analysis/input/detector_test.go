package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

const two = `
	g0 new o1 memory 0 - 0 -
	g0 write o1.1 u8:0 -
	g0 fork g1 -
	g1 begin
`

// unknown has two inputs and, for each, a value of which it is not known how it is computed.
const unknown = `
	g0 symbol v1 u8:0 i
	g0 symbol v2 u8:1 j
	g0 let v3 u8:7
	g0 new o1 memory 0 - 0 -
	g0 new o2 memory 0 - 0 -
	g0 unopr foo v1 v4
	g0 unopr foo v2 v5`

// indexes has two writes, to cells that these inputs choose.
const indexes = `
	g0 fork g1 -
	g1 begin
	g0 fork g2 -
	g2 begin
	@depends <v1>
	g1 write o2.0 u8:1 -
	@depends <v2>
	g2 write o2.1 u8:1 -`

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
		{"indexes that a function of which nothing is known keeps apart, through memory", unknown + `
			g0 write o1.2 u8:7 v4
			g0 write o1.3 u8:7 v5
			g0 acq o1.9 mutex
			g0 read o1.2 u8:7 v6
			g0 read o1.3 u8:7 v7
			g0 rel o1.9
			g0 binopr eq v6 v3 v8
			g0 branch v8 true
			g0 binopr eq v7 v3 v9
			g0 branch v9 true` + indexes, nil},
		{"the same, through a channel", unknown + `
			g0 new o3 chan 2 - 0 -
			g0 send o3 u8:7 v4 -
			g0 send o3 u8:7 v5 -
			g0 receive o3 u8:7 v6 -
			g0 receive o3 u8:7 v7 -
			g0 binopr eq v6 v3 v8
			g0 branch v8 true
			g0 binopr eq v7 v3 v9
			g0 branch v9 true` + indexes, nil},
		{"the same, through memory whose values are not known", unknown + `
			g0 write o1.2 - v1
			g0 write o1.3 - v2
			g0 read o1.2 u8:0 v6
			g0 read o1.3 u8:1 v7
			g0 binopr ult v6 v7 v8
			g0 branch v8 true` + indexes, nil},
		{"indexes that updates keep apart, in another window", unknown + `
			g0 atomicwrite o1.2 u8:0 v1
			g0 atomicwrite o1.3 u8:1 v2
			g0 symbol v6 u8:0 x
			g0 atomicupdate o1.2 u8:0 v6 u8:0 v6
			g0 symbol v7 u8:1 y
			g0 atomicupdate o1.3 u8:1 v7 u8:1 v7
			g0 binopr ult v6 v7 v8
			g0 branch v8 true` + strings.Repeat("\ng0 acq o1.9 mutex\ng0 rel o1.9", 1200) + indexes, nil},
		{"places that add different numbers to what chooses a cell, of which one shows how far apart cells are", unknown + `
			g0 symbol v6 u8:0 k
			g0 symbol v7 u8:1 l
			g0 symbol v8 u8:2 m
			@depends <v6>
			@location a.go 1 1 f
			g0 write o2.0 u8:1 -
			@depends <v7>
			@location a.go 2 1 f
			g0 write o2.5 u8:1 -
			@depends <v8>
			@location a.go 2 1 f
			g0 write o2.6 u8:1 -` + indexes, []string{"data race: g1.1 write, g2.1 write"}},
		{"indexes that are the same only if one that is negative were not", two + `
			g0 symbol v1 i8:3 i
			g0 symbol v2 i8:125 j
			g0 symbol v3 i8:0 k
			g0 symbol v4 i8:1 l
			g0 let v5 i8:124
			g0 binopr slt v5 v2 v6
			g0 branch v6 true
			g0 fork g2 -
			g2 begin
			@depends <v3>
			@location a.go 1 1 f
			g0 write o1.0 i8:1 -
			@depends <v4>
			@location a.go 1 1 f
			g0 write o1.1 i8:1 -
			@depends <v1>
			@location a.go 2 1 f
			g0 write o1.3 i8:1 -
			@depends <v2>
			@location a.go 3 1 f
			g2 write o1.129 i8:1 -`, nil},
		{"indexes that may be the same, whatever else a function gets", unknown + `
			g0 binopr foo v4 v5 v6` + indexes, []string{"data race: g1.1 write, g2.1 write"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestShared has a value that is computed from another one twice, and so on.
func TestShared(t *testing.T) {
	events := strings.Builder{}
	events.WriteString(unknown)
	for i := range 60 {
		fmt.Fprintf(&events, "\ng0 binopr foo v%d v%d v%d", i+5, i+5, i+6)
	}
	events.WriteString("\ng0 binopr eq v65 v3 v66\ng0 branch v66 true" + indexes)
	if got, want := analysistest.Find(t, Info, events.String()), []string{"data race: g1.1 write, g2.1 write"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
