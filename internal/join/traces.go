package join

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// Traces are what each goroutine of a run did, without an order between goroutines.
type Traces struct {
	table   *schedule.Table
	about   []schedule.Property
	events  []schedule.Event // goroutines, objects and values are numbered in the order in which they are mentioned
	threads []thread         // timers first, and then the goroutines by number

	goroutines, objects, locals names
	files                       []string // by thread: the file in which it begins
}

// A thread is what one goroutine did, or what timers did.
type thread struct {
	name   schedule.GoroutineID // as it is called in the files
	events []int32
}

// names numbers what the files name by numbers, from 0 without gaps.
type names struct {
	number map[int64]int32
	name   []int64
}

// of returns the number of a name.
func (n *names) of(name int64) int32 {
	i, ok := n.number[name]
	if !ok {
		i = int32(len(n.name))
		if n.number == nil {
			n.number = make(map[int64]int32)
		}
		n.number[name] = i
		n.name = append(n.name, name)
	}
	return i
}

// NewTraces returns traces that are still empty.
func NewTraces() *Traces {
	t := &Traces{table: schedule.NewTable(), threads: make([]thread, 1), files: make([]string, 1)}
	t.threads[0].name = schedule.Timers
	t.goroutines.of(0) // a run begins with it
	t.objects.of(0)    // what is none
	t.locals.of(0)
	t.thread(0)
	return t
}

// maxEvents is how many events are joined at most.
const maxEvents = 1 << 27

// Add adds the traces in a file. Several files are of one run: a number means the same in all of them. The
// events of each goroutine are in the order of the files. Errors say what is wrong with the file.
func (t *Traces) Add(file string, r *schedule.Reader) error {
	in := importer{from: r.Table(), to: t.table, names: []schedule.NameID{0}, locations: []schedule.LocationID{0}}
	for _, p := range r.Properties() {
		if p.Name != schedule.OrderProperty && !slices.Contains(t.about, p) {
			t.about = append(t.about, p)
		}
	}
	for e, err := range r.Events() {
		if err != nil {
			return err
		}
		if len(t.events) == maxEvents {
			return r.Fail(fmt.Sprintf("more than %d events cannot be joined", maxEvents))
		}
		c := e.Clone()
		if err := in.event(&c); err != nil {
			return r.Fail(err.Error())
		}
		if err := t.add(file, c); err != nil {
			return r.Fail(err.Error())
		}
	}
	return nil
}

// add adds an event.
func (t *Traces) add(file string, e schedule.Event) error {
	t.number(&e)
	th := t.thread(e.Goroutine)
	if e.Index != int64(len(th.events)) {
		return fmt.Errorf("event %d of %s comes after event %d of it", e.Index, t.threadName(e.Goroutine), len(th.events)-1)
	}
	if len(th.events) == 0 {
		t.files[e.Goroutine+1] = file
	}
	th.events = append(th.events, int32(len(t.events)))
	t.events = append(t.events, e)
	return nil
}

// number replaces the names in an event by numbers.
func (t *Traces) number(e *schedule.Event) {
	if e.Goroutine >= 0 {
		e.Goroutine = schedule.GoroutineID(t.goroutines.of(int64(e.Goroutine)))
	}
	if hasChild[e.Op] && e.Child >= 0 {
		e.Child = schedule.GoroutineID(t.goroutines.of(int64(e.Child)))
	}
	e.Object = schedule.ObjectID(t.objects.of(int64(e.Object)))
	for i := range e.Cases {
		e.Cases[i].Object = schedule.ObjectID(t.objects.of(int64(e.Cases[i].Object)))
	}
	e.Source = 0 // which names an event by its place in an order
	for l := range localsOf(e) {
		*l = schedule.Local(t.locals.of(int64(*l)))
	}
}

// hasChild holds the operations that name another goroutine.
var hasChild = [schedule.NumOps]bool{
	schedule.Spawn: true, schedule.TimerFire: true, schedule.Join: true, schedule.CondSignal: true,
	schedule.New: true,
}

// localsOf returns a sequence of the places of the symbolic values in an event.
func localsOf(e *schedule.Event) func(func(*schedule.Local) bool) {
	return func(yield func(*schedule.Local) bool) {
		for _, l := range [...]*schedule.Local{&e.Result, &e.Left, &e.Right} {
			if !yield(l) {
				return
			}
		}
		for _, list := range [...][]schedule.Local{e.List, e.Depends} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// thread returns the thread of a goroutine.
func (t *Traces) thread(g schedule.GoroutineID) *thread {
	for int(g)+1 >= len(t.threads) {
		t.threads = append(t.threads, thread{name: schedule.GoroutineID(t.goroutines.name[len(t.threads)-1])})
		t.files = append(t.files, "")
	}
	return &t.threads[g+1]
}

// threadName returns how the files call a goroutine.
func (t *Traces) threadName(g schedule.GoroutineID) string {
	if g == schedule.Timers {
		return "timer"
	}
	return fmt.Sprintf("g%d", t.goroutines.name[g])
}

// An importer takes the names and locations of a file over to another table.
type importer struct {
	from, to  *schedule.Table
	names     []schedule.NameID // by number in from
	locations []schedule.LocationID
}

// event makes an event refer to the other table.
func (in *importer) event(e *schedule.Event) (err error) {
	if e.Name, err = in.name(e.Name); err != nil {
		return err
	}
	if e.Allocator, err = in.name(e.Allocator); err != nil {
		return err
	}
	e.Location, err = in.location(e.Location)
	return err
}

func (in *importer) name(n schedule.NameID) (schedule.NameID, error) {
	for len(in.names) <= int(n) {
		id, err := in.to.NameID(in.from.Name(schedule.NameID(len(in.names))))
		if err != nil {
			return 0, err
		}
		in.names = append(in.names, id)
	}
	return in.names[n], nil
}

func (in *importer) location(l schedule.LocationID) (schedule.LocationID, error) {
	for len(in.locations) <= int(l) {
		at := in.from.Location(schedule.LocationID(len(in.locations)))
		var err error
		if at.File, err = in.name(at.File); err != nil {
			return 0, err
		}
		if at.Func, err = in.name(at.Func); err != nil {
			return 0, err
		}
		id, err := in.to.LocationID(at)
		if err != nil {
			return 0, err
		}
		in.locations = append(in.locations, id)
	}
	return in.locations[l], nil
}
