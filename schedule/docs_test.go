package schedule

import (
	"os"
	"strings"
	"testing"
)

// TestDocumented checks that the documentation has each operation with its operands, and that
// the schedule in it is one.
func TestDocumented(t *testing.T) {
	data, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for op := NoOp + 1; op < NumOps; op++ {
		row := ""
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "| `") && (strings.Contains(line, "`"+op.Word()+"`") || strings.Contains(line, "`"+op.Word()+" ")) {
				row = line
			}
		}
		if row == "" {
			t.Errorf("the operation %q is not described", op.Word())
		}
	}
	_, example, _ := strings.Cut(page, "## An example\n")
	_, example, _ = strings.Cut(example, "```\neveryway schedule")
	example, _, _ = strings.Cut(example, "```\n")
	if text, err := readAll(t, []byte("everyway schedule"+example)); err != nil || !strings.Contains(text, "binopr add") {
		t.Errorf("the example is no schedule: %v\n%s", err, text)
	}
}
