package main

import (
	"os/exec"
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// programs are those below testdata, with the packages that they share with other benchmarks.
var programs = []string{"blackscholes", "swaptions", "fft", "lu", "radix", "pfscan"}

// TestPrograms has each program compared with a sequential computation, which its own test does.
func TestPrograms(t *testing.T) {
	type variant struct{ program, size string }
	var variants []variant
	for _, size := range sizes {
		for _, program := range programs {
			variants = append(variants, variant{program, size})
		}
	}
	for _, v := range sample.From(variants, 2, 1) {
		out, err := exec.Command("go", "test", "-tags", v.size, "./testdata/"+v.program).CombinedOutput()
		if err != nil {
			t.Errorf("%s %s: %v\n%s", v.program, v.size, err, out)
		}
	}
}
