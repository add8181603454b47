package happensbefore

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

// two begins schedules of two goroutines, with memory o1, a channel o2 without a buffer and o3
// with two elements.
const two = `
	g0 new o1 memory 0 - 0 -
	g0 new o2 chan 0 - 0 -
	g0 new o3 chan 2 - 0 -
	g0 new o4 timer 0 - 0 -
	g0 new o5 chan 1 - 0 -
	g0 new o6 bubble 0 - 0 -
	g0 fork g1 -
	g1 begin
`

func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"write and read", two + `
			g0 write o1.0 - -
			g1 read o1.0 - -`, []string{"data race: g0.8 write, g1.1 read"}},
		{"reads", two + `
			g0 read o1.0 - -
			g1 read o1.0 - -`, nil},
		{"other cells", two + `
			g0 write o1.0 - -
			g1 write o1.1 - -`, nil},
		{"a write before the go statement", `
			g0 new o1 memory 0 - 0 -
			g0 write o1.0 - -
			g0 fork g1 -
			g1 begin
			g1 write o1.0 - -`, nil},
		{"no edge from the end of a goroutine", two + `
			g1 write o1.0 - -
			g1 end
			g0 write o1.0 - -`, []string{"data race: g1.1 write, g0.8 write"}},
		{"join", two + `
			g1 write o1.0 - -
			g1 end
			g0 join g1
			g0 write o1.0 - -`, nil},
		{"lock", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 write o1.0 - -
			g1 rel o1.9`, nil},
		{"other lock", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.8 mutex
			g1 write o1.0 - -
			g1 rel o1.8`, []string{"data race: g0.9 write, g1.2 write"}},
		{"after the release", two + `
			g0 acq o1.9 mutex
			g0 rel o1.9
			g0 write o1.0 - -
			g1 acq o1.9 mutex
			g1 write o1.0 - -`, []string{"data race: g0.10 write, g1.2 write"}},
		{"readers do not order each other", two + `
			g0 racq o1.9
			g0 write o1.0 - -
			g0 rrel o1.9
			g1 racq o1.9
			g1 write o1.0 - -`, []string{"data race: g0.9 write, g1.2 write"}},
		{"a reader before a writer", two + `
			g0 racq o1.9
			g0 read o1.0 - -
			g0 rrel o1.9
			g1 acq o1.9 rwmutex
			g1 write o1.0 - -`, nil},
		{"a failed try orders nothing", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g1 tryfail o1.9
			g1 read o1.0 - -`, []string{"data race: g0.9 write, g1.2 read"}},
		{"a lock that is overwritten", two + `
			g0 acq o1.9 mutex
			g0 rel o1.9
			g1 write o1.9 - -`, []string{"data race: g0.9 rel, g1.1 write"}},
		{"send before receive", two + `
			g0 write o1.0 - -
			g0 send o3 - - -
			g1 receive o3 - - -
			g1 write o1.0 - -`, nil},
		{"no receive before the completion of a buffered send", two + `
			g1 write o1.0 - -
			g0 send o3 - - -
			g1 receive o3 - - -
			g0 write o1.0 - -`, []string{"data race: g1.1 write, g0.9 write"}},
		{"receive before the completion of a send without a buffer", two + `
			g1 write o1.0 - -
			g0 send o2 - - -
			g1 receive o2 - - -
			g0 write o1.0 - -`, nil},
		{"receive k before send k+c", two + `
			g0 send o3 - - -
			g0 send o3 - - -
			g1 write o1.0 - -
			g1 receive o3 - - -
			g0 send o3 - - -
			g0 write o1.0 - -`, nil},
		{"close before a receive because of it", two + `
			g0 write o1.0 - -
			g0 close o2
			g1 receiveclosed o2 -
			g1 read o1.0 - -`, nil},
		{"a send that panics and a close", two + `
			g0 close o3
			g1 fail -
			@cell o3.0
			g1 fail -`, []string{"data race: g0.8 close, g1.2 fail"}},
		{"a send that panics after a close", two + `
			g0 close o3
			g0 close o2
			g1 receiveclosed o2 -
			@cell o3.0
			g1 fail -`, nil},
		{"a failure and a close of another channel", two + `
			g0 close o2
			@cell o3.0
			g1 fail -`, nil},
		{"Done before Wait", two + `
			g0 add o1.9 1
			g1 write o1.0 - -
			g1 add o1.9 -1
			g0 wait o1.9 true
			g0 read o1.0 - -`, nil},
		{"Add from zero and Wait", two + `
			g0 add o1.9 1
			g1 add o1.9 -1
			g0 wait o1.9 true
			g1 add o1.9 1`, []string{"data race: g0.9 wait, g1.2 add"}},
		{"Add from zero and a Wait that did not wait", two + `
			g0 wait o1.9 false
			g1 add o1.9 1`, nil},
		{"atomic operations", two + `
			g0 write o1.0 - -
			g0 atomicwrite o1.9 i64:1 -
			g1 atomicread o1.9 i64:1 -
			g1 read o1.0 - -`, nil},
		{"the value of another atomic write", two + `
			g0 write o1.0 - -
			g0 atomicwrite o1.9 i64:1 -
			g1 atomicwrite o1.9 i64:2 -
			g1 read o1.0 - -`, []string{"data race: g0.8 write, g1.2 read"}},
		{"atomic and plain", two + `
			g0 atomicwrite o1.0 i64:1 -
			g1 read o1.0 i64:1 -`, []string{"data race: g0.8 atomicwrite, g1.1 read"}},
		{"signal", two + `
			g0 acq o1.8 mutex
			g0 condwait o1.9
			g0 rel o1.8
			g1 write o1.0 - -
			g1 signal o1.9 g0
			g0 condwake o1.9
			g0 write o1.0 - -`, nil},
		{"broadcast", two + `
			g0 acq o1.8 mutex
			g0 condwait o1.9
			g0 rel o1.8
			g1 write o1.0 - -
			g1 signal o1.9 *
			g0 condwake o1.9
			g0 write o1.0 - -
			g1 write o1.0 - -`, []string{"data race: g0.12 write, g1.3 write"}},
		{"once", two + `
			g0 write o1.0 - -
			g0 once o1.9
			g1 onceseen o1.9
			g1 read o1.0 - -`, nil},
		{"semaphore", two + `
			g0 write o1.0 - -
			g0 semrel o1.9
			g1 semacq o1.9
			g1 read o1.0 - -`, nil},
		{"a timer's function", `
			g0 new o1 memory 0 - 0 -
			g0 new o2 timer 0 - 0 -
			g0 write o1.0 - -
			g0 timerset o2
			g0 write o1.1 - -
			timer fire o2 g1 0
			g1 begin
			g1 read o1.0 - -
			g1 read o1.1 - -`, []string{"data race: g0.5 write, g1.2 read"}},
		{"a timer's channel", two + `
			g0 write o1.0 - -
			g0 timerset o5
			timer fire o5 - 0
			g1 receive o5 - - -
			g1 read o1.0 - -`, nil},
		{"a bubble", `
			g0 new o1 memory 0 - 0 -
			g0 new o2 bubble 0 - 0 -
			g0 fork g1 -
			g1 begin
			g1 write o1.0 - -
			g0 bubblewait o2
			g0 bubbleidle o2
			g0 read o1.0 - -
			g1 write o1.0 - -`, []string{"data race: g0.6 read, g1.2 write"}},
		{"three readers", `
			g0 new o1 memory 0 - 0 -
			g0 fork g1 -
			g0 fork g2 -
			g1 begin
			g2 begin
			g0 read o1.0 - -
			g1 read o1.0 - -
			g2 write o1.0 - -`, []string{"data race: g0.4 read, g2.1 write", "data race: g1.1 read, g2.1 write"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
