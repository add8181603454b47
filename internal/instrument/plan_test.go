package instrument

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

// What a goroutine was about to do with what others use when one of them failed comes after what
// they did; so it is not with other findings, with what nobody else uses, and with what the
// goroutine that failed was about to do.
func TestHeldUp(t *testing.T) {
	root := t.TempDir()
	at := func(line int) Position { return Position{filepath.Join(root, "x.go"), line, 2} }
	for kind, want := range map[string][]event{
		"panic":     {{goroutine: "0.2", op: "wait group add", pos: at(5), segment: 0}, {goroutine: "0.1", op: "wait group add", pos: at(4), segment: 1}},
		"data race": nil,
	} {
		text := `everyway schedule 3
%decisions 0
%finding ` + kind + `
%message m
%goroutine 0.2
%position x.go:5:2
g0.0 begin
g0.1 new o1 memory 0 g0 1 -
g0.2 new o2 chan 1 g0 2 -
g0.3 fork g1 0.1
g1.0 begin
@location x.go 3 2 f
g1.1 send o2 i64:1 - -
g0.4 fork g2 0.2
g2.0 begin
@location x.go 5 2 f
g2.1 add o1.0 1
@location x.go 6 2 f
g2.2 pending <add o1.0>
@location x.go 4 2 f
g1.2 pending <add o1.0>
@location x.go 9 2 f
g0.5 pending <acq o1.7>
%end
`
		r, err := schedule.ReadRun(strings.NewReader(text), "x.run")
		if err != nil {
			t.Fatal(err)
		}
		var got []event
		for _, e := range NewPlan(r, root).events {
			if e.segment >= 0 {
				got = append(got, event{goroutine: e.goroutine, op: e.op, pos: e.pos, segment: e.segment})
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
	}
}
