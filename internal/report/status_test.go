package report

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A screen shows what is written to a terminal: complete lines, and the line in which the cursor
// is.
type screen struct {
	lines []string
	line  string
	wide  int // the longest line that was written without clearing
}

func (s *screen) Write(data []byte) (int, error) {
	text := string(data)
	for text != "" {
		switch {
		case strings.HasPrefix(text, "\r\x1b[K"):
			s.line, text = "", text[len("\r\x1b[K"):]
		case text[0] == '\n':
			s.lines, s.line, text = append(s.lines, s.line), "", text[1:]
		default:
			n := strings.IndexAny(text, "\r\n")
			if n < 0 {
				n = len(text)
			}
			s.line, text = s.line+text[:n], text[n:]
			s.wide = max(s.wide, utf8.RuneCountInString(s.line))
		}
	}
	return len(data), nil
}

// TestStatus has searches of three targets on a terminal that gets narrower.
func TestStatus(t *testing.T) {
	var out screen
	now := time.Unix(0, 0)
	width := 120
	r := newText(Config{
		Stdout: &out, Stderr: &out, Dir: "/m",
		Now:      func() time.Time { return now },
		Terminal: &Terminal{To: &out, Width: func() int { return width }},
	})
	shows := func(want string) {
		t.Helper()
		if out.line != want {
			t.Errorf("the terminal shows %q, want %q", out.line, want)
		}
	}
	of := func(target string, v verdict.Verdict, runs, estimate int) *verdict.Result {
		return &verdict.Result{Package: "example.com/m", Target: target, Elapsed: 2 * time.Second, Totals: verdict.Totals{Verdict: v, Runs: runs, Estimate: estimate, Degree: -1}}
	}
	r.Loaded(3, time.Second)
	shows("")
	r.Started("example.com/m", "TestA")
	shows("0 of 3 targets, 0s | m.TestA")
	r.Started("example.com/m", "TestB") // too early for another line
	shows("0 of 3 targets, 0s | m.TestA")
	now = now.Add(2500 * time.Millisecond)
	r.Progress(of("TestB", "", 1200, 4800))
	shows("0 of 3 targets, 2s | m.TestA; m.TestB: 1,200 of about 4,800 runs, 25%, 2s")
	now = now.Add(time.Second)
	r.Found(result(), lost())
	shows("")
	if len(out.lines) == 0 || out.lines[0] != "--- FAIL: FuzzX (0.25s)" {
		t.Errorf("the terminal shows %q above the status, want the finding", out.lines)
	}
	out.lines = nil
	r.Ended(of("TestB", verdict.Fails, 1, 0))
	shows("1 of 3 targets, 1 failing, 3s | m.TestA")
	if len(out.lines) != 1 || !strings.HasPrefix(out.lines[0], "fails   example.com/m.TestB\t") {
		t.Errorf("the terminal shows %q above the status, want the verdict", out.lines)
	}
	width, out.wide = 20, 0
	now = now.Add(time.Second)
	r.Progress(of("TestA", "", 1, 0))
	shows("1 of 3 targets, 1 …")
	if out.wide >= width {
		t.Errorf("a line of %d columns on a terminal of %d", out.wide, width)
	}
	r.Done(5 * time.Second)
	shows("")
}

// TestNoStatus checks that nothing but the report is written where no terminal is, and with
// -v.
func TestNoStatus(t *testing.T) {
	for _, format := range Formats() {
		for _, verbose := range []bool{false, true} {
			if format.Name == "text" && !verbose {
				continue
			}
			var stdout, stderr, screen bytes.Buffer
			r := format.New(Config{
				Stdout: &stdout, Stderr: &stderr, Verbose: verbose,
				Terminal: &Terminal{To: &screen, Width: func() int { return 80 }},
			})
			r.Loaded(2, time.Second)
			r.Started("example.com/m", "FuzzX")
			r.Progress(result())
			r.Ended(result())
			r.Done(time.Second)
			if screen.Len() > 0 {
				t.Errorf("%s (verbose: %v): the terminal got %q", format.Name, verbose, &screen)
			}
		}
	}
}
