package schedule_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

const recorded = `{"everyway":2,"build":"b","dir":".","package":"example.com/m","target":"FuzzCount","kind":"fuzz test","input":[{"name":"n","type":"int8","width":8,"value":254}],"decisions":[{"g":"0"},{"g":"0.1"},{"g":"0"}],"finding":{"kind":"data race","message":"data race: read and an earlier write are not ordered","goroutine":"0","pos":"m_test.go:9:5","others":[{"kind":"data race","message":"write","goroutine":"0.1","pos":"m_test.go:7:8"}]}}
{"g":"0","i":0,"op":"go","pos":"m_test.go:7:3","child":"0.1"}
{"g":"0.1","i":0,"op":"write","object":{"goroutine":"0","count":3},"pos":"m_test.go:7:8","wrote":"-2"}
{"g":"0","i":1,"op":"read","object":{"goroutine":"0","count":3},"pos":"m_test.go:9:5","from":1,"read":"-2"}
`

// A program that reads a run file prints the finding and the accesses to memory.
func ExampleReadRun() {
	r, err := schedule.ReadRun(strings.NewReader(recorded))
	if err != nil {
		fmt.Println(err)
		return
	}
	for f := range r.Finding.All() {
		fmt.Printf("%s: %s in goroutine %s\n", f.Pos, f.Message, f.Goroutine)
	}
	for _, e := range r.Events {
		switch e.Op {
		case schedule.Read:
			fmt.Printf("%s reads %s, which event %d wrote\n", e.Goroutine, e.Read, *e.From)
		case schedule.Write:
			fmt.Printf("%s writes %s\n", e.Goroutine, e.Wrote)
		}
	}
	// Output:
	// m_test.go:9:5: data race: read and an earlier write are not ordered in goroutine 0
	// m_test.go:7:8: write in goroutine 0.1
	// 0.1 writes -2
	// 0 reads -2, which event 1 wrote
}

func ExampleWriteRun() {
	r := &schedule.Run{
		Header: schedule.Header{Package: "example.com/m", Target: "TestX", Kind: "test"},
		Events: []schedule.RunEvent{
			{Goroutine: "0", Op: schedule.Spawn, Child: "0.1"},
			{Goroutine: "0.1", Op: schedule.Start},
		},
	}
	if err := schedule.WriteRun(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"everyway":2,"build":"","dir":"","package":"example.com/m","target":"TestX","kind":"test"}
	// {"g":"0","i":0,"op":"go","child":"0.1"}
	// {"g":"0.1","i":0,"op":"start"}
}

// The length and the bytes of a string are variables of the input. Together they are one
// literal.
func ExampleVariables() {
	input := []schedule.Input{
		{Name: "n", Type: "int8", Width: 8, Value: 0xfe},
		{Name: "len(s)", Type: "string", Width: 64, Value: 2},
		{Name: "s[0]", Type: "byte", Width: 8, Value: 'h'},
		{Name: "s[1]", Type: "byte", Width: 8, Value: 'i'},
	}
	for _, v := range schedule.Variables(input) {
		fmt.Println(v.Name, "=", v.Text)
	}
	// Output:
	// n = -2
	// s = "hi"
}

// A program that has no machine of everyway's writes a schedule, event by event.
func ExampleWriter() {
	table := schedule.NewTable()
	name, err := table.NameID("counter")
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := schedule.NewWriter(os.Stdout, schedule.TextEncoding, table, schedule.Property{Name: schedule.ToolProperty, Value: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range []schedule.Event{
		{Op: schedule.Start},
		{Op: schedule.New, Index: 1, Object: 1, Kind: schedule.Memory, Child: schedule.NoGoroutine, Name: name},
		{Op: schedule.Read, Index: 2, Object: 1, Value: schedule.Value{Kind: schedule.Int64, Bits: 7}, Result: 1},
		{Op: schedule.Branch, Index: 3, Left: 1, Number: 1},
	} {
		if err := w.Write(&e); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// everyway schedule 2
	// %tool example
	// g0.0 begin
	// g0.1 new o1 memory 0 - 0 counter
	// g0.2 read o1.0 i64:7 v1
	// g0.3 branch v1 true
	// %end
}

// A program that reads a schedule follows it with a State, which says what comes from where,
// and what is not possible.
func ExampleState() {
	const text = `everyway schedule 1
g0.0 begin
g0.1 new o1 chan 1 - 0 jobs
g0.2 fork g1 worker
g1.0 begin
g0.3 send o1 i64:5 - -
g1.1 receive o1 i64:5 - -
g1.2 receive o1 i64:5 - -
%end
`
	r, err := schedule.NewReader(strings.NewReader(text), "jobs.schedule")
	if err != nil {
		fmt.Println(err)
		return
	}
	state := schedule.NewState(r.Table())
	for e, err := range r.Events() {
		if err == nil {
			err = state.Next(e)
			if err != nil {
				err = r.Fail(err.Error())
			}
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if e.Op == schedule.Recv {
			fmt.Printf("event %d receives %v, which event %d has sent\n", e.Order, e.Value, e.From)
		}
	}
	// Output:
	// event 5 receives i64:5, which event 4 has sent
	// jobs.schedule:8: g1 receives from o1, which holds no value
}
