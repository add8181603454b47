package region_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/code/region"
)

// TestRegions compares the regions of the functions of testdata/regions/*.go.
func TestRegions(t *testing.T) {
	codetest.Golden(t, "testdata/regions", func(p *code.Program, f *code.Func) string {
		return f.String() + region.NewFinder(p).Find(f).String()
	})
}
