package schedule

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// everyOperation is a valid schedule with each operation, and with all parts of events.
const everyOperation = `everyway schedule 1
%target TestAll
%package "a package"
g0.0 begin
g0.1 new o1 memory 0 - 0 counter
g0.2 new o2 memory 0 g0 7 -
g0.3 new o3 chan 2 g0 8 jobs
g0.4 new o4 chan 0 - 0 -
g0.5 new o5 chan 1 - 0 -
g0.6 new o6 bubble 0 - 0 -
g0.7 new o7 timer 0 - 0 -
g0.8 new o8 environment 0 - 0 -
g0.9 symbol v1 i64:7 n
g0.10 let v2 i64:-3
@location main.go 12 3 main.main
g0.11 binopr add v1 v2 v3
g0.12 unopr extract.0.8 v3 v4
g0.13 call ite <v4 - v1> v5
g0.14 voidcall print <>
g0.15 enter "func (a b)" <v5>
@location main.go 13 0 main.main
@time 100
@depends <v1 v2>
g0.16 write o1.0 i64:4 v3
g0.17 exit v5
g0.18 enter f <>
g0.19 voidexit
g0.20 branch v4 true
g0.21 assume v4 false
g0.22 fork g1 0.1
g1.0 begin
g1.1 read o1.0 i64:4 v6
g1.2 atomicwrite o1.1 f64:1.5 -
g1.3 atomicupdate o1.1 f64:1.5 v6 f64:0x7ff8000000000001 -
g1.4 atomicread o1.2 ref:0 -
g1.5 write o1.3 - -
g1.6 read o1.4 bool:true -
g1.7 acq o2.0 mutex
g0.23 tryfail o2.0
g1.8 rel o2.0
g1.9 racq o2.1
g0.24 announce o2.1
g1.10 rrel o2.1
g0.25 acq o2.1 rwmutex
g0.26 rel o2.1
g0.27 acq o2.9 monitor
g0.28 rel o2.9
g0.29 acq o2.10 reentrant
g0.30 acq o2.10 reentrant
g0.31 rel o2.10
g0.32 rel o2.10
g0.33 send o3 i64:1 v3 -
g0.34 send o3 i64:2 - 1
g0.35 length o3 i64:2 v7
g1.11 receive o3 i64:1 v8 0
g1.12 receive o3 i64:2 - -
g0.36 close o3
g1.13 receiveclosed o3 -
g1.14 default o3
g1.15 default -
g0.37 send o4 - - -
g1.16 receive o4 - - -
g0.38 add o2.2 1
g1.17 add o2.2 -1
g0.39 wait o2.2 true
g0.40 acq o2.3 mutex
g0.41 condwait o2.4
g0.42 rel o2.3
g1.18 signal o2.4 g0
g1.19 signal o2.4 -
g1.20 signal o2.4 *
g0.43 condwake o2.4
g1.21 semrel o2.5
g0.44 semacq o2.5
g0.45 once o2.6
g1.22 onceseen o2.6
g0.46 timerset o5
g0.47 timerset o7
timer.0 pass 1000
timer.1 fire o5 - 1000
timer.2 fire o7 g2 1001
timer.3 collect
g2.0 begin
g2.1 sleep 50
g2.2 bubblewait o6
g2.3 bubbleidle o6
g2.4 choice 3
g2.5 yield
g2.6 fail "it is wrong"
g2.7 end
g0.48 join g2
g0.49 receive o5 - - -
g0.50 end
%end
`

// read returns the events of a schedule as they are in the text, having checked each of them.
func readAll(t testing.TB, data []byte) (text string, err error) {
	var out bytes.Buffer
	err = convert(&out, data, TextEncoding, true)
	return out.String(), err
}

// convert writes the schedule in data in an encoding.
func convert(to io.Writer, data []byte, as Encoding, valid bool) error {
	r, err := NewReader(bytes.NewReader(data), "a.schedule")
	if err != nil {
		return err
	}
	w, err := NewWriter(to, as, r.Table(), r.Properties()...)
	if err != nil {
		return err
	}
	s := NewState(r.Table())
	for e, err := range r.Events() {
		if err != nil {
			return err
		}
		if valid {
			if err := s.Next(e); err != nil {
				return r.Fail(err.Error())
			}
		}
		if err := w.Write(e); err != nil {
			return err
		}
	}
	return w.Close()
}

func TestEncodings(t *testing.T) {
	text, err := readAll(t, []byte(everyOperation))
	if err != nil {
		t.Fatal(err)
	}
	if text != everyOperation {
		t.Fatalf("got\n%s", text)
	}
	var binary bytes.Buffer
	if err := convert(&binary, []byte(everyOperation), BinaryEncoding, true); err != nil {
		t.Fatal(err)
	}
	if text, err = readAll(t, binary.Bytes()); err != nil {
		t.Fatal(err)
	}
	if text != everyOperation {
		t.Fatalf("by the binary encoding, got\n%s", text)
	}
	for op := NoOp + 1; op < NumOps; op++ {
		if !strings.Contains(text, " "+op.Word()) {
			t.Errorf("operation %q is not tested", op.Word())
		}
	}
	for n := range binary.Len() {
		var wrong *SyntaxError
		if _, err := readAll(t, binary.Bytes()[:n]); !errors.As(err, &wrong) {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
	for n := range len(text) {
		var wrong *SyntaxError
		if _, err := readAll(t, []byte(text[:n])); !errors.As(err, &wrong) && n < len(text)-1 {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
}
