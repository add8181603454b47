package page

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
)

// A Page is what the report shows.
type Page struct {
	Title    string     `json:"title"`
	Tool     string     `json:"tool"` // which version of everyway has made it
	Targets  []*Target  `json:"targets,omitempty"`
	Findings []*Finding `json:"findings"`
	Files    []*File    `json:"files"`
}

// A Target is what became of a target that was searched.
type Target struct {
	Name     string   `json:"name"`
	Verdict  string   `json:"verdict"`
	Runs     string   `json:"runs"` // how many were made, of about how many, if that is known
	Seconds  float64  `json:"seconds"`
	Branches int      `json:"branches"`
	Covered  int      `json:"covered"`
	Why      []string `json:"why,omitempty"` // reasons for an open verdict, or the bounds of one that holds
	Cached   bool     `json:"cached,omitempty"`
}

// A File is a source file. Positions refer to it by its place in Page.Files.
type File struct {
	Name   string  `json:"name"` // as it is shown
	Text   string  `json:"text"`
	Blocks []Block `json:"blocks,omitempty"` // that the searches have executed or not; nil if that is not known
}

// A Block is a part of a file: from a line and column to before another one. Lines and columns are
// counted from 1, columns in bytes.
type Block struct {
	Line      int  `json:"l"`
	Column    int  `json:"c"`
	EndLine   int  `json:"el"`
	EndColumn int  `json:"ec"`
	Executed  bool `json:"x"`
}

// A Finding is something wrong, and the run that shows it.
type Finding struct {
	Target  string   `json:"target"`
	Kind    string   `json:"kind"`
	Message string   `json:"message"`
	Where   string   `json:"where"`            // file:line:column
	Others  []string `json:"others,omitempty"` // the other access of a race, the other goroutines of a deadlock
	Why     string   `json:"why,omitempty"`    // in which order of two steps it would pass, or the like
	Input   []string `json:"input,omitempty"`  // assignments
	Replay  string   `json:"replay,omitempty"` // the command
	Notes   []string `json:"notes,omitempty"`
	Run     *Run     `json:"run,omitempty"` // nil if the run could not be made again; then Notes says why
}

// A Run is a run, point by point.
type Run struct {
	Goroutines []Goroutine `json:"goroutines"`
	Points     []Point     `json:"points"`
	Edges      []Edge      `json:"edges"`
	At         int         `json:"at"` // the point to begin with: where the finding shows
	// Keys are what there is of a state, and Values what it may be; changes of points refer to both.
	Keys   []string          `json:"keys"`
	Values []json.RawMessage `json:"values"`
}

// A Goroutine is a lane.
type Goroutine struct {
	Name  string `json:"name"`
	Title string `json:"title"` // what it runs and where it was started
}

// A PointKind says what a point is.
type PointKind int

// The kinds of points.
const (
	Line PointKind = iota // a goroutine has come to another line
	Step                  // an operation that others can notice is about to be carried out
	End                   // of the run
)

// A Point is a place in a run.
type Point struct {
	Kind      PointKind `json:"k"`
	Goroutine int       `json:"g"` // lane; -1 for timers
	File      int       `json:"f"` // -1 for none
	Line      int       `json:"l"`
	Text      string    `json:"t,omitempty"` // of a Step: what it does
	Matters   bool      `json:"m,omitempty"` // the finding depends on the step
	// Changes are pairs of a key and its value: what differs from the state at the point before.
	Changes []int `json:"s,omitempty"`
}

// An Edge leads from a step of one goroutine to a later one of another, by their points.
type Edge struct {
	From int `json:"a"`
	To   int `json:"b"`
	// Reads says that the later one reads what the earlier one has written: an interference. Otherwise one
	// happens before the other, since they synchronise.
	Reads bool `json:"r,omitempty"`
}

//go:embed assets
var assets embed.FS

// Write writes the page as an HTML file.
func (p *Page) Write(w io.Writer) error {
	data, err := json.Marshal(p) // with <, > and & escaped, so that nothing in it ends the script
	if err != nil {
		return fmt.Errorf("encoding the report: %w", err)
	}
	parts := map[string]string{}
	for _, name := range []string{"page.html", "page.css", "page.js"} {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		parts[name] = string(text)
	}
	t, err := template.New("page").Parse(parts["page.html"])
	if err != nil {
		return fmt.Errorf("the template of the report: %w", err)
	}
	err = t.Execute(w, struct {
		Title  string
		Style  template.CSS
		Script template.JS
		Data   template.JS
	}{p.Title, template.CSS(parts["page.css"]), template.JS(parts["page.js"]), template.JS(data)})
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
