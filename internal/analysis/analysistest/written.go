package analysistest

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
)

// A Case is a schedule that is written down, as Find takes it, with what a detector finds in it.
type Case struct {
	Name, Events string
	Want         []string
}

// Check checks what a detector finds in some schedules.
func Check(t *testing.T, info analysis.Info, cases ...Case) {
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if got := Find(t, info, c.Events); !slices.Equal(got, c.Want) {
				t.Errorf("got %q, want %q", got, c.Want)
			}
		})
	}
}

// Two begins schedules of two goroutines, with memory o1 and a channel o2 with room for a value.
const Two = `
	g0 new o1 memory 0 - 0 -
	g0 new o2 chan 1 - 0 -
	g0 fork g1 -
	g1 begin
`

// SwappedSections is a schedule with a race for which two sections of a lock that end change places, and SwappedWrites
// one with two races, of which one needs two writes in another order.
const (
	SwappedSections = Two + `
		g0 acq o1.9 mutex
		g0 acq o1.8 mutex
		g0 rel o1.8
		g0 write o1.0 - -
		g0 rel o1.9
		g1 acq o1.8 mutex
		g1 rel o1.8
		g1 acq o1.9 mutex
		g1 rel o1.9
		g1 write o1.0 - -`
	SwappedWrites = Two + `
		g0 acq o1.9 mutex
		g0 write o1.1 - -
		g0 write o1.0 - -
		g0 rel o1.9
		g1 write o1.1 - -
		g1 acq o1.9 mutex
		g1 rel o1.9
		g1 write o1.0 - -`
)

// SwappedAdds is a schedule with a race for which two additions to a wait group change places.
const SwappedAdds = Two + `
	g0 acq o1.9 mutex
	g0 add o1.7 1
	g0 write o1.0 - -
	g0 rel o1.9
	g1 add o1.7 1
	g1 acq o1.9 mutex
	g1 rel o1.9
	g1 write o1.0 - -`

// Late returns schedules in which critical sections can, or cannot, begin later than they did: for detectors that
// change the order of sections.
func Late() []Case {
	return []Case{
		{"a section that begins late", Two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.3 write"}},
		{"a section that another one has seen", Two + `
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a section in one that begins late, and another later", Two + `
			g0 acq o1.9 mutex
			g0 acq o1.8 mutex
			g0 rel o1.8
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 acq o1.8 mutex
			g1 rel o1.8
			g1 write o1.0 - -`, []string{"data race: g0.7 write, g1.5 write"}},
		{"readers, and a writer that begins late", Two + `
			g0 acq o1.9 rwmutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 racq o1.9
			g1 rrel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.3 write"}},
		{"a channel stays in order", Two + `
			g0 write o1.0 - -
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 write o1.0 - -`, nil},
		{"a wait group stays in order", Two + `
			g0 acq o1.9 mutex
			g0 wait o1.7 false
			g0 write o1.0 - -
			g0 rel o1.9
			g1 add o1.7 1
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a message from a section that would begin late", Two + `
			g0 acq o1.9 mutex
			g0 send o2 - - -
			g0 write o1.0 - -
			g0 rel o1.9
			g1 receive o2 - - -
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a common lock", Two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 write o1.0 - -
			g1 rel o1.9`, nil},
		{"a go statement in a section", `
			g0 new o1 memory 0 - 0 -
			g0 acq o1.9 mutex
			g0 fork g1 -
			g1 begin
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"Done before Wait", Two + `
			g0 add o1.7 1
			g1 write o1.0 - -
			g1 add o1.7 -1
			g0 wait o1.7 true
			g0 write o1.0 - -`, nil},
		{"atomic operations that see each other", Two + `
			g0 write o1.0 - -
			g0 atomicwrite o1.1 i64:1 -
			g1 atomicread o1.1 i64:1 -
			g1 write o1.0 - -`, nil},
		{"a lock that another goroutine releases", Two + `
			g0 acq o1.9 mutex
			g1 write o1.0 - -
			g1 rel o1.9
			g0 acq o1.9 mutex
			g0 read o1.0 - -`, nil},
	}
}
