package guided

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/strategy"
)

// A farthest is the run that has come farthest along its abstract trace set, relative to what was left of that.
type farthest struct {
	known  bool
	set    set
	left   set
	trace  int // index of the one that has not been matched to its end
	branch *step
}

// note notes a run that has ended without reaching the goal.
func (f *farthest) note(sc *scheduler) {
	if f.known && sc.left.length() >= f.left.length() {
		return
	}
	*f = farthest{known: true, set: sc.set, left: sc.left}
	for i, t := range sc.left {
		if len(t) > len(sc.left[f.trace]) {
			f.trace = i
		}
	}
	if sc.outcome.kind != ended {
		f.trace, f.branch = sc.outcome.trace, &sc.outcome.left[0]
	}
}

// noteRun notes the run of another one.
func (f *farthest) noteRun(other farthest) {
	if other.known && (!f.known || other.left.length() < f.left.length()) {
		*f = other
	}
}

// maxShown bounds the locations of a trace that are shown.
const maxShown = 12

// text tells how far the run has come, and which branch did not go the right way; empty if there was no run.
func (f *farthest) text(guide strategy.Guide) string {
	if !f.known {
		return ""
	}
	full, left := f.set[f.trace], f.left[f.trace]
	var lines []string
	for _, st := range full {
		if at := guide.Position(st.at); at != "" && (len(lines) == 0 || lines[len(lines)-1] != at) {
			lines = append(lines, at)
		}
	}
	if over := len(lines) - maxShown; over > 0 {
		lines = append([]string{"…"}, lines[over:]...)
	}
	text := fmt.Sprintf("the run that came farthest passed %d of the %d locations of the abstract trace %s",
		len(full)-len(left), len(full), strings.Join(lines, " → "))
	if f.branch != nil {
		want := "true"
		if f.branch.side == strategy.Else {
			want = "false"
		}
		text += fmt.Sprintf("; at %s, %s was not to be %s", guide.Position(f.branch.at), guide.Condition(f.branch.at), want)
	}
	return text
}
