package drawing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// A Graph is what the inputs of a run are.
type Graph struct {
	Roots   []Part // the inputs that are no parts of objects
	Objects []*Object
}

// An Object is a variable, a map, a channel or a function to which an input leads.
type Object struct {
	Number int
	Type   string // as inputs have it
	Parts  []Part
}

// A Part is an input, or a part of an object.
type Part struct {
	Name string // such as "l", or ".next" in an object
	Text string // the value
	To   int    // the number of the object to which it leads, 0 for none
	Off  int    // the distance in words from the beginning of the object
	Type string
}

// Of returns the graph of inputs.
func Of(input []schedule.Input) *Graph {
	values := map[string]schedule.Input{}
	for _, v := range input {
		values[v.Name] = v
	}
	g := &Graph{}
	for _, v := range schedule.Variables(input) {
		p := Part{Name: v.Name, Text: v.Text, Type: v.Type}
		if strings.HasPrefix(v.Name, "len(") {
			p.Type = values[v.Name].Type // of the slice or map
		}
		if in, ok := values[v.Name]; ok && in.IsPointer() && in.Value != 0 && !isFunction(in) {
			const bits = 24
			p.To, p.Off = int(in.Value&(1<<bits-1)), int(in.Value>>bits)
			if o := g.object(p.To); p.Off == 0 {
				o.Type, _, _ = strings.Cut(in.Type, " = ") // the names of functions that it could be
			}
		}
		number, rest := owner(v.Name)
		if number == 0 {
			g.Roots = append(g.Roots, p)
			continue
		}
		p.Name = rest
		o := g.object(number)
		o.Parts = append(o.Parts, p)
	}
	return g
}

// isFunction reports whether an input is a function of the program, and leads to no object.
func isFunction(v schedule.Input) bool { return !strings.HasPrefix(v.Literal(), "&") }

// object returns the object with a number.
func (g *Graph) object(number int) *Object {
	for _, o := range g.Objects {
		if o.Number == number {
			return o
		}
	}
	o := &Object{Number: number}
	g.Objects = append(g.Objects, o)
	return o
}

// owner returns the number of the object of which an input is a part, 0 for none, and the name of the part.
func owner(name string) (number int, part string) {
	before, after, found := strings.Cut(name, "&")
	if !found || before != "" && before != "len(" && before != "cap(" {
		return 0, name
	}
	digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
	number, err := strconv.Atoi(after[:digits])
	if err != nil {
		return 0, name
	}
	return number, before + after[digits:]
}

// Tree returns the graph as lines of text, without the inputs that lead to no object. What an
// object consists of is shown where it is met first.
func (g *Graph) Tree() []string {
	var lines []string
	seen := map[int]bool{}
	var show func(indent string, parts []Part)
	show = func(indent string, parts []Part) {
		for _, p := range parts {
			name := strings.TrimPrefix(p.Name, ".")
			if p.To == 0 {
				lines = append(lines, fmt.Sprintf("%s%s: %s", indent, name, p.Text))
				continue
			}
			o := g.object(p.To)
			if line := fmt.Sprintf("%s%s: %s", indent, name, p.Text); seen[p.To] {
				lines = append(lines, line+" (above)")
				continue
			} else if typ := strings.TrimPrefix(o.Type, "*"); typ != "" && p.Off == 0 {
				lines = append(lines, line+" "+typ)
			} else {
				lines = append(lines, line)
			}
			seen[p.To] = true
			show(indent+"    ", o.Parts)
		}
	}
	show("", slices.DeleteFunc(slices.Clone(g.Roots), func(p Part) bool { return p.To == 0 }))
	return lines
}

// DOT returns the graph in the language of Graphviz.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph shape {\n\trankdir=LR;\n\tnode [shape=box, fontname=monospace];\n")
	edge := func(from string, p Part) {
		label := strings.TrimPrefix(p.Name, ".")
		if p.Off > 0 {
			label += fmt.Sprintf(" (+%d)", p.Off)
		}
		fmt.Fprintf(&b, "\t%s -> o%d [label=%q];\n", from, p.To, label)
	}
	for i, p := range g.Roots {
		if p.To == 0 {
			fmt.Fprintf(&b, "\tr%d [label=%q, shape=plaintext];\n", i, p.Name+" = "+p.Text)
			continue
		}
		fmt.Fprintf(&b, "\tr%d [label=%q, shape=plaintext];\n", i, p.Name)
		edge(fmt.Sprintf("r%d", i), Part{To: p.To, Off: p.Off})
	}
	for _, o := range g.Objects {
		lines := []string{strings.TrimSpace(fmt.Sprintf("&%d %s", o.Number, strings.TrimPrefix(o.Type, "*")))}
		for _, p := range o.Parts {
			if p.To == 0 {
				lines = append(lines, strings.TrimPrefix(p.Name, ".")+" = "+p.Text)
			}
		}
		fmt.Fprintf(&b, "\to%d [label=%q];\n", o.Number, strings.Join(lines, "\n"))
		for _, p := range o.Parts {
			if p.To != 0 {
				edge(fmt.Sprintf("o%d", o.Number), p)
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}
