package registry

import (
	"bytes"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// server returns the schedule of n events of a made-up server: 100 goroutines lock one of 1000
// objects, and read and write its cells.
func server(b *testing.B, n int) []byte {
	var file bytes.Buffer
	table := schedule.NewTable()
	name, err := table.NameID("server.go")
	if err != nil {
		b.Fatal(err)
	}
	w, err := schedule.NewWriter(&file, schedule.BinaryEncoding, table)
	if err != nil {
		b.Fatal(err)
	}
	index := map[schedule.GoroutineID]int64{}
	emit := func(line int32, e schedule.Event) {
		e.Index = index[e.Goroutine]
		index[e.Goroutine]++
		if e.Location, err = table.LocationID(schedule.Location{File: name, Line: line}); err != nil {
			b.Fatal(err)
		}
		if err := w.Write(&e); err != nil {
			b.Fatal(err)
		}
	}
	emit(1, schedule.Event{Op: schedule.Start})
	for i := range schedule.ObjectID(1000) {
		emit(2, schedule.Event{Op: schedule.New, Object: i + 1, Child: schedule.NoGoroutine})
	}
	for g := schedule.GoroutineID(1); g <= 100; g++ {
		emit(3, schedule.Event{Op: schedule.Spawn, Child: g})
		emit(4, schedule.Event{Op: schedule.Start, Goroutine: g})
	}
	for random := uint64(1); w.Events() < int64(n); {
		random = random*6364136223846793005 + 1442695040888963407
		g, o := schedule.GoroutineID(1+random>>33%100), schedule.ObjectID(1+random>>45%1000)
		emit(10, schedule.Event{Op: schedule.Lock, Goroutine: g, Object: o})
		for i := int64(1); i <= 4; i++ {
			emit(11, schedule.Event{Op: schedule.Read, Goroutine: g, Object: o, Offset: i})
			emit(12, schedule.Event{Op: schedule.Write, Goroutine: g, Object: o, Offset: i})
		}
		emit(13, schedule.Event{Op: schedule.Unlock, Goroutine: g, Object: o})
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

func BenchmarkDetectors(b *testing.B) {
	const events = 1 << 20
	file := server(b, events)
	for _, d := range append([]analysis.Info{{Name: "none"}}, Detectors()...) {
		b.Run(d.Name, func(b *testing.B) {
			var infos []analysis.Info
			if d.New != nil {
				infos = append(infos, d)
			}
			for b.Loop() {
				r, err := schedule.NewReader(bytes.NewReader(file), "server.schedule")
				if err != nil {
					b.Fatal(err)
				}
				if _, err := analysis.Run(b.Context(), r, infos, analysis.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(events*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}
