package schedule_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

const recorded = `everyway schedule 3
%package example.com/m
%target FuzzCount
%kind fuzz test
%build b
%input n int8 8 254
%finding data race
%message read and an earlier write are not ordered
%goroutine 0
%position m_test.go:9:5
%other data race
%message write
%goroutine 0.1
%position m_test.go:7:8
%decisions 0*3 0.1*2 0
g0.0 begin
g0.1 new o1 memory 0 g0 3 -
@location m_test.go 7 3 m.FuzzCount.func1
g0.2 fork g1 0.1
g1.0 begin
@location m_test.go 7 8 m.FuzzCount.func1.1
g1.1 write o1.0 i8:-2 -
@location m_test.go 9 5 m.FuzzCount.func1
g0.3 read o1.0 i8:-2 -
%end
`

// A program that reads a run file prints the finding and the accesses to memory.
func ExampleReadRun() {
	r, err := schedule.ReadRun(strings.NewReader(recorded), "FuzzCount.run")
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
	// m_test.go:9:5: read and an earlier write are not ordered in goroutine 0
	// m_test.go:7:8: write in goroutine 0.1
	// 0.1 writes -2
	// 0 reads -2, which event 3 wrote
}

// A run file is a schedule whose properties say what was run.
func ExampleNewRun() {
	header := schedule.Header{
		Package: "example.com/m", Target: "TestX", Kind: "test",
		Decisions: []schedule.Decision{{Goroutine: "0"}, {Goroutine: "0"}, {Goroutine: "0.1"}},
	}
	table := schedule.NewTable()
	r := schedule.NewRun(header, table, func(w *schedule.Writer) error {
		name, err := table.NameID("0.1")
		if err != nil {
			return err
		}
		for _, e := range []schedule.Event{
			{Goroutine: 0, Index: 0, Op: schedule.Start},
			{Goroutine: 0, Index: 1, Op: schedule.Spawn, Child: 1, Name: name},
			{Goroutine: 1, Index: 0, Op: schedule.Start},
		} {
			if err := w.Write(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err := schedule.WriteRun(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// everyway schedule 3
	// %package example.com/m
	// %target TestX
	// %kind test
	// %decisions 0*2 0.1
	// g0.0 begin
	// g0.1 fork g1 0.1
	// g1.0 begin
	// %end
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
	// everyway schedule 3
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
