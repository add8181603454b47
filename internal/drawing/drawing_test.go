package drawing

import (
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

// input is a list of two nodes that leads back, with a map.
var input = []schedule.Input{
	{Name: "l", Type: "*m.Node", Width: 64, Value: 1},
	{Name: "n", Type: "int", Width: 64, Value: 7},
	{Name: "len(s)", Type: "[]*m.Node", Width: 64, Value: 1},
	{Name: "s[0]", Type: "*m.Node", Width: 64, Value: 1},
	{Name: "&1.next", Type: "*m.Node", Width: 64, Value: 2},
	{Name: "&1.val", Type: "int", Width: 64, Value: 0},
	{Name: "&2.next", Type: "*m.Node", Width: 64, Value: 1},
	{Name: "&2.val", Type: "int", Width: 64, Value: 5},
	{Name: "&2.by", Type: "map[string]*m.Node", Width: 64, Value: 3},
	{Name: "len(&3)", Type: "map[string]*m.Node", Width: 64, Value: 1},
	{Name: "len(&3.key[0])", Type: "string", Width: 64, Value: 1},
	{Name: "&3.key[0][0]", Width: 8, Value: 'a'},
	{Name: "&3.elem[0]", Type: "*m.Node", Width: 64, Value: 2},
}

func TestTree(t *testing.T) {
	want := []string{
		"l: &1 m.Node", "    next: &2 m.Node", "        next: &1 (above)", "        val: 5", "        by: &3 map[string]*m.Node",
		"            len(): 1", `            key[0]: "a"`, "            elem[0]: &2 (above)", "    val: 0", "s[0]: &1 (above)",
	}
	if got := Of(input).Tree(); !slices.Equal(got, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDOT(t *testing.T) {
	got := Of(input).DOT()
	for _, line := range []string{
		"\tr0 -> o1 [label=\"\"];\n", "\to1 -> o2 [label=\"next\"];\n", "\to2 -> o1 [label=\"next\"];\n", "\to2 -> o3 [label=\"by\"];\n",
		"\to2 [label=\"&2 m.Node\\nval = 5\"];\n", "\tr1 [label=\"n = 7\", shape=plaintext];\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is not in\n%s", line, got)
		}
	}
}

func TestSource(t *testing.T) {
	got, err := Of(input).Source("m", map[string]string{"l": "*Node", "n": "int", "s": "[]*Node"})
	want := []string{
		"o1 := new(Node)", "o2 := new(Node)", "o3 := map[string]*Node{}", "var l *Node", "var n int", "var s []*Node",
		"o1.next = o2", "o2.next = o1", "o2.val = 5", "o2.by = o3", `o3["a"] = o2`, "l = o1", "n = 7", "s = make([]*Node, 1)", "s[0] = o1",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	closed := []schedule.Input{
		{Name: "c", Type: "<-chan int", Width: 64, Value: 1}, {Name: "cap(&1)", Type: "int", Width: 64, Value: 2}, {Name: "len(&1)", Type: "int", Width: 64, Value: 1},
		{Name: "&1.closed", Type: "bool", Width: 1, Value: 1}, {Name: "&1[0]", Type: "int", Width: 64, Value: 5},
	}
	got, err = Of(closed).Source("m", map[string]string{"c": "<-chan int"})
	want = []string{"o1 := make(chan int, 2)", "var c <-chan int", "o1 <- 5", "close(o1)", "c = o1"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, bad := range []schedule.Input{
		{Name: "p", Type: "*int", Width: 64, Value: 1<<24 | 1},
		{Name: "f", Type: "func(int) bool", Width: 64, Value: 4},
		{Name: "o", Type: "*other.T", Width: 64, Value: 4},
		{Name: "s.(type)", Type: "type m.A|m.B", Width: 16, Value: 1},
	} {
		if got, err := Of(append(slices.Clone(input), bad)).Source("m", nil); err == nil {
			t.Errorf("%s: %q, want an error", bad.Name, got)
		}
	}
}
