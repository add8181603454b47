package schedule

import (
	"fmt"
	"strings"
	"testing"
)

// objects begins schedules with memory o1, channels o2 (without a buffer), o3 (of one element)
// and o4 (of a timer), and two goroutines.
const objects = `g0.0 begin
g0.1 new o1 memory 0 - 0 -
g0.2 new o2 chan 0 - 0 -
g0.3 new o3 chan 1 - 0 -
g0.4 new o4 chan 1 - 0 -
g0.5 fork g1 -
g1.0 begin
`

// TestInvalid has schedules whose last event is not possible.
func TestInvalid(t *testing.T) {
	for _, test := range []struct{ name, events, want string }{
		{"does not begin", "g0.0 yield", `the first event of g0, and only that, is "begin"`},
		{"begins twice", "g0.0 begin\ng0.1 begin", `the first event of g0, and only that, is "begin"`},
		{"not forked", "g0.0 begin\ng1.0 begin", "an event of g1, which has not been started"},
		{"fork of another number", "g0.0 begin\ng0.1 fork g2 -", "new goroutine g2: the next one is g1"},
		{"has ended", objects + "g1.1 end\ng1.2 yield", "an event of g1, which has ended"},
		{"event left out", objects + "g1.2 yield", "event 2 of g1 comes after event 0 of it"},
		{"join too early", objects + "g0.6 join g1", "join of g1, which has not ended"},
		{"join of nobody", objects + "g0.6 join g9", "join of g9, which has not ended"},
		{"a timer reads", objects + "timer.0 read o1.0 - -", `"read" is done by a goroutine, not by a timer`},
		{"object not introduced", objects + "g0.6 read o9.0 - -", `object o9 has not been introduced by an event "new"`},
		{"object of another number", objects + "g0.6 new o9 memory 0 - 0 -", "new object o9: the next one is o5"},
		{"capacity", objects + "g0.6 new o5 chan -1 - 0 -", "a channel of capacity -1"},
		{"allocated by nobody", objects + "g0.6 new o5 memory 0 g7 1 -", "an object of g7, which has not been started"},
		{"value not defined", objects + "g0.6 write o1.0 - v1", "value v1 is used before it is defined"},
		{"value in a list", objects + "g0.6 voidcall f <v1>", "value v1 is used before it is defined"},
		{"dependence", objects + "@depends <v3>\ng0.6 yield", "value v3 is used before it is defined"},
		{"value of another number", objects + "g0.6 let v2 i64:1", "new value v2: the next one is v1"},
		{"no object", objects + "g0.6 read -.0 - -", "an access to no object"},
		{"reads another value", objects + "g0.6 write o1.0 i64:1 -\ng1.1 read o1.0 i64:2 -", "g1 reads i64:2 from o1.0, which holds i64:1"},
		{"reads another value twice", objects + "g0.6 read o1.2000 i64:1 -\ng1.1 read o1.2000 i64:2 -", "g1 reads i64:2 from o1.2000, which holds i64:1"},
		{"updates another value", objects + "g0.6 write o1.0 i64:1 -\ng1.1 atomicupdate o1.0 i64:0 - i64:1 -", "g1 reads i64:0 from o1.0, which holds i64:1"},
		{"lock held", objects + "g0.6 acq o1.0 mutex\ng1.1 acq o1.0 mutex", "g1 takes the lock o1.0, which g0 holds"},
		{"lock held by itself", objects + "g0.6 acq o1.0 mutex\ng0.7 acq o1.0 mutex", "g0 takes the lock o1.0, which g0 holds"},
		{"lock held by a reader", objects + "g0.6 racq o1.0\ng1.1 acq o1.0 rwmutex", "g1 takes the lock o1.0, which readers hold"},
		{"lock held by a writer", objects + "g0.6 acq o1.0 rwmutex\ng1.1 racq o1.0", "g1 takes the lock o1.0 for reading, which g0 holds"},
		{"release without acquire", objects + "g0.6 rel o1.0", "g0 releases the lock o1.0, which nobody holds"},
		{"release of a reentrant lock", objects + "g0.6 acq o1.0 reentrant\ng0.7 acq o1.0 reentrant\ng0.8 rel o1.0\ng0.9 rel o1.0\ng0.10 rel o1.0", "g0 releases the lock o1.0, which nobody holds"},
		{"release by no reader", objects + "g0.6 acq o1.0 rwmutex\ng0.7 rrel o1.0", "g0 releases the lock o1.0, which no reader holds"},
		{"no channel", objects + "g0.6 send o1 - - -", `"send" on o1, which is no channel`},
		{"nil channel", objects + "g0.6 send - - - -", `"send" on o0, which is no channel`},
		{"goes on", objects + "g0.6 send o2 - - -\ng0.7 yield", "g0 goes on, although what it has sent on o2, which has no buffer, has not been received"},
		{"receives from itself", objects + "g0.6 send o2 - - -\ng0.7 receive o2 - - -", "g0 goes on, although what it has sent on o2, which has no buffer, has not been received"},
		{"full", objects + "g0.6 send o3 - - -\ng0.7 send o3 - - -", "g0 sends on o3, which is full"},
		{"empty", objects + "g0.6 receive o3 - - -", "g0 receives from o3, which holds no value"},
		{"other value", objects + "g0.6 send o3 i64:1 - -\ng1.1 receive o3 i64:2 - -", "g1 receives i64:2 from o3, where i64:1 was sent"},
		{"send on closed", objects + "g0.6 close o3\ng1.1 send o3 - - -", "g1 sends on o3, which is closed"},
		{"another case", objects + "@cases <receive o3 receive o2>\ng0.6 send o3 - - 0", "case 0 of the select of g0 is not what it does"},
		{"another channel", objects + "@cases <send o2>\ng0.6 send o3 - - 0", "case 0 of the select of g0 is not what it does"},
		{"no such case", objects + "@cases <send o3>\ng0.6 send o3 - - 1", "case 1 of the select of g0 is not what it does"},
		{"no case", objects + "@cases <send o3>\ng0.6 send o3 - - -", "case -1 of the select of g0 is not what it does"},
		{"no default case", objects + "@cases <send o3>\ng0.6 default o3", "case 0 of the select of g0 is not what it does"},
		{"a default case before others", objects + "@cases <default send o3>\ng0.6 send o3 - - 1", "a default case that is not the last case"},
		{"a lock in a select", objects + "@cases <send o3 acq o1.0>\ng0.6 send o3 - - 0", `"acq" is no case of a select`},
		{"a case of no channel", objects + "@cases <send o3 send o1>\ng0.6 send o3 - - 0", `"send" on o1, which is no channel`},
		{"a case of what is not there", objects + "g0.6 pending <send o9>", `object o9 has not been introduced by an event "new"`},
		{"goes on after its last event", objects + "g0.6 pending <send o3>\ng0.7 send o3 - - -", "g0 goes on, although what it is about to do was the last event"},
		{"close twice", objects + "g0.6 close o3\ng1.1 close o3", "g1 closes o3, which is closed"},
		{"not closed", objects + "g1.1 receiveclosed o3 -", "g1 receives from o3 as from a closed channel without values, which it is not"},
		{"closed, with a value", objects + "g0.6 send o3 - - -\ng0.7 close o3\ng1.1 receiveclosed o3 -", "g1 receives from o3 as from a closed channel without values, which it is not"},
		{"length", objects + "g0.6 send o3 - - -\ng1.1 length o3 i64:0 -", "g1 finds 0 values in o3, which holds 1"},
		{"counter", objects + "g0.6 add o1.0 2\ng0.7 wait o1.0 true", "g0 returns from the wait group o1.0, whose counter is 2"},
		{"no signal", objects + "g0.6 condwait o1.0\ng0.7 condwake o1.0", "g0 wakes at the condition o1.0, for which there was no signal"},
		{"an earlier signal", objects + "g1.1 signal o1.0 -\ng0.6 condwait o1.0\ng0.7 condwake o1.0", "g0 wakes at the condition o1.0, for which there was no signal"},
		{"does not wait", objects + "g0.6 condwake o1.0", "g0 wakes at the condition o1.0, at which it does not wait"},
		{"signal to nobody", objects + "g0.6 signal o1.0 g1", "g0 signals to g1, which does not wait at o1.0"},
		{"goes on, waiting", objects + "g0.6 condwait o1.0\ng0.7 close o3", "g0 goes on, although it waits for the condition o1.0"},
		{"done twice", objects + "g0.6 once o1.0\ng1.1 once o1.0", "g1 has done o1.0, which has been done before"},
		{"not done", objects + "g0.6 onceseen o1.0", "g0 sees o1.0 done, which it is not"},
		{"not entered", objects + "g0.6 voidexit", "g0 leaves a function that it has not entered"},
		{"time passes backwards", objects + "timer.0 pass -1", "time runs backwards, by -1"},
		{"time of a goroutine", objects + "@time 5\ng0.6 yield\n@time 4\ng0.7 yield", "the time of g0 runs backwards, from 5 to 4"},
		{"no timer", objects + "g0.6 receive o4 - - -", "g0 receives from o4, which holds no value"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "everyway schedule 1\n" + test.events + "\n%end\n"
			_, err := readAll(t, []byte(text))
			want := fmt.Sprintf("a.schedule:%d: %s", strings.Count(text, "\n")-1, test.want)
			if err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// TestFrom checks from which event each event of a schedule gets what it has.
func TestFrom(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         int64 // of the last event, counted from the events after objects
	}{
		{"read", "g0.6 write o1.0 i64:1 -\ng1.1 read o1.0 i64:1 -", 0},
		{"read of what was there", "g1.1 read o1.0 i64:1 -", -1},
		{"read of the last write", "g0.6 write o1.0 i64:1 -\ng0.7 write o1.0 i64:1 -\ng1.1 read o1.0 i64:1 -", 1},
		{"read of an update", "g0.6 atomicupdate o1.0 i64:1 - i64:2 -\ng1.1 atomicread o1.0 i64:2 -", 0},
		{"read of a far cell", "g0.6 write o1.5000 i64:1 -\ng1.1 read o1.5000 i64:1 -", 0},
		{"read of what something else has written", "g0.6 write o1.0 i64:1 -\ng0.7 read o1.0 - -\ng0.8 read o1.0 i64:2 -", -1},
		{"receive", "g0.6 send o3 - - -\ng1.1 receive o3 - - -", 0},
		{"receive from closed", "g0.6 close o3\ng1.1 receiveclosed o3 -", 0},
		{"receive from a timer", "g0.6 timerset o4\ntimer.0 fire o4 - 3\ng1.1 receive o4 - - -", 1},
		{"receive from a timer that was set again", "timer.0 fire o4 - 3\ng0.6 timerset o4\ntimer.1 fire o4 - 4\ng1.1 receive o4 - - -", 2},
		{"a tick too many", "timer.0 fire o4 - 3\ntimer.1 fire o4 - 4\ng1.1 receive o4 - - -", 0},
		{"begin", "g0.6 fork g2 -\ng0.7 yield\ng2.0 begin", 0},
		{"join", "g1.1 end\ng0.6 yield\ng0.7 join g1", 0},
		{"lock", "g0.6 acq o1.0 mutex\ng0.7 rel o1.0\ng1.1 acq o1.0 mutex", 1},
		{"wait", "g0.6 add o1.0 1\ng1.1 add o1.0 -1\ng0.7 wait o1.0 true", 1},
		{"wake", "g0.6 condwait o1.0\ng1.1 signal o1.0 g0\ng1.2 signal o1.0 *\ng0.7 condwake o1.0", 1},
		{"wake of all", "g0.6 condwait o1.0\ng1.1 signal o1.0 *\ng0.7 condwake o1.0", 1},
		{"wake by somebody", "g0.6 condwait o1.0\ng1.1 signal o1.0 -\ng0.7 condwake o1.0", -1},
		{"once", "g0.6 once o1.0\ng1.1 onceseen o1.0", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader("everyway schedule 1\n"+objects+test.events+"\n%end\n"), "a.schedule")
			if err != nil {
				t.Fatal(err)
			}
			s, from := NewState(r.Table()), int64(-1)
			for e, err := range r.Events() {
				if err == nil {
					err = s.Next(e)
				}
				if err != nil {
					t.Fatal(err)
				}
				from = e.From
			}
			if from >= 0 {
				from -= int64(strings.Count(objects, "\n"))
			}
			if from != test.want {
				t.Errorf("from %d, want %d", from, test.want)
			}
		})
	}
}

// TestHeld checks which locks goroutines hold.
func TestHeld(t *testing.T) {
	r, err := NewReader(strings.NewReader("everyway schedule 1\n"+objects+`g0.6 racq o1.0
g0.7 acq o1.1 mutex
g1.1 racq o1.0
g0.8 rel o1.1
g1.2 rrel o1.0
g1.3 rrel o1.0
`+"%end\n"), "a.schedule")
	if err != nil {
		t.Fatal(err)
	}
	s := NewState(r.Table())
	var got []string
	for e, err := range r.Events() {
		if err == nil {
			err = s.Next(e)
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Order < int64(strings.Count(objects, "\n")) {
			continue
		}
		text := ""
		for g := range s.Goroutines() {
			for _, h := range s.Goroutine(GoroutineID(g)).Held {
				text += fmt.Sprintf("g%d:%v ", g, h.Cell)
			}
		}
		got = append(got, text)
	}
	want := "g0:o1.0 |g0:o1.0 g0:o1.1 |g0:o1.0 g0:o1.1 g1:o1.0 |g0:o1.0 g1:o1.0 |g0:o1.0 |"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// TestBuffered checks how full channels are.
func TestBuffered(t *testing.T) {
	r, err := NewReader(strings.NewReader("everyway schedule 1\n"+objects+"g0.6 send o3 - - -\ng0.7 send o2 - - -\n%end\n"), "a.schedule")
	if err != nil {
		t.Fatal(err)
	}
	s := NewState(r.Table())
	for e, err := range r.Events() {
		if err == nil {
			err = s.Next(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for o, want := range map[ObjectID][2]int64{1: {0, 0}, 2: {0, 0}, 3: {1, 1}, 4: {0, 1}} {
		if n, capacity := s.Buffered(o); n != want[0] || capacity != want[1] {
			t.Errorf("o%d has %d of %d elements, want %d of %d", o, n, capacity, want[0], want[1])
		}
	}
}
