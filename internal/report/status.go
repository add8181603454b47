package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A Terminal is a screen on which a line says how far the searches are.
type Terminal struct {
	To    io.Writer
	Width func() int // in columns, now
}

// A status is the line on a terminal that says how far the searches are. Whatever else is
// written there is written while the line is cleared. The nil status is on no terminal.
type status struct {
	Terminal
	now func() time.Time

	start          time.Time
	targets        int // that are to be searched, as far as they are known
	ended, failing int
	running        []progress // in the order in which they began
	shown          bool
	drawn          time.Time
}

// A progress is how far a search is that is under way.
type progress struct {
	pkg, target string
	text        string
}

// drawEvery is how often the line changes at most.
const drawEvery = 100 * time.Millisecond

func newStatus(c Config) *status {
	if c.Terminal == nil || c.Verbose {
		return nil
	}
	return &status{Terminal: *c.Terminal, now: c.Now}
}

func (s *status) loaded(targets int) {
	if s == nil {
		return
	}
	s.start, s.targets = s.now(), targets
}

// update notes how far a search is.
func (s *status) update(pkg, target, text string) {
	if s == nil {
		return
	}
	if i := s.find(pkg, target); i >= 0 {
		s.running[i].text = text
	} else {
		s.running = append(s.running, progress{pkg, target, text})
	}
	s.draw()
}

func (s *status) find(pkg, target string) int {
	return slices.IndexFunc(s.running, func(p progress) bool { return p.pkg == pkg && p.target == target })
}

// remove notes that a search is not under way any more.
func (s *status) remove(pkg, target string) {
	if s == nil {
		return
	}
	if i := s.find(pkg, target); i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
	}
}

// end notes the verdict of a search.
func (s *status) end(r *verdict.Result) {
	if s == nil {
		return
	}
	s.remove(r.Package, r.Target)
	s.ended++
	s.targets = max(s.targets, s.ended)
	if r.Verdict == verdict.Fails {
		s.failing++
	}
	s.draw()
}

// draw writes the line unless it was written a moment ago.
func (s *status) draw() {
	now := s.now()
	if s.shown && now.Sub(s.drawn) < drawEvery {
		return
	}
	s.drawn, s.shown = now, true
	// The last column stays empty, since some terminals begin a new line after it.
	fmt.Fprintf(s.To, "\r\x1b[K%s", clip(s.text(now), max(s.Width()-1, 1)))
}

// clear removes the line, so that something else can be written.
func (s *status) clear() {
	if s != nil && s.shown {
		io.WriteString(s.To, "\r\x1b[K")
		s.shown = false
	}
}

// A clearing is a writer that clears the status line before something is written.
type clearing struct {
	status *status
	to     io.Writer
}

func (c clearing) Write(data []byte) (int, error) {
	c.status.clear()
	return c.to.Write(data)
}

// text is what the line says. What is cut off on a narrow screen comes last.
func (s *status) text(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d targets", s.ended, s.targets)
	if s.failing > 0 {
		fmt.Fprintf(&b, ", %d failing", s.failing)
	}
	fmt.Fprintf(&b, ", %s", now.Sub(s.start).Truncate(time.Second))
	for i, p := range s.running {
		b.WriteString(map[bool]string{true: " | ", false: "; "}[i == 0])
		b.WriteString(p.pkg[strings.LastIndexByte(p.pkg, '/')+1:] + "." + p.target)
		if p.text != "" {
			b.WriteString(": " + p.text)
		}
	}
	return b.String()
}
