package sym_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/everyway-go/everyway/sym"
)

func TestEnvironment(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", "n=-3 u=18446744073709551615 len(s)=2 s[0]=104 s[1]=0x69 b=1 c=7")
	if got := sym.Int("n"); got != -3 {
		t.Errorf("Int = %d", got)
	}
	if got := sym.Int8("n"); got != -3 {
		t.Errorf("Int8 = %d", got)
	}
	if got := sym.Uint64("u"); got != 1<<64-1 {
		t.Errorf("Uint64 = %d", got)
	}
	if got := sym.Uint16("u"); got != 1<<16-1 {
		t.Errorf("Uint16 = %d", got)
	}
	t.Setenv("EVERYWAY_INPUT", "f=0x3ff8000000000000 g=0xbf000000 "+os.Getenv("EVERYWAY_INPUT"))
	if got := sym.Float64("f"); got != 1.5 {
		t.Errorf("Float64 = %v", got)
	}
	if got := sym.Float32("g"); got != -0.5 {
		t.Errorf("Float32 = %v", got)
	}
	if got := sym.String("s"); got != "hi" {
		t.Errorf("String = %q", got)
	}
	if got := sym.Bytes("none"); !bytes.Equal(got, nil) {
		t.Errorf("Bytes = %q", got)
	}
	if !sym.Bool("b") || sym.Bool("absent") {
		t.Error("Bool")
	}
	if got := sym.Choice("c", 3); got != 1 {
		t.Errorf("Choice = %d", got)
	}
}

func TestMalformed(t *testing.T) {
	t.Setenv("EVERYWAY_INPUT", "n=many")
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	sym.Int("n")
}

func TestAssume(t *testing.T) {
	s := &skipper{}
	sym.Assume(s, true)
	if s.skipped {
		t.Error("skipped although it holds")
	}
	sym.Assume(s, false)
	if !s.skipped {
		t.Error("not skipped")
	}
}

type skipper struct{ skipped bool }

func (s *skipper) Helper()     {}
func (s *skipper) Skip(...any) { s.skipped = true }
