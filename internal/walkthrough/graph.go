package walkthrough

import (
	"strings"

	"github.com/everyway-go/everyway/internal/engine/inspect"
)

// Bounds of what is shown of the objects that variables refer to.
const (
	maxDepth = 4  // of references, from a variable
	maxRows  = 16 // parts of an object
	maxNodes = 48 // objects of a goroutine
)

// A graph notes the variables of a goroutine and the objects that they refer to.
type graph struct {
	walker *walker
	seen   map[string]bool // objects
}

// A row is a variable or a part of an object.
type row struct {
	Name string `json:"n"`
	Text string `json:"t"`
	Ref  string `json:"r,omitempty"` // the object to which it refers
	Type string `json:"y,omitempty"`
	Kind string `json:"k,omitempty"` // of a variable
}

// An object is drawn as a box.
type object struct {
	Title string `json:"t"`
	Rows  []row  `json:"r"`
}

// variables returns the variables of a call that are in scope.
func (g *graph) variables(f inspect.Frame) []row {
	list := []row{}
	for _, v := range g.walker.session.Variables(f) {
		if v.Shadowed {
			continue
		}
		r := g.row(v.Name, v.Value, maxDepth)
		r.Kind, r.Type = string(v.Kind), v.Value.Type.String()
		if missing := v.Value.Missing(); missing != "" {
			r.Text = missing
		}
		list = append(list, r)
	}
	return list
}

// row returns a row for a value, and notes the object to which it refers.
func (g *graph) row(name string, v inspect.Value, depth int) row {
	r := row{Name: name, Text: v.String()}
	if v.Missing() != "" {
		return r
	}
	if elem, ok := v.Elem(); ok && v.Object() == "" {
		v = elem // what is in an interface
	}
	if id := v.Object(); id != "" {
		r.Ref = id
		g.object(id, v, depth-1)
	}
	return r
}

// object notes an object to which a value refers.
func (g *graph) object(id string, v inspect.Value, depth int) {
	if g.seen[id] || depth < 0 || len(g.seen) >= maxNodes || strings.HasPrefix(v.Type.String(), "*testing.") {
		return // of a testing.T everything is behind it, and nothing of it matters
	}
	g.seen[id] = true
	o := object{Title: v.Type.String() + " " + id, Rows: []row{}}
	parts := v.Parts()
	for i, p := range parts {
		if i == maxRows {
			o.Rows = append(o.Rows, row{Name: "…"})
			break
		}
		name := p.Name
		if name == "" {
			name = "*"
		}
		o.Rows = append(o.Rows, g.row(name, p.Value, depth))
	}
	if len(parts) == 0 {
		o.Rows = append(o.Rows, row{Name: "", Text: v.String()})
	}
	g.walker.set("H"+id, o)
}
