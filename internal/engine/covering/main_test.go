package covering

import (
	"testing"

	"github.com/everyway-go/everyway/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }
