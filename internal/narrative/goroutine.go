package narrative

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// A Narrative tells of one run.
type Narrative struct {
	run      *schedule.Run
	position func(pos string) string
	labels   map[string]string // of goroutines, by name
}

// New returns the narrative of a run. Positions in sentences are shown by position, which is given them
// as they are in run files; if it is nil, they are shown so, without the column.
func New(run *schedule.Run, position func(pos string) string) *Narrative {
	if position == nil {
		position = line
	}
	return &Narrative{run: run, position: position, labels: labels(run)}
}

// Goroutine returns what people call a goroutine, such as "Pool.worker #2" or "func at pool.go:153".
func (n *Narrative) Goroutine(name string) string {
	if label, ok := n.labels[name]; ok {
		return label
	}
	return "goroutine " + name
}

// labels names the goroutines of a run. Those that the same statement has started are numbered.
func labels(run *schedule.Run) map[string]string {
	count, nth := make(map[string]int), make(map[string]int)
	for i := range run.Goroutines {
		count[label(run, &run.Goroutines[i])]++
	}
	all := map[string]string{schedule.Timer: "timer"}
	for i := range run.Goroutines {
		g := &run.Goroutines[i]
		text := label(run, g)
		if nth[text]++; count[text] > 1 {
			text += " #" + strconv.Itoa(nth[text])
		}
		all[g.Name] = text
	}
	return all
}

// label is what a goroutine is called if no other one is called so.
func label(run *schedule.Run, g *schedule.Origin) string {
	text := ""
	switch {
	case g.Test != "":
		return g.Test
	case g.Pos == "" && g.Func == "":
		text = "main"
	case g.Pos == "" && g.Literal: // a timer has started it, or the garbage collector
		text = "func of " + literal.ReplaceAllString(calledFunc(g.Func), "")
	case isOfHistory(g):
		text = "goroutine"
	case g.Func == "" || g.Literal:
		text = "func at " + short(g.Pos)
	default:
		text = shortFunc(g.Func)
	}
	if run.OfInitialiser(g.Name) {
		text += " (init)"
	}
	if test := run.TestOf(g.Name); test != "" {
		text += " (" + test + ")"
	}
	return text
}

// literal is what the name of a function literal has beyond that of the function in which it is.
var literal = regexp.MustCompile(`(\.func\d+|\.\d+|\.gowrap\d+)+$`)

// Started returns where a goroutine was started if its name does not say so, empty if it does, or if that
// is not known.
func (n *Narrative) Started(name string) string {
	for i := range n.run.Goroutines {
		if g := &n.run.Goroutines[i]; g.Name == name && g.Test == "" && !g.Literal && g.Pos != "" {
			return short(g.Pos)
		}
	}
	return ""
}

// shortFunc returns the name of a function without that of its package: Pool.worker for
// example.com/m/pool.(*Pool).worker.
func shortFunc(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, ok := strings.Cut(name, ".")
	if !ok {
		return name
	}
	name = strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(name)
	return strings.TrimSuffix(name, "-fm")
}

// calledFunc is shortFunc with the name of the package.
func calledFunc(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	pkg, _, _ := strings.Cut(name, ".")
	return pkg + "." + shortFunc(name)
}

// short returns the base name of the file of a position, and the line.
func short(pos string) string { return path.Base(line(pos)) }

// line returns a position without its column.
func line(pos string) string {
	i := strings.LastIndexByte(pos, ':')
	if i < 0 {
		return pos
	}
	if j := strings.LastIndexByte(pos[:i], ':'); j >= 0 {
		if _, err := strconv.Atoi(pos[j+1 : i]); err == nil {
			return pos[:i]
		}
	}
	return pos
}

// at says where something is.
func (n *Narrative) at(pos string) string {
	if pos == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", n.position(pos))
}

// where says where a goroutine is, unless its name has just said so.
func (n *Narrative) where(goroutine, pos string) string {
	if strings.Contains(n.Goroutine(goroutine)+" ", " "+short(pos)+" ") {
		return ""
	}
	return n.at(pos)
}

// list joins texts as a sentence does.
func list(texts []string) string {
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " and " + texts[len(texts)-1]
}

// named returns the name of what an operation is about, or what there is to be said otherwise.
func named(name, otherwise string) string { return cmp.Or(name, otherwise) }
