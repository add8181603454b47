package drawing

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Source returns Go statements that build the objects and inputs in package pkg, each input in a
// variable of its name and the type that types has for it. It returns an error if Go cannot: for a
// pointer into an object, a function that is none of the package, an interface, or an object of a
// type of another package.
func (g *Graph) Source(pkg string, types map[string]string) ([]string, error) {
	var made, set []string
	for _, o := range g.Objects {
		name := fmt.Sprintf("o%d", o.Number)
		typ, err := local(o.Type, pkg)
		switch {
		case err != nil:
			return nil, err
		case strings.HasPrefix(typ, "*"):
			made = append(made, fmt.Sprintf("%s := new(%s)", name, typ[1:]))
		case strings.HasPrefix(typ, "map["):
			made = append(made, fmt.Sprintf("%s := %s{}", name, typ))
			lines, err := entries(name, o)
			if err != nil {
				return nil, err
			}
			set = append(set, lines...)
			continue
		case channel.MatchString(typ):
			first, lines, err := sends(name, channel.ReplaceAllString(typ, ""), o)
			if err != nil {
				return nil, err
			}
			made, set = append(made, first), append(set, lines...)
			continue
		default:
			return nil, fmt.Errorf("&%d is a %s, which no statement makes", o.Number, o.Type)
		}
		lines, err := assign(name, o.Parts, pkg)
		if err != nil {
			return nil, err
		}
		set = append(set, lines...)
	}
	for name, typ := range sorted(types) {
		made = append(made, fmt.Sprintf("var %s %s", name, typ))
	}
	roots, err := assign("", g.Roots, pkg)
	if err != nil {
		return nil, err
	}
	return slices.Concat(made, set, roots), nil
}

// sorted yields the entries of a map by key.
func sorted(m map[string]string) func(yield func(k, v string) bool) {
	return func(yield func(k, v string) bool) {
		var keys []string
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// assignable is the names of parts that Go can assign to.
var assignable = regexp.MustCompile(`^[\w.]*(\[\d+\][\w.]*)*$`)

// assign returns statements that give parts of a variable their values, unless these are zero.
func assign(variable string, parts []Part, pkg string) ([]string, error) {
	var lines []string
	for _, p := range parts {
		name := p.Name
		if of, ok := strings.CutPrefix(name, "len("); ok {
			typ, err := local(p.Type, pkg)
			if err != nil {
				return nil, err
			}
			if p.Text != "0" {
				lines = append(lines, fmt.Sprintf("%s%s = make(%s, %s)", variable, strings.TrimSuffix(of, ")"), typ, p.Text))
			}
			continue
		}
		switch {
		case strings.HasSuffix(name, " != nil"):
			continue
		case !assignable.MatchString(name):
			return nil, fmt.Errorf("no statement sets %s", variable+name)
		case p.Off > 0:
			return nil, fmt.Errorf("%s leads into an object", variable+name)
		case p.To > 0:
			lines = append(lines, fmt.Sprintf("%s%s = o%d", variable, name, p.To))
		case !slices.Contains([]string{"nil", "0", "false", `""`, "0.0"}, p.Text):
			if name == "" {
				variable = "*" + variable
			}
			if strings.HasPrefix(p.Type, "func(") {
				text, err := local(p.Text, pkg)
				if err != nil {
					return nil, err
				}
				p.Text = text
			}
			lines = append(lines, fmt.Sprintf("%s%s = %s", variable, name, p.Text))
		}
	}
	return lines, nil
}

// channel is how the type of a channel, or of an end of one, begins.
var channel = regexp.MustCompile(`^(<-chan|chan<-|chan) `)

// sends returns the statement that makes a channel of elements of a type, and those that send what
// is in its buffer and close it.
func sends(name, elem string, o *Object) (first string, lines []string, err error) {
	size, closed := "0", false
	for _, p := range o.Parts {
		text := p.Text
		if p.To > 0 {
			text = fmt.Sprintf("o%d", p.To)
		}
		switch {
		case p.Off > 0:
			return "", nil, fmt.Errorf("&%d%s leads into an object", o.Number, p.Name)
		case p.Name == "cap()":
			size = p.Text
		case p.Name == ".closed":
			closed = p.Text == "true"
		case p.Name == "len()":
		case element.MatchString(p.Name):
			lines = append(lines, fmt.Sprintf("%s <- %s", name, text))
		default:
			return "", nil, fmt.Errorf("no statement sends &%d%s", o.Number, p.Name)
		}
	}
	if closed {
		lines = append(lines, fmt.Sprintf("close(%s)", name))
	}
	return fmt.Sprintf("%s := make(chan %s, %s)", name, elem, size), lines, nil
}

// element is the name of an element in the buffer of a channel.
var element = regexp.MustCompile(`^\[\d+\]$`)

// entries returns statements that make the entries of a map.
func entries(name string, o *Object) ([]string, error) {
	keys, elems := map[string]string{}, map[string]string{}
	var order []string
	for _, p := range o.Parts {
		text := p.Text
		if p.To > 0 && p.Off == 0 {
			text = fmt.Sprintf("o%d", p.To)
		}
		if i, ok := strings.CutPrefix(p.Name, ".key["); ok && strings.HasSuffix(i, "]") && p.Off == 0 {
			keys[i] = text
			order = append(order, i)
		} else if i, ok := strings.CutPrefix(p.Name, ".elem["); ok && strings.HasSuffix(i, "]") && p.Off == 0 {
			elems[i] = text
		} else if p.Name != "len()" {
			return nil, fmt.Errorf("no statement sets &%d%s", o.Number, p.Name)
		}
	}
	var lines []string
	for _, i := range order {
		if elems[i] == "" {
			return nil, fmt.Errorf("no statement sets &%d.elem[%s", o.Number, i)
		}
		lines = append(lines, fmt.Sprintf("%s[%s] = %s", name, keys[i], elems[i]))
	}
	return lines, nil
}

// qualified is a name of a package in a type.
var qualified = regexp.MustCompile(`\b(\w+)\.(\w+)`)

// local returns a type as package pkg writes it.
func local(typ, pkg string) (string, error) {
	for _, name := range qualified.FindAllStringSubmatch(typ, -1) {
		if name[1] != pkg {
			return "", fmt.Errorf("%s is of another package", name[0])
		}
	}
	return qualified.ReplaceAllString(typ, "$2"), nil
}
