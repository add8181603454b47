package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/narrative"
)

// Bounds of how steps are laid out.
const (
	maxColumns = 4  // goroutines that have a column each
	minColumn  = 34 // width of a column, at least
	maxColumn  = 78 // and at most
	maxName    = 30 // width of the names of goroutines beside their steps, at most
	maxSteps   = 80 // rows of source lines that are shown if not more is asked for
	effectsAt  = 46 // where what a line does begins, in a list of steps
)

// steps writes the steps of a run that matter: with a column for each goroutine if they fit, and otherwise
// one below the other with the names of the goroutines.
func (t *textReport) steps(root string, n *narrative.Narrative) {
	steps := n.Steps(t.Verbose, maxSteps)
	var names []string
	for i := range steps {
		if g := steps[i].Goroutine; g != "" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.SortFunc(names, compareGoroutines)
	l := layout{t: t, root: root, narrative: n, names: names}
	width := min((t.Width-4)/len(names)-2, maxColumn)
	if len(names) > 1 && len(names) <= maxColumns && width >= minColumn {
		l.columns(steps, width)
	} else {
		l.list(steps)
	}
}

// A layout writes steps.
type layout struct {
	t         *textReport
	root      string
	narrative *narrative.Narrative
	names     []string // of the goroutines
}

// label returns what a goroutine is called, with where it was started.
func (l *layout) label(g string) string {
	text := l.narrative.Goroutine(g)
	if at := l.narrative.Started(g); at != "" {
		text += ", " + at
	}
	if l.t.Verbose && text != g {
		text += " (" + g + ")"
	}
	return text
}

// columnLabel returns the label of a goroutine, or as much of it as a column has room for. Where it
// was started goes first.
func (l *layout) columnLabel(g string, width int) string {
	if text := l.label(g); utf8.RuneCountInString(text) <= width {
		return text
	}
	if name := l.narrative.Goroutine(g); utf8.RuneCountInString(name) > width-len(", …") {
		return clipName(name, width)
	}
	return clip(l.label(g), width)
}

// columns writes a column of the given width for each goroutine.
func (l *layout) columns(steps []narrative.Step, width int) {
	var head strings.Builder
	for i, g := range l.names {
		label := l.columnLabel(g, width)
		head.WriteString(l.t.paint(styleOf(i), label) + strings.Repeat(" ", width+2-utf8.RuneCountInString(label)))
	}
	fmt.Fprintf(l.t, "    %s\n", strings.TrimRight(head.String(), " "))
	rule := strings.Repeat("-", width) + "  "
	fmt.Fprintf(l.t, "    %s\n", l.t.paint(faint, strings.TrimRight(strings.Repeat(rule, len(l.names)), " ")))
	for i := range steps {
		s := &steps[i]
		column := slices.Index(l.names, s.Goroutine)
		indent := strings.Repeat(" ", 4+(width+2)*max(column, 0))
		switch {
		case s.Folded > 0:
			fmt.Fprintf(l.t, "%s%s\n", indent, l.t.paint(faint, folded(s)))
		case column < 0:
			fmt.Fprintf(l.t, "%s%s\n", indent, s.Effects[0].Text)
		default:
			where, source := l.where(s), l.t.source(l.root, s.Pos)
			if text := clip(where+source, width); strings.TrimSpace(text) != "" {
				fmt.Fprintf(l.t, "%s%s\n", indent, l.located(text, where))
			}
			for _, e := range effects(s, source) {
				deeper := "    "
				if s.Inside {
					deeper = "      "
				}
				for i, line := range wrap(e.Text, width-len(deeper)-2) {
					if i > 0 {
						line = "  " + line
					}
					fmt.Fprintf(l.t, "%s%s%s\n", indent, deeper, l.final(e, line))
				}
			}
		}
	}
}

// list writes the steps one below the other. The name of a goroutine stands where its steps begin.
func (l *layout) list(steps []narrative.Step) {
	room := 0
	for _, g := range l.names {
		room = max(room, min(utf8.RuneCountInString(l.narrative.Goroutine(g)), maxName))
	}
	last := ""
	for i := range steps {
		s := &steps[i]
		name := ""
		if s.Goroutine != last {
			name, last = s.Goroutine, s.Goroutine
		}
		at := slices.Index(l.names, name)
		text := ""
		if name != "" {
			text = clipName(l.narrative.Goroutine(name), room)
		}
		margin := "    " + l.t.paint(styleOf(max(at, 0)), text) + strings.Repeat(" ", room+2-utf8.RuneCountInString(text))
		switch {
		case s.Folded > 0:
			fmt.Fprintf(l.t, "%s%s\n", margin, l.t.paint(faint, folded(s)))
		case s.Goroutine == "":
			fmt.Fprintf(l.t, "%s%s\n", margin, s.Effects[0].Text)
		default:
			l.row(margin, strings.Repeat(" ", 4+room+2), s, max(l.t.Width-4-room-2, 2*minColumn))
		}
	}
}

// row writes a step in a list: the source line, with what it does beside it.
func (l *layout) row(margin, below string, s *narrative.Step, width int) {
	where, source := l.where(s), l.t.source(l.root, s.Pos)
	list := effects(s, source)
	room := width
	if len(list) > 0 {
		room = min(effectsAt, width/2)
	}
	line := clip(where+source, room)
	painted := l.located(line, where)
	if len(list) == 0 {
		fmt.Fprintf(l.t, "%s\n", strings.TrimRight(margin+painted, " "))
		return
	}
	first := margin + painted + strings.Repeat(" ", room-utf8.RuneCountInString(line)) + "  "
	for _, e := range list {
		for i, text := range wrap(e.Text, max(width-room-4, minColumn)) {
			if i > 0 {
				text = "  " + text
			}
			fmt.Fprintf(l.t, "%s%s\n", first, l.final(e, text))
			first = below + strings.Repeat(" ", room) + "  "
		}
	}
}

// wrap breaks a text into lines of at most so many characters, between words if there is a place.
func wrap(text string, width int) []string {
	var lines []string
	for utf8.RuneCountInString(text) > width {
		runes := []rune(text)
		at := width
		for k := width; k > width/4; k-- {
			if runes[k] == ' ' {
				at = k
				break
			}
		}
		lines = append(lines, string(runes[:at]))
		text = strings.TrimPrefix(string(runes[at:]), " ")
	}
	return append(lines, text)
}

// where is the place of a step before its source line.
func (l *layout) where(s *narrative.Step) string {
	at := l.t.shortPosition(s.Pos)
	if at == "" {
		return ""
	}
	if s.Inside {
		at = "  " + at
	}
	return at + "  "
}

// located paints the place at the beginning of a line.
func (l *layout) located(line, where string) string {
	if rest, ok := strings.CutPrefix(line, where); ok {
		return l.t.paint(faint, where) + rest
	}
	return line
}

// final paints what an effect does if that is the end.
func (l *layout) final(e narrative.Effect, text string) string {
	if e.Final {
		return l.t.paint(failure, text)
	}
	return text
}

// folded says how many steps are left out.
func folded(s *narrative.Step) string {
	if s.Folded == 1 {
		return "… 1 more step"
	}
	return fmt.Sprintf("… %d more steps", s.Folded)
}

// effects returns the effects of a step that its source line does not show.
func effects(s *narrative.Step, source string) []narrative.Effect {
	return slices.DeleteFunc(slices.Clone(s.Effects), func(e narrative.Effect) bool {
		if e.Text == "" {
			return true
		}
		return !strings.HasPrefix(source, "defer ") &&
			slices.ContainsFunc(e.Shown, func(text string) bool { return strings.Contains(source, text) })
	})
}
