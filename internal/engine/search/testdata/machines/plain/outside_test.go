package plain_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/engine/search/testdata/machines/plain"
)

// register is seen by the tests of both packages, as with go test.
var _ = register()

func register() bool {
	plain.Seen["b"] = 5
	return true
}

func TestOutside(t *testing.T) {
	if plain.Seen["b"]++; plain.Seen["b"] != 6 {
		t.Error(plain.Seen)
	}
}
