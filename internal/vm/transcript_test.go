package vm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/happensbefore"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/transcript"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
	"github.com/everyway-go/everyway/schedule"
)

// The schedules of runs are valid, and the detector by happens-before finds races in them
// where the machine does. What is computed in them has the values that it had in the run.
func TestTranscripts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of tests")
	}
	for _, suite := range []struct {
		name  string
		load  func(t *testing.T) (*load.Result, *code.Program)
		whole int
	}{
		{"race detector", func(t *testing.T) (*load.Result, *code.Program) {
			return loadTargets(t, load.Config{Dir: raceSuite(t)})
		}, 60},
		{"own", loadOwnTargets, 20},
	} {
		t.Run(suite.name, func(t *testing.T) {
			r, prog := suite.load(t)
			checkTranscripts(t, r, prog, sample.Each(r.Targets(), suite.whole, 10))
		})
	}
}

// checkTranscripts checks the schedules of runs of targets.
func checkTranscripts(t *testing.T, r *load.Result, prog *code.Program, targets []load.Target) {
	settings := run.Settings{Limits: run.Limits{Instructions: 1e6, Depth: 10000}}
	var m *vm.Machine
	runs, racy, values := 0, 0, 0
	for _, target := range targets {
		if _, ok := raceSuiteExceptions[target.Name]; ok {
			continue
		}
		if target.Name == "TestRaceSlice4" {
			continue // copies cells onto themselves: what the machine records as read is what is there after that
		}
		schedules := uint64(4)
		if target.Name == "TestRaceNestedArrayCopy" {
			schedules = 1 // it copies millions of elements, each of which is an event of the schedule
		}
		if m == nil {
			m = vmtest.Boot(t, prog, vmtest.Target(r, &target), settings, nil)
		} else if err := m.Retarget(vmtest.Target(r, &target)); err != nil {
			t.Fatalf("%s: %v", target.Name, err)
		}
		visible := run.Visible{}
		for seed := range schedules {
			var sched run.Scheduler = run.NonPreemptive{}
			if seed > 1 {
				sched = run.Random(seed)
			}
			trace, err := m.Run(t.Context(), &run.Plan{Record: true, RecordPlain: true, ReadSymbols: seed%2 == 1, Visible: visible}, sched)
			if err != nil {
				t.Fatalf("%s: %v", target.Name, err)
			}
			runs++
			report, text, err := transcribed(t, m, trace, &values)
			if err == nil && target.Name != "TestNoRaceTinyAlloc" { // its goroutines make more accesses alone than a schedule has
				err = compareSteps(m, trace)
			}
			if err != nil {
				t.Errorf("%s, schedule %d: %v", target.Name, seed, err)
				continue
			}
			races := len(trace.Unordered)
			for _, p := range trace.ClosedSends {
				if p.Earlier.Write { // the close, since which the send has panicked; others are in no schedule
					races++
				}
			}
			if races > 0 {
				racy++
			}
			if (races > 0) != (len(report.Findings) > 0) {
				t.Errorf("%s, schedule %d: %d races in the run, %d in the schedule\n%s", target.Name, seed, races, len(report.Findings), differences(m, r, trace, report, text))
			}
			visible.Objects = map[run.ObjectID]bool{}
			for _, a := range trace.Accesses {
				visible.Objects[a.Object] = true
			}
		}
	}
	t.Logf("%d runs, %d with races, %d symbolic values computed again", runs, racy, values)
}

// programOf says what the numbers in the traces of a machine stand for.
func programOf(m *vm.Machine, table *schedule.Table) transcript.Program {
	return transcript.Program{
		Names: m.Names, Arena: m.Arena,
		Location: func(id run.SiteID) schedule.LocationID {
			name, _ := m.Site(id)
			fn, err := table.NameID(name)
			if err != nil {
				panic(err)
			}
			at, err := table.LocationID(schedule.Location{Func: fn, Line: id.Instr + 1})
			if err != nil {
				panic(err)
			}
			return at
		},
		Global: func(count int32) string { return fmt.Sprint("global ", count) },
	}
}

// compareSteps checks that the steps of the schedule of a run are the events of its trace.
func compareSteps(m *vm.Machine, trace *run.Trace) error {
	table := schedule.NewTable()
	r := schedule.NewRun(schedule.Header{}, table, func(w *schedule.Writer) error {
		return transcript.Write(w, table, trace, programOf(m, table))
	})
	if r.Incomplete != "" {
		return errors.New(r.Incomplete)
	}
	spawned := map[int32]bool{}
	for i := range trace.Events {
		e := &trace.Events[i]
		want := stepOf(m, e)
		if e.Op == schedule.Spawn {
			spawned[e.Other] = true
		}
		if next := i + 1; e.Op == schedule.TimerFire && next < len(trace.Events) && trace.Events[next].Op == schedule.Start && !spawned[trace.Events[next].Goroutine] {
			want.Child = m.Names.String(trace.Events[next].Goroutine)
		}
		if i == len(r.Events) {
			return fmt.Errorf("step %d is missing: %s", i, showStep(&want))
		}
		r.Events[i].Cond = "" // as symbolic values are shown
		if o := r.Events[i].Object; o != nil && o.Goroutine == schedule.Nobody {
			o.Count = 0 // a number in the schedule
		}
		if got, want := showStep(&r.Events[i]), showStep(&want); got != want {
			return fmt.Errorf("step %d is %s, want %s", i, got, want)
		}
	}
	if len(r.Events) > len(trace.Events) {
		return fmt.Errorf("%d steps for %d events", len(r.Events), len(trace.Events))
	}
	var file bytes.Buffer
	if err := schedule.WriteRun(&file, r); err != nil {
		return err
	}
	back, err := schedule.ReadRun(&file, "a.run")
	if err != nil {
		return err
	}
	for i := range back.Events {
		back.Events[i].Cond = ""
		if o := back.Events[i].Object; o != nil && o.Goroutine == schedule.Nobody {
			o.Count = 0
		}
	}
	if !reflect.DeepEqual(back.Events, r.Events) {
		return errors.New("other steps are read than were written")
	}
	return nil
}

func showStep(e *schedule.RunEvent) string {
	text, err := json.Marshal(e)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// stepOf returns what reports show of an event.
func stepOf(m *vm.Machine, e *run.Event) schedule.RunEvent {
	goroutine := func(g int32) string {
		if g < 0 {
			return schedule.Timer
		}
		return m.Names.String(g)
	}
	name, _ := m.Site(e.Caller)
	step := schedule.RunEvent{
		Goroutine: goroutine(e.Goroutine), Index: e.Index, Op: e.Op, Offset: e.Offset,
		Pos: fmt.Sprint(":", e.Caller.Instr+1), Func: name, Alt: e.Alt,
		Read: shown(e.Read, code.Kind(e.ReadKind)), Wrote: shown(e.Wrote, code.Kind(e.WroteKind)),
	}
	if e.Caller.Instr < 0 {
		step.Pos = ""
	}
	if e.Object != run.NoObject {
		step.Object = &schedule.Object{Count: e.Object.Count}
		switch {
		case e.Object.Goroutine >= 0:
			step.Object.Goroutine = goroutine(e.Object.Goroutine)
		case e.Object.Goroutine != run.GlobalObjects:
			step.Object = &schedule.Object{Goroutine: schedule.Nobody}
		}
	}
	switch e.Op {
	case schedule.Spawn:
		step.Child = goroutine(e.Other)
	case schedule.TimePass:
		if e.Other >= 0 {
			step.Waits = goroutine(e.Other)
		}
	case schedule.Branch:
		step.Alt = 0
	case schedule.Assume:
		step.Alt = 0
	default:
		if from := int(e.Other); step.Read != "" && from >= 0 {
			step.From = &from
		}
	}
	return step
}

// shown returns a word as Go prints it. The bits of an event are not sign-extended.
func shown(bits uint64, kind code.Kind) string {
	switch kind {
	case code.NoKind:
		return ""
	case code.Bool:
		return strconv.FormatBool(bits != 0)
	case code.Int8:
		return strconv.Itoa(int(int8(bits)))
	case code.Int16:
		return strconv.Itoa(int(int16(bits)))
	case code.Int32:
		return strconv.Itoa(int(int32(bits)))
	case code.Int64:
		return strconv.FormatInt(int64(bits), 10)
	case code.Uint8, code.Uint16, code.Uint32, code.Uint64:
		return strconv.FormatUint(bits, 10)
	case code.Float32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
	case code.Float64:
		return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
	}
	if bits == 0 {
		return "nil"
	}
	return fmt.Sprintf("%#x", bits)
}

// differences shows the races of a run and of its schedule.
func differences(m *vm.Machine, r *load.Result, trace *run.Trace, report *analysis.Report, text string) string {
	var b strings.Builder
	for _, p := range trace.Unordered {
		_, x := m.Site(p.Earlier.Innermost())
		_, y := m.Site(p.Later.Innermost())
		fmt.Fprintf(&b, "run: %v, %v\n", r.Fset.Position(x), r.Fset.Position(y))
	}
	for _, f := range report.Findings {
		for _, s := range f.Sites {
			fmt.Fprintf(&b, "schedule: g%d.%d %s %v %s\n", s.Goroutine, s.Index, s.Op.Word(), s.Cell, report.Table.Position(s.Location))
		}
	}
	return b.String() + text
}

// transcribed analyses the schedule of a run, in the binary encoding, and returns its text. It
// counts the symbolic values that it has compared with concrete ones.
func transcribed(t *testing.T, m *vm.Machine, trace *run.Trace, values *int) (*analysis.Report, string, error) {
	t.Helper()
	encoded := map[schedule.Encoding]*bytes.Buffer{}
	for _, as := range []schedule.Encoding{schedule.BinaryEncoding, schedule.TextEncoding} {
		table := schedule.NewTable()
		encoded[as] = new(bytes.Buffer)
		w, err := schedule.NewWriter(encoded[as], as, table)
		if err != nil {
			t.Fatal(err)
		}
		if err := transcript.Write(w, table, trace, programOf(m, table)); err != nil {
			return nil, "", err
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	text := encoded[schedule.TextEncoding].String()
	reader, err := schedule.NewReader(bytes.NewReader(encoded[schedule.TextEncoding].Bytes()), "run.schedule.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := analysis.Run(t.Context(), reader, nil, analysis.Limits{}); err != nil {
		return nil, "", fmt.Errorf("%w\n%s", err, tail(text, err))
	}
	if reader, err = schedule.NewReader(strings.NewReader(text), "run.schedule.txt"); err != nil {
		t.Fatal(err)
	}
	calculator := newCalculator(reader.Table())
	for e, err := range reader.Events() {
		if err == nil {
			err = calculator.event(e)
		}
		if err != nil {
			err = reader.Fail(err.Error())
			return nil, "", fmt.Errorf("%w\n%s", err, tail(text, err))
		}
	}
	*values += calculator.checked
	if reader, err = schedule.NewReader(encoded[schedule.BinaryEncoding], "run.schedule"); err != nil {
		t.Fatal(err)
	}
	report, err := analysis.Run(t.Context(), reader, []analysis.Info{happensbefore.Info}, analysis.Limits{})
	return report, text, err
}

// tail returns the lines of a text before the one that an error names.
func tail(text string, err error) string {
	lines := strings.SplitAfter(text, "\n")
	var line int
	fmt.Sscanf(err.Error(), "run.schedule.txt:%d", &line)
	line = min(line, len(lines))
	return strings.Join(slices.Clone(lines[max(0, line-30):line]), "")
}
