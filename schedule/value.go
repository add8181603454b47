package schedule

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Variable is an input as the code under test sees it: a scalar, or the
// string or slice that several input variables make up.
type Variable struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Text string `json:"value"` // the value as a Go expression, without a conversion where the type is plain from the name
}

// Variables puts the input variables of a run together: a string's length and
// bytes become one literal. The order is that of first appearance.
func Variables(input []Input) []Variable {
	lengths := map[string]int{}
	bytes := map[string][]byte{}
	for _, v := range input {
		if name, ok := lengthOf(v); ok {
			lengths[name] = int(v.Value)
			bytes[name] = make([]byte, v.Value)
		}
	}
	var vars []Variable
	for _, v := range input {
		if name, ok := lengthOf(v); ok {
			if isText(v.Type) {
				vars = append(vars, Variable{Name: name, Type: v.Type, Text: ""})
			} else {
				vars = append(vars, Variable{Name: v.Name, Type: "int", Text: strconv.FormatUint(v.Value, 10)})
			}
			continue
		}
		if base, i, ok := element(v.Name); ok {
			if data, ok := bytes[base]; ok && v.Width == 8 && i < len(data) && isText(typeOf(input, base)) {
				data[i] = byte(v.Value)
				continue
			}
		}
		vars = append(vars, Variable{Name: v.Name, Type: v.Type, Text: v.Literal()})
	}
	for i, v := range vars {
		if isText(v.Type) && v.Text == "" {
			vars[i].Text = strconv.Quote(string(bytes[v.Name]))
			if v.Type != "string" {
				vars[i].Text = v.Type + "(" + vars[i].Text + ")"
			}
		}
	}
	return vars
}

// Literal returns the value as Go writes it.
func (v Input) Literal() string {
	bits := uint(v.Width)
	switch {
	case v.Type == "bool" || v.Width == 1:
		return strconv.FormatBool(v.Value != 0)
	case v.Type == "float64":
		return strconv.FormatFloat(math.Float64frombits(v.Value), 'g', -1, 64)
	case v.Type == "float32":
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.Value))), 'g', -1, 32)
	case strings.HasPrefix(v.Type, "uint"), v.Type == "byte":
		return strconv.FormatUint(v.Value, 10)
	case bits == 0 || bits > 64:
		return fmt.Sprint(v.Value)
	}
	return strconv.FormatInt(int64(v.Value<<(64-bits))>>(64-bits), 10)
}

func isText(typ string) bool { return typ == "string" || typ == "[]byte" || typ == "[]uint8" }

// lengthOf returns x for a variable named len(x).
func lengthOf(v Input) (string, bool) {
	name, ok := strings.CutPrefix(v.Name, "len(")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, ")")
}

// element returns x and i for a variable named x[i].
func element(name string) (base string, i int, ok bool) {
	open := strings.LastIndexByte(name, '[')
	if open < 0 || !strings.HasSuffix(name, "]") {
		return "", 0, false
	}
	i, err := strconv.Atoi(name[open+1 : len(name)-1])
	return name[:open], i, err == nil && i >= 0
}

func typeOf(input []Input, name string) string {
	for _, v := range input {
		if base, ok := lengthOf(v); ok && base == name {
			return v.Type
		}
	}
	return ""
}
