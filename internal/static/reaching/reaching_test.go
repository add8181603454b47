package reaching_test

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// TestGolden compares the definitions that reach the reads of the functions in testdata.
func TestGolden(t *testing.T) {
	codetest.Golden(t, "testdata", func(_ *code.Program, f *code.Func) string {
		if f.Body == nil {
			return f.Name
		}
		var out strings.Builder
		if _, err := reaching.Of(control.New(f.Body, control.Options{}), reaching.NewTypes()).WriteTo(&out); err != nil {
			t.Error(err)
		}
		return out.String()
	})
}
