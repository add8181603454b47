package narrative

import (
	"cmp"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// Relevant returns the indexes of the events of r that its finding depends on, in order: accesses
// to the variables, locks and channels through which the failing goroutines, and in turn those
// whose values they have read, met others, or would have met them if they had come later. What
// comes after the last value that somebody has read is left out, and so is what all of them have
// inherited from before they were started. Spawns, starts and ends are left out, too.
func Relevant(r *schedule.Run) []int {
	s := newSlicer(r)
	s.seed()
	for s.grow() {
	}
	s.addMissed()
	for s.grow() {
	}
	return s.addTime(s.keep())
}

// A cell is a variable, lock or channel.
type cell struct {
	object schedule.Object
	offset int32
}

// cellOf returns the cell of an event, and false if it has none.
func cellOf(e *schedule.RunEvent) (cell, bool) {
	if e.Object == nil {
		return cell{}, false
	}
	return cell{*e.Object, e.Offset}, true
}

type slicer struct {
	run     *schedule.Run
	until   map[string]int // of each goroutine that matters, the last event that may
	cells   map[cell]bool  // through which they have met
	spawned map[string]int // event that started the goroutine
	writers map[cell][]int // events that change a cell
	made    map[cell]bool  // whether a cell has been changed by the goroutine that made it alone, before others came (see published)
	stuck   bool           // the finding is about goroutines that get no further
	// closed says that what led to the finding is all in the cells and locks that it is about: goroutines wait for
	// locks that others hold, or it is a race.
	closed  bool
	history map[string]bool // the goroutines whose calls make a history, if the finding is about that
	locks   bool            // nothing but locks matters, since they are held in a circle
}

func newSlicer(r *schedule.Run) *slicer {
	history := historyOf(r)
	r = withoutDriver(untilFinding(untilHistory(r, history)))
	s := &slicer{
		run: r, until: make(map[string]int), cells: make(map[cell]bool), spawned: make(map[string]int),
		writers: make(map[cell][]int), made: make(map[cell]bool), history: history,
	}
	for i := range r.Events {
		e := &r.Events[i]
		if e.Op == schedule.Spawn {
			s.spawned[e.Child] = i
		}
		if c, ok := cellOf(e); ok && changes(e.Op) {
			s.writers[c] = append(s.writers[c], i)
		}
	}
	return s
}

// untilFinding returns a run up to its finding, if that is something that has happened. A test goes on when
// it has failed.
func untilFinding(r *schedule.Run) *schedule.Run {
	f := r.Finding
	if f == nil || f.Events == 0 || f.Events >= len(r.Events) || check.Of(check.Kind(f.Kind)).Stuck || f.Kind == string(check.Race) {
		return r
	}
	until := *r
	until.Events = r.Events[:f.Events]
	return &until
}

// changes reports whether an operation changes what it is about. Locks do not count: who has met whom
// there is in the values that they protect.
func changes(op schedule.Op) bool {
	switch op {
	case schedule.Write, schedule.AtomicWrite, schedule.AtomicUpdate, schedule.Send, schedule.Recv, schedule.Close,
		schedule.WaitGroupAdd, schedule.CondSignal, schedule.SemRelease:
		return true
	}
	return false
}

// seed starts from the goroutines that the finding names. If they are stuck, the finding is
// about what they wait for.
func (s *slicer) seed() {
	f := s.run.Finding
	if len(s.history) > 0 {
		for g := range s.history {
			s.until[g] = len(s.run.Events)
		}
		s.seedWhy()
		return
	}
	if f == nil {
		for i := range s.run.Events {
			s.until[s.run.Events[i].Goroutine] = i
		}
		for i := range s.run.Events {
			if c, ok := cellOf(&s.run.Events[i]); ok {
				s.cells[c] = true
			}
		}
		return
	}
	s.stuck = check.Of(check.Kind(f.Kind)).Stuck
	for one := range f.All() {
		s.until[one.Goroutine] = len(s.run.Events)
	}
	for one := range f.All() {
		if s.stuck && (!joins(one) || len(f.Others) == 0) {
			s.addWaits(one)
		}
	}
	if f.Kind == string(check.Race) {
		s.seedRace()
	}
	s.seedWhy()
	if !s.stuck {
		return
	}
	w := newWaiting(s.run)
	s.locks = w.circle() != nil
	for one := range f.All() {
		_, held := w.holder(one)
		s.closed = s.closed || held
	}
}

// addWaits adds what a goroutine waits for or, if that was not recorded, what its last event was about.
func (s *slicer) addWaits(f *schedule.Finding) {
	for _, w := range f.Waits {
		if w.Object != nil {
			s.add(cell{*w.Object, w.Offset})
		}
	}
	if len(f.Waits) > 0 {
		return
	}
	for i := len(s.run.Events) - 1; i >= 0; i-- {
		if c, ok := cellOf(&s.run.Events[i]); ok && s.run.Events[i].Goroutine == f.Goroutine {
			s.add(c)
			return
		}
	}
}

// seedWhy starts from the two steps whose order matters, if they are known.
func (s *slicer) seedWhy() {
	for _, i := range whyEvents(s.run) {
		e := &s.run.Events[i]
		if until, ok := s.until[e.Goroutine]; !ok || until < i {
			s.until[e.Goroutine] = i
		}
		if c, ok := cellOf(e); ok && !e.Op.IsLock() {
			s.add(c)
		}
	}
}

// whyEvents returns those of the two events whose order matters that are among the events of the
// run, and not in a goroutine of the standard library. There are none if it is not known which ones
// matter.
func whyEvents(r *schedule.Run) []int {
	if r.Finding == nil || r.Finding.Why == nil {
		return nil
	}
	var list []int
	for _, s := range []*schedule.WhyStep{&r.Finding.Why.First, &r.Finding.Why.Then} {
		if s.Event >= 0 && s.Event < len(r.Events) && r.Events[s.Event].Goroutine == s.Goroutine && !strings.HasPrefix(s.Pos, "$GOROOT/") {
			list = append(list, s.Event)
		}
	}
	return list
}

// joins reports whether a goroutine waits for a wait group, and so for what other goroutines of a
// finding wait for.
func joins(f *schedule.Finding) bool {
	return len(f.Waits) == 1 && f.Waits[0].Op == schedule.WaitGroupWait
}

// seedRace starts from the two accesses: nothing orders them, whatever came before.
func (s *slicer) seedRace() {
	s.closed = true
	for one := range s.run.Finding.All() {
		if i := accessOf(s.run, one); i >= 0 {
			s.until[one.Goroutine] = i
			if c, ok := cellOf(&s.run.Events[i]); ok {
				s.cells[c] = true
			}
		}
	}
}

// add adds a cell, with the goroutines that have changed it.
func (s *slicer) add(c cell) bool {
	if s.cells[c] {
		return false
	}
	s.cells[c] = true
	for _, i := range s.writers[c] {
		g := s.run.Events[i].Goroutine
		if until, ok := s.until[g]; !ok && !s.inheritedByAll(i) || ok && until < i {
			s.until[g] = i
		}
	}
	return true
}

// grow follows one round of reads to the goroutines that wrote the values, and
// reports whether anything was added.
func (s *slicer) grow() bool {
	if s.closed {
		return false
	}
	grew := false
	for i := range s.run.Events {
		e := &s.run.Events[i]
		until, ok := s.until[e.Goroutine]
		if !ok || i > until || e.From == nil {
			continue
		}
		w := &s.run.Events[*e.From]
		if w.Goroutine == e.Goroutine || s.inherited(*e.From, e.Goroutine) || s.published(e) {
			continue
		}
		if was, ok := s.until[w.Goroutine]; !ok || was < *e.From {
			s.until[w.Goroutine] = *e.From
			grew = true
		}
		for _, x := range []*schedule.RunEvent{e, w} {
			if c, ok := cellOf(x); ok && s.add(c) {
				grew = true
			}
		}
	}
	return grew
}

// maxMissed bounds the variables that addMissed adds: those that the fewest events are about.
const maxMissed = 2

// addMissed adds variables that a goroutine that fails, or one whose step decides that, has read
// before another one has changed them: it would have found another value if it had come later.
func (s *slicer) addMissed() {
	f := s.run.Finding
	if f == nil || s.stuck || s.closed {
		return
	}
	reads := map[string]bool{f.Goroutine: true}
	for g := range s.history {
		reads[g] = true
	}
	for _, i := range whyEvents(s.run) {
		reads[s.run.Events[i].Goroutine] = true
	}
	var missed []cell
	late := make(map[cell]bool) // those in missed
	changed := make(map[cell]lastChanges)
	events := make(map[cell]int)
	for i := range s.run.Events {
		e := &s.run.Events[i]
		c, ok := cellOf(e)
		until, matters := s.until[e.Goroutine]
		if !ok || !matters || i > until || s.cells[c] {
			continue
		}
		events[c]++
		if !reads[e.Goroutine] || !onlyReads(e.Op) || late[c] {
			continue
		}
		of, known := changed[c]
		if !known {
			of = s.lastChanges(c)
			changed[c] = of
		}
		if of.after(i, e.Goroutine) {
			late[c] = true
			missed = append(missed, c)
		}
	}
	slices.SortStableFunc(missed, func(a, b cell) int { return cmp.Compare(events[a], events[b]) })
	for _, c := range missed[:min(len(missed), maxMissed)] {
		s.add(c)
	}
}

// lastChanges are the last events of two goroutines that matter in which they change a cell: that of the
// one that does so last, and that of the other that does. They are -1 if there are none.
type lastChanges struct {
	last, other int
	goroutine   string // the one that does so last
}

func (s *slicer) lastChanges(c cell) lastChanges {
	l := lastChanges{last: -1, other: -1}
	for _, w := range s.writers[c] {
		g := s.run.Events[w].Goroutine
		if until, ok := s.until[g]; !ok || w > until {
			continue
		}
		if g != l.goroutine {
			l.other = l.last
		}
		l.last, l.goroutine = w, g
	}
	return l
}

// after reports whether another goroutine than g changes the cell after event i: g has come too
// late for that if it has read it there.
func (l *lastChanges) after(i int, g string) bool {
	if g == l.goroutine {
		return i < l.other
	}
	return i < l.last
}

// onlyReads reports whether an operation reads a variable, and does not write it.
func onlyReads(op schedule.Op) bool { return op == schedule.Read || op == schedule.AtomicRead }

// inherited reports whether event w happened before goroutine g was started:
// g, or an ancestor of g, was started later by the goroutine of w.
func (s *slicer) inherited(w int, g string) bool {
	for {
		spawn, ok := s.spawned[g]
		if !ok {
			return false
		}
		parent := s.run.Events[spawn].Goroutine
		if parent == s.run.Events[w].Goroutine {
			return w < spawn
		}
		g = parent
	}
}

// published reports whether e reads a part of what another goroutine has made, and has not changed since it
// let others know of it: that they do is in the pointers that lead there.
func (s *slicer) published(e *schedule.RunEvent) bool {
	c, _ := cellOf(e)
	by := c.object.Goroutine
	if by == "" || e.Op != schedule.Read || strings.HasPrefix(e.Goroutine+".", by+".") {
		return false
	}
	made, known := s.made[c]
	if !known {
		made = s.madeBy(c, by)
		s.made[c] = made
	}
	return made
}

// madeBy reports whether only a goroutine changes a cell, before any other one accesses the object.
func (s *slicer) madeBy(c cell, by string) bool {
	last := -1
	for _, i := range s.writers[c] {
		if w := &s.run.Events[i]; w.Goroutine != by || w.Op != schedule.Write {
			return false
		}
		last = i
	}
	for i := range s.run.Events[:last+1] {
		if x := &s.run.Events[i]; x.Goroutine != by && x.Object != nil && *x.Object == c.object {
			return false
		}
	}
	return true
}

// inheritedByAll reports whether all other goroutines that matter were started after event i.
func (s *slicer) inheritedByAll(i int) bool {
	for g := range s.until {
		if g != s.run.Events[i].Goroutine && g != schedule.Timer && !s.inherited(i, g) {
			return false
		}
	}
	return true
}

// keep returns the events that matter.
func (s *slicer) keep() []int {
	waits := newWaiting(s.run)
	var kept []int
	matters := make(map[int]bool)
	for i := range s.run.Events {
		e := &s.run.Events[i]
		until, ok := s.until[e.Goroutine]
		c, hasCell := cellOf(e)
		switch {
		case !ok || i > until || e.Op == schedule.TimePass:
		case e.Op == schedule.Fail:
			matters[i] = true
		case !hasCell || e.Op.IsLock():
		case e.Op == schedule.WaitGroupAdd && s.waitsFor(e.Goroutine, c): // before it waits, its Adds are as they should be
		case s.locks:
		case s.cells[c] && (len(s.until) == 1 || !s.inheritedByAll(i)):
			matters[i] = true
		}
	}
	s.keepDefaults(matters)
	s.keepLocks(matters, waits)
	for _, i := range whyEvents(s.run) {
		matters[i] = true
		if e := &s.run.Events[i]; takes(e.Op) {
			if given := s.givenBack(i); given >= 0 {
				matters[given] = true
			}
		}
	}
	s.keepTimers(matters)
	for i := range s.run.Events {
		if matters[i] {
			kept = append(kept, i)
		}
	}
	return kept
}

// maxDefaults bounds the default cases that keepDefaults adds for one goroutine: those of a loop that polls are many.
const maxDefaults = 2

// keepDefaults adds to the events that matter the last default cases that the program has taken, of
// goroutines that matter: what they did not meet there may be what is missing.
func (s *slicer) keepDefaults(matters map[int]bool) {
	if s.closed || s.locks {
		return
	}
	kept := make(map[string]int)
	for i := len(s.run.Events) - 1; i >= 0; i-- {
		e := &s.run.Events[i]
		if _, ok := s.until[e.Goroutine]; ok && e.Op == schedule.SelectDefault && !inLibrary(e) && kept[e.Goroutine] < maxDefaults {
			kept[e.Goroutine]++
			matters[i] = true
		}
	}
}

// keepTimers adds to the events that matter those that have set the timers that fire in them, or that have started a
// goroutine that matters.
func (s *slicer) keepTimers(matters map[int]bool) {
	for i := range s.run.Events {
		e := &s.run.Events[i]
		_, starts := s.until[e.Child]
		if e.Op != schedule.TimerFire || !matters[i] && !starts {
			continue
		}
		if set := timerSet(s.run, i); set >= 0 {
			matters[set] = true
		}
	}
}

// givenBack returns the event in which a goroutine gives back the lock that it takes in event i, -1 if there is none.
func (s *slicer) givenBack(i int) int {
	taken := &s.run.Events[i]
	c, _ := cellOf(taken)
	for k := i + 1; k < len(s.run.Events); k++ {
		e := &s.run.Events[k]
		if at, ok := cellOf(e); ok && at == c && e.Goroutine == taken.Goroutine && (e.Op == schedule.Unlock || e.Op == schedule.RUnlock) {
			return k
		}
	}
	return -1
}

// waitsFor reports whether a goroutine waits for a wait group, or has waited for it.
func (s *slicer) waitsFor(g string, c cell) bool {
	for one := range s.run.Finding.All() {
		if one.Goroutine == g && joins(one) && one.Waits[0].Object != nil && (cell{*one.Waits[0].Object, one.Waits[0].Offset}) == c {
			return true
		}
	}
	return slices.ContainsFunc(s.run.Events, func(e schedule.RunEvent) bool {
		at, ok := cellOf(&e)
		return ok && at == c && e.Goroutine == g && e.Op == schedule.WaitGroupWait
	})
}

// keepLocks adds to the events that matter those on locks that are held around others, if several goroutines use
// the lock, and those that have taken what somebody waits for.
func (s *slicer) keepLocks(matters map[int]bool, waits *waiting) {
	users := make(map[cell]map[string]bool)
	for i := range s.run.Events {
		e := &s.run.Events[i]
		if until, ok := s.until[e.Goroutine]; ok && i <= until && e.Op.IsLock() && e.Object != nil {
			c, _ := cellOf(e)
			if users[c] == nil {
				users[c] = make(map[string]bool)
			}
			users[c][e.Goroutine] = true
		}
	}
	open := make(map[string]map[cell]int) // by goroutine, where it has taken the locks that it holds
	last := make(map[string]int)          // by goroutine, its last event that matters and is not on a lock
	around := make(map[int]bool)
	for i := range s.run.Events {
		e := &s.run.Events[i]
		until, ok := s.until[e.Goroutine]
		c, hasCell := cellOf(e)
		if _, held := open[e.Goroutine][c]; !ok || i > until && !(held && e.Op == schedule.Unlock) {
			continue // a lock that is held when the last thing happens that matters is given back later
		}
		if matters[i] {
			last[e.Goroutine] = i
			continue
		}
		if !e.Op.IsLock() || !hasCell {
			continue
		}
		switch {
		case takes(e.Op):
			if open[e.Goroutine] == nil {
				open[e.Goroutine] = make(map[cell]int)
			}
			open[e.Goroutine][c] = i
		case e.Op == schedule.Unlock || e.Op == schedule.RUnlock:
			from, held := open[e.Goroutine][c]
			delete(open[e.Goroutine], c)
			if held && len(users[c]) > 1 && last[e.Goroutine] > from && matters[last[e.Goroutine]] {
				around[from], around[i] = true, true
			}
		case e.Op == schedule.TryFail && len(users[c]) > 1, e.Op == schedule.LockIntent && s.stuck && waits.wanted[c]:
			around[i] = true
		}
	}
	for g, held := range open {
		for c, from := range held {
			if waits.wanted[c] || !s.stuck && len(users[c]) > 1 && last[g] > from {
				around[from] = true
			}
		}
	}
	for i := range around {
		matters[i] = true
	}
}

// addTime adds the passing of time between the kept events, and wherever a goroutine is kept
// waiting.
func (s *slicer) addTime(kept []int) []int {
	var out []int
	k := 0
	for i := range s.run.Events {
		e := &s.run.Events[i]
		switch {
		case k < len(kept) && kept[k] == i:
			out = append(out, i)
			k++
		case e.Op == schedule.TimePass && (k > 0 && k < len(kept) || e.Waits != ""):
			out = append(out, i)
		}
	}
	return out
}

// takes reports whether an operation takes a lock.
func takes(op schedule.Op) bool { return op == schedule.Lock || op == schedule.RLock }

// primitives are the functions of the standard library that are operations themselves: what they do is
// told by the operation, and not as something that happened inside a library.
var primitives = []string{"sync.(*Mutex).", "sync.(*RWMutex).", "sync.(*rlocker).", "sync.(*WaitGroup).", "sync.(*Cond).", "sync/atomic."}

// inLibrary reports whether an event happened inside a function of the standard library that is no
// primitive.
func inLibrary(e *schedule.RunEvent) bool {
	return e.Call != "" && !slices.ContainsFunc(primitives, func(p string) bool { return strings.HasPrefix(e.Call, p) })
}

// accessOf returns the event of an access of a race, -1 if it is not there.
func accessOf(r *schedule.Run, f *schedule.Finding) int {
	write := strings.Contains(f.Message, schedule.Write.String()+" and ") || f.Message == schedule.Write.String()
	for i := len(r.Events) - 1; i >= 0; i-- {
		e := &r.Events[i]
		if e.Goroutine != f.Goroutine || e.Pos != f.Pos || e.Object == nil {
			continue
		}
		switch e.Op {
		case schedule.Read, schedule.AtomicRead:
			if !write {
				return i
			}
		case schedule.Write, schedule.AtomicWrite, schedule.AtomicUpdate:
			if write {
				return i
			}
		default: // inside a primitive, such as a wait group
			return i
		}
	}
	return -1
}
