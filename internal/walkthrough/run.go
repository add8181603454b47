package walkthrough

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/narrative"
	"github.com/everyway-go/everyway/internal/report/page"
	"github.com/everyway-go/everyway/schedule"
)

// maxPoints is how many points of a run are shown. Of a longer one it is those before the finding, and some
// behind it.
const maxPoints = 20_000

// Run returns the points of a run that a session shows, of a program that was loaded with names. The run
// has the names of goroutines and variables.
func Run(ctx context.Context, s *inspect.Session, prog *program.Program, named *schedule.Run, files *Files) (*page.Run, error) {
	w := &walker{
		session: s, program: prog, files: files, run: &page.Run{Edges: []page.Edge{}},
		lanes: make(map[int32]int), keys: make(map[string]int), values: make(map[string]int), matters: make(map[int]bool),
	}
	at := s.FindingAt()
	w.first = max(0, min(at-maxPoints*3/4, s.Len()-maxPoints))
	end := min(s.Len(), w.first+maxPoints)
	w.events = named.Events
	if len(w.events) != s.NumEvents() {
		w.events = make([]schedule.RunEvent, s.NumEvents())
		for i := range w.events {
			w.events[i] = s.Event(i)
		}
	}
	events := w.events
	run := &schedule.Run{Header: named.Header, Goroutines: named.Goroutines, Events: events}
	w.narrative = narrative.New(run, files.position)
	if run.Finding != nil {
		w.failing = run.Finding.Goroutine
	}
	for _, i := range narrative.Relevant(run) {
		w.matters[i] = true
	}
	for i := w.first; i < end; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.Goto(i); err != nil {
			return nil, fmt.Errorf("going through the run: %w", err)
		}
		w.point(s.Point(i))
	}
	w.addEdges(events, end)
	w.run.At = min(at, end-1) - w.first
	return w.run, nil
}

// A walker makes the points of a run.
type walker struct {
	session   *inspect.Session
	program   *program.Program
	files     *Files
	run       *page.Run
	first     int           // the point that is the first one on the page
	lanes     map[int32]int // of goroutines, by their numbers
	keys      map[string]int
	values    map[string]int      // by their text
	state     []int               // the value of each key, -1 for none yet
	changes   []int               // of the state, at the point that is being made
	matters   map[int]bool        // events that the finding depends on
	events    []schedule.RunEvent // of the run
	failing   string              // the goroutine that the finding is of
	narrative *narrative.Narrative
}

// set notes what the value of a key is at the point.
func (w *walker) set(key string, value any) {
	k, ok := w.keys[key]
	if !ok {
		k = len(w.run.Keys)
		w.keys[key] = k
		w.run.Keys = append(w.run.Keys, key)
		w.state = append(w.state, -1)
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte(`"not available"`) // there are only strings, numbers and lists of them
	}
	v, ok := w.values[string(text)]
	if !ok {
		v = len(w.run.Values)
		w.values[string(text)] = v
		w.run.Values = append(w.run.Values, text)
	}
	if w.state[k] != v {
		w.state[k] = v
		w.changes = append(w.changes, k, v)
	}
}

// point makes the point at which the session stands.
func (w *walker) point(p inspect.Point) {
	s := w.session
	w.changes = nil
	out := page.Point{Goroutine: -1, File: -1}
	switch p.Kind {
	case inspect.Step:
		out.Kind, out.Text = page.Step, p.Op.String()
		// The event of the step is the first one of its operation behind the point.
		for i := int(p.Events); i < len(w.events) && i < int(p.Events)+4; i++ {
			if e := &w.events[i]; e.Op == p.Op && e.Goroutine == s.Name(p.Goroutine) {
				out.Text = strings.TrimSpace(w.narrative.Describe(e))
				out.Matters = w.matters[i]
				break
			}
		}
	case inspect.End: // the reader looks at who has failed
		out.Kind = page.End
		if id, err := s.Lookup(w.failing); err == nil {
			p.Goroutine = id
		}
	}
	goroutines := s.Goroutines()
	status := make([][2]string, 0, len(goroutines))
	for _, g := range goroutines {
		w.lane(g)
	}
	for range w.run.Goroutines {
		status = append(status, [2]string{"", ""})
	}
	for _, g := range goroutines {
		lane := w.lanes[g.ID]
		status[lane][0] = string(g.Status)
		if g.Wait != nil {
			status[lane][1] = g.Wait.String()
		}
		if g.ID == p.Goroutine || p.Kind != inspect.Line {
			w.frames(lane, g.ID)
		}
	}
	if lane, ok := w.lanes[p.Goroutine]; ok {
		out.Goroutine = lane
	}
	out.File, out.Line = w.place(p)
	w.set("G", status)
	w.set("L", w.locks())
	w.set("O", tail(s.Output(), maxOutput))
	w.set("T", s.Now().String())
	out.Changes = w.changes
	w.run.Points = append(w.run.Points, out)
}

// place returns the file and the line of a point, outside the standard library if its goroutine has come from there.
func (w *walker) place(p inspect.Point) (file, line int) {
	s := w.session
	l := s.Location(p)
	if l.File == "" || l.Standard {
		if frames := s.Frames(p.Goroutine); len(frames) > 0 {
			l = frames[inspect.SourceFrame(frames)].Location
		}
	}
	return w.file(l), l.Line
}

// file returns the file of a place, -1 if it is in the standard library, whose sources are left out.
func (w *walker) file(l inspect.Location) int {
	if l.Standard {
		return -1
	}
	return w.files.index(w.program, l.File)
}

// maxOutput is how much of the end of what a run has printed is shown, in bytes.
const maxOutput = 4096

// tail returns the end of a text.
func tail(text string, limit int) string { return text[max(0, len(text)-limit):] }

// lane makes a lane of a goroutine, if it has none.
func (w *walker) lane(g inspect.Goroutine) {
	if _, ok := w.lanes[g.ID]; ok {
		return
	}
	w.lanes[g.ID] = len(w.run.Goroutines)
	title := ""
	if at := w.narrative.Started(g.Name); at != "" {
		title = "started at " + at
	}
	w.run.Goroutines = append(w.run.Goroutines, page.Goroutine{Name: w.narrative.Goroutine(g.Name), Title: title})
}

// shortName returns the name of a function without the directories of its package.
func shortName(name string) string {
	depth := 0
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case ']':
			depth++
		case '[':
			depth--
		case '/':
			if depth == 0 {
				return name[i+1:]
			}
		}
	}
	return name
}

// frames notes where a goroutine is, and its variables.
func (w *walker) frames(lane int, id int32) {
	s := w.session
	frames := s.Frames(id)
	type frame struct {
		Func string `json:"n"`
		File int    `json:"f"`
		Line int    `json:"l"`
		Key  string `json:"v"` // of its variables
	}
	list := []frame{}
	graph := &graph{walker: w, seen: make(map[string]bool)}
	for i, f := range frames {
		if f.Standard && i > 0 {
			continue
		}
		key := fmt.Sprintf("V%d.%d", lane, len(frames)-i)
		list = append(list, frame{shortName(f.Func), w.file(f.Location), f.Line, key})
		w.set(key, graph.variables(f))
	}
	w.set(fmt.Sprintf("F%d", lane), list)
}

// locks returns the locks that are held or waited for: the name, who holds it, and who waits.
func (w *walker) locks() [][3]string {
	list := [][3]string{}
	for _, l := range w.session.Locks() {
		var held, waiting string
		if l.Writer != nil {
			held = w.holder(l.Writer)
		}
		for i := range l.Readers {
			held = join(held, w.holder(&l.Readers[i])+" (reads)")
		}
		for _, g := range l.Waiting {
			waiting = join(waiting, w.narrative.Goroutine(g))
		}
		if held != "" || waiting != "" {
			list = append(list, [3]string{l.Name, held, waiting})
		}
	}
	return list
}

// holder says who holds a lock, and since where.
func (w *walker) holder(h *inspect.Holder) string {
	return w.narrative.Goroutine(h.Goroutine) + " since " + w.files.position(h.Pos)
}

// join joins two parts of a list.
func join(list, more string) string {
	if list == "" {
		return more
	}
	return list + ", " + more
}

// addEdges adds the edges between events of different goroutines up to a point.
func (w *walker) addEdges(events []schedule.RunEvent, end int) {
	of := w.pointsOf(events)
	type cell struct {
		schedule.Object
		offset int32
	}
	last := make(map[cell]int)      // the last event of each cell that others can notice
	spawned := make(map[string]int) // the event that started a goroutine
	edge := func(from, to int, reads bool) {
		a, b := of[from], of[to]
		if events[from].Goroutine != events[to].Goroutine && a >= w.first && b < end && a < b {
			w.run.Edges = append(w.run.Edges, page.Edge{From: a - w.first, To: b - w.first, Reads: reads})
		}
	}
	for i := range events {
		e := &events[i]
		if from, ok := spawned[e.Goroutine]; ok {
			delete(spawned, e.Goroutine)
			edge(from, i, false)
		}
		if e.Op == schedule.Spawn {
			spawned[e.Child] = i
		}
		switch {
		case e.From != nil:
			edge(*e.From, i, dependence.IsRead(e.Op))
		case e.Object != nil && acquires(e.Op):
			if from, ok := last[cell{*e.Object, e.Offset}]; ok {
				edge(from, i, false)
			}
		}
		if e.Object != nil && !dependence.IsRead(e.Op) {
			last[cell{*e.Object, e.Offset}] = i
		}
	}
	slices.SortFunc(w.run.Edges, func(a, b page.Edge) int { return a.From - b.From })
	w.run.Edges = slices.Compact(w.run.Edges)
}

// pointsOf returns the point of each event: the last one of its goroutine that has not more events before it or,
// if there is none, as of its start, the first one of the goroutine.
func (w *walker) pointsOf(events []schedule.RunEvent) []int {
	s := w.session
	points := make(map[string][]int) // by the name of the goroutine
	for i := range s.Len() {
		name := s.Name(s.Point(i).Goroutine)
		points[name] = append(points[name], i)
	}
	of := make([]int, len(events))
	for i := range events {
		list := points[events[i].Goroutine]
		for len(list) > 1 && int(s.Point(list[1]).Events) <= i {
			list = list[1:]
		}
		points[events[i].Goroutine] = list
		if of[i] = -1; len(list) > 0 {
			of[i] = list[0]
		}
	}
	return of
}

// acquires reports whether an operation comes after what was done to its object before.
func acquires(op schedule.Op) bool {
	switch op {
	case schedule.Lock, schedule.RLock, schedule.Recv, schedule.RecvClosed, schedule.WaitGroupWait, schedule.CondWake, schedule.SemAcquire, schedule.OnceSeen:
		return true
	}
	return false
}
