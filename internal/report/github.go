package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A githubReport is text for people in which each finding is also a workflow command, from which GitHub
// Actions makes an annotation at the source line.
type githubReport struct{ *textReport }

func newGitHub(c Config) Report {
	c.Terminal = nil // a log has no line that is written again
	return githubReport{newText(c).(*textReport)}
}

// Found implements verdict.Observer.
func (g githubReport) Found(r *verdict.Result, c *verdict.Counterexample) {
	g.textReport.Found(r, c)
	f := c.Run.Finding
	title := fmt.Sprintf("%s in %s", f.Kind, cmp.Or(f.Test, r.Target))
	message := g.narrative(r.Root, c.Run).Sentence()
	level := "error"
	switch {
	case isSought(f):
		level = "notice"
	case isPossible(c.Run):
		level = "warning"
	}
	g.annotate(level, r.Root, f.Pos, title, message)
	for i := range f.Others {
		g.annotate(level, r.Root, f.Others[i].Pos, title, f.Others[i].Message)
	}
}

// annotate writes a workflow command. A position outside the user's directory has no annotation there.
func (g githubReport) annotate(level, root, pos, title, message string) {
	var at string
	file, rest := splitPosition(pos)
	if strings.HasPrefix(file, "$GOROOT/") {
		file = ""
	}
	if rel, err := filepath.Rel(g.Dir, absolute(root, file)); file != "" && err == nil && filepath.IsLocal(rel) {
		line, column, _ := strings.Cut(strings.TrimPrefix(rest, ":"), ":")
		at = fmt.Sprintf("file=%s,line=%s,", githubProperty.Replace(filepath.ToSlash(rel)), line)
		if column != "" {
			at += fmt.Sprintf("col=%s,", column)
		}
	}
	fmt.Fprintf(g, "::%s %stitle=%s::%s\n", level, at, githubProperty.Replace(title), githubMessage.Replace(message))
}

// What workflow commands have for characters that end their parts.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
