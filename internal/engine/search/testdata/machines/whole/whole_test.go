// Package whole has a TestMain.
package whole

import (
	"os"
	"testing"
)

var flags = map[string]bool{"a": true, "b": false}

func TestMain(m *testing.M) {
	flags["main"] = true
	os.Exit(m.Run())
}

func TestFlags(t *testing.T) {
	if flags["c"] = true; len(flags) != 4 {
		t.Error(flags)
	}
}

func TestOrder(t *testing.T) {
	for name := range flags {
		if name == "main" {
			t.Fatal("main first")
		}
		break
	}
}
