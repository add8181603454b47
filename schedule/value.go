package schedule

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/schedule/internal/literal"
)

// A Variable is an input as the code under test sees it: a scalar, or the
// string or slice that several input variables make up.
type Variable struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Text string `json:"value"` // the value as a Go expression, without a conversion where the type is plain from the name
	// Any says which other values show the finding, with the same schedule; empty if none is known.
	Any Freedom `json:"any,omitempty"`
}

// String returns the variable with its value, as an assignment of Go, and what else shows the finding.
func (v Variable) String() string {
	text := v.Name + " = " + v.Text
	if v.Any != "" {
		text += " (" + string(v.Any) + ")"
	}
	return text
}

// A Freedom says which other values of a variable show a finding, in words that follow the value.
type Freedom string

// The freedoms.
const (
	AnyValue    Freedom = "any"                // every value of the type; strings and slices are bounded in length
	AnyOfLength Freedom = "any of this length" // every string or slice that is as long
)

// Variables puts the input variables of a run together: a string's length and
// bytes become one literal. The order is that of first appearance.
func Variables(input []Input) []Variable {
	lengths := map[string]int{}
	bytes := map[string][]byte{}
	for _, v := range input {
		if name, ok := v.LengthOf(); ok {
			lengths[name] = int(v.Value)
			bytes[name] = make([]byte, v.Value)
		}
	}
	var vars []Variable
	for _, v := range input {
		if name, ok := v.LengthOf(); ok {
			if IsText(v.Type) {
				vars = append(vars, Variable{Name: name, Type: v.Type, Text: "", Any: freedomOfText(input, v)})
			} else {
				vars = append(vars, Variable{Name: v.Name, Type: "int", Text: strconv.FormatUint(v.Value, 10), Any: v.freedom()})
			}
			continue
		}
		if base, i, ok := v.ElementOf(); ok {
			if data, ok := bytes[base]; ok && v.Width == 8 && i < len(data) && IsText(typeOf(input, base)) {
				data[i] = byte(v.Value)
				continue
			}
		}
		vars = append(vars, Variable{Name: v.Name, Type: v.Type, Text: v.Literal(), Any: v.freedom()})
	}
	for i, v := range vars {
		if IsText(v.Type) && v.Text == "" {
			vars[i].Text = strconv.Quote(string(bytes[v.Name]))
			if v.Type != "string" {
				vars[i].Text = v.Type + "(" + vars[i].Text + ")"
			}
		}
	}
	return vars
}

// freedom returns which other values of v show the finding.
func (v Input) freedom() Freedom {
	if v.Any {
		return AnyValue
	}
	return ""
}

// freedomOfText returns which other values show the finding of the text whose length is given.
func freedomOfText(input []Input, length Input) Freedom {
	if length.Any {
		return AnyValue // its bytes are so, too
	}
	x, _ := length.LengthOf()
	for _, v := range input {
		if of, _, ok := v.ElementOf(); ok && of == x && !v.Any {
			return ""
		}
	}
	if length.Value == 0 {
		return ""
	}
	return AnyOfLength
}

// Literal returns the value as Go writes it.
func (v Input) Literal() string {
	bits := uint(v.Width)
	switch {
	case v.IsPointer():
		return literal.Reference(v.Type, v.Value)
	case literal.IsDynamic(v.Type):
		return literal.Dynamic(v.Type, v.Value)
	case v.Type == "bool" || v.Width == 1:
		return strconv.FormatBool(v.Value != 0)
	case v.Type == "float64":
		return literal.Float(math.Float64frombits(v.Value), 64, v.Value == math.Float64bits(math.NaN()), v.Value)
	case v.Type == "float32":
		f := math.Float32frombits(uint32(v.Value))
		return literal.Float(float64(f), 32, uint32(v.Value) == math.Float32bits(float32(math.NaN())), v.Value)
	case strings.HasPrefix(v.Type, "uint"), v.Type == "byte":
		return strconv.FormatUint(v.Value, 10)
	case bits == 0 || bits > 64:
		return fmt.Sprint(v.Value)
	}
	return strconv.FormatInt(int64(v.Value<<(64-bits))>>(64-bits), 10)
}

// IsText reports whether a type, as an Input has it, is that of a text: a string or a slice of bytes.
func IsText(typ string) bool { return typ == "string" || typ == "[]byte" || typ == "[]uint8" }

// LengthOf returns x for a variable named len(x), the length of a string or slice.
func (v Input) LengthOf() (x string, ok bool) {
	x, ok = strings.CutPrefix(v.Name, "len(")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(x, ")")
}

// ElementOf returns x and i for a variable named x[i].
func (v Input) ElementOf() (x string, i int, ok bool) {
	open := strings.LastIndexByte(v.Name, '[')
	if open < 0 || !strings.HasSuffix(v.Name, "]") {
		return "", 0, false
	}
	i, err := strconv.Atoi(v.Name[open+1 : len(v.Name)-1])
	return v.Name[:open], i, err == nil && i >= 0
}

func typeOf(input []Input, name string) string {
	for _, v := range input {
		if base, ok := v.LengthOf(); ok && base == name {
			return v.Type
		}
	}
	return ""
}

// IsPointer reports whether v is a pointer, a map, a channel or a function. Its value is the number
// of the object to which it leads, 0 if it is nil. The fields of the object with number 2 are the
// inputs whose names begin with &2. If a pointer leads to a part of an object, the value is 1<<24
// times the distance in words from the beginning of the object more.
func (v Input) IsPointer() bool {
	_, length := v.LengthOf()
	return !length && literal.IsReference(v.Type)
}
