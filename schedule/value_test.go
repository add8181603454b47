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
		{"floats that no literal stands for", []Input{
			{Name: "a", Type: "float64", Width: 64, Value: 0x7ff8000000000001},
			{Name: "b", Type: "float64", Width: 64, Value: 0x7ff0000000000001},
			{Name: "c", Type: "float64", Width: 64, Value: 0xfff0000000000000},
			{Name: "d", Type: "float64", Width: 64, Value: 0x8000000000000000},
			{Name: "e", Type: "float32", Width: 32, Value: 0x7fc00000},
			{Name: "f", Type: "float32", Width: 32, Value: 0x7f800000},
			{Name: "g", Type: "float32", Width: 32, Value: 0xffc00000},
			{Name: "h", Type: "float32", Width: 32, Value: 0x3dcccccd},
		}, "a=math.NaN() b=math.Float64frombits(0x7ff0000000000001) c=math.Inf(-1) d=math.Copysign(0, -1) " +
			"e=float32(math.NaN()) f=float32(math.Inf(1)) g=math.Float32frombits(0xffc00000) h=0.1"},
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
