package schedule

import (
	"strings"
	"testing"
)

func TestVariables(t *testing.T) {
	for _, test := range []struct {
		name  string
		input []Input
		want  string
	}{
		{"scalars", []Input{
			{Name: "a", Type: "int8", Width: 8, Value: 0xff},
			{Name: "b", Type: "uint8", Width: 8, Value: 0xff},
			{Name: "c", Type: "bool", Width: 1, Value: 1},
			{Name: "d", Type: "int64", Width: 64, Value: 1 << 63},
			{Name: "e", Type: "float64", Width: 64, Value: 0x3ff8000000000000},
		}, "a=-1 b=255 c=true d=-9223372036854775808 e=1.5"},
		{"string", []Input{
			{Name: "len(s)", Type: "string", Width: 64, Value: 3},
			{Name: "s[0]", Type: "byte", Width: 8, Value: 'h'},
			{Name: "n", Type: "int", Width: 64, Value: 7},
			{Name: "s[2]", Type: "byte", Width: 8, Value: '"'},
		}, `s="h\x00\"" n=7`},
		{"bytes in a struct", []Input{
			{Name: "len(p.b)", Type: "[]byte", Width: 64, Value: 1},
			{Name: "p.b[0]", Type: "byte", Width: 8, Value: 'x'},
		}, `p.b=[]byte("x")`},
		{"slice of integers", []Input{
			{Name: "len(xs)", Type: "[]int16", Width: 64, Value: 1},
			{Name: "xs[0]", Type: "int16", Width: 16, Value: 0xfffe},
		}, "len(xs)=1 xs[0]=-2"},
		{"empty string", []Input{{Name: "len(s)", Type: "string", Width: 64}}, `s=""`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var parts []string
			for _, v := range Variables(test.input) {
				parts = append(parts, v.Name+"="+v.Text)
			}
			if got := strings.Join(parts, " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
