package covering

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/border"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/epoch"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
	"github.com/everyway-go/everyway/internal/vm"
)

// A Search enumerates the schedules of a program.
type Search struct {
	cfg     Config
	program *program.Program
	target  *load.Target
	calls   *callgraph.Graph
	slice   *synchronisation.Slice // of what decides which operations there are
	// border is the slice of what decides that, and the states in which epochs end; slice if the program is one epoch.
	border *synchronisation.Slice
	// outside returns what is no input and has an influence on a slice.
	outside func(ctx context.Context, opt synchronisation.Options) ([]string, error)
	markers []epoch.Marker
	// decisions are the branches that something decides which is no input.
	decisions []synchronisation.Decision
	repeats   [][]synchronisation.Earlier // by decisions: whose outcomes are theirs
	set       *cover.Set
	solver    *solve.Solver
	names     map[string]int // of epochs, their numbers
	shapes    map[string]int // by where goroutines are, how many epochs there are
	// By epoch: the states in which it begins, nil at the start of the program, and how often it
	// was begun anew since there are more.
	domains     []*domain
	generations []int
	endings     [][]ending                  // by epoch: how those of its schedules end that lead to another one
	ranges      [][]expr.ID                 // by epoch: what is known of the inputs that are drawn in it
	seen        map[int][]map[string]uint64 // by epoch: states in which runs from the start of the program have begun it, with the inputs that were drawn
	code        *code.Program
	base        *machine // with what machines have in common
	// With a least length: by arrivalKey, whether a goroutine goes on from a marker, and the epochs
	// in which it does not where that is not known.
	shorts  map[string]bool
	settled map[int]bool
	// Changed is called when the set has grown; it may be nil.
	Changed func(*cover.Set) error
}

// An UnsupportedError lists what in a program schedules cannot be found for, a line each.
type UnsupportedError struct{ Lines []string }

// Error returns the first line, and how many more there are.
func (e *UnsupportedError) Error() string {
	if more := len(e.Lines) - 1; more > 0 {
		return fmt.Sprintf("%s (and %d more)", e.Lines[0], more)
	}
	return e.Lines[0]
}

// NameOf returns the name of what a set is of: the package, or the test.
func NameOf(t *load.Target) string {
	if t.Kind == load.TargetTest {
		return t.Package.Path + "." + t.Name
	}
	return t.Package.Path
}

// New analyses the main function of a program, or a test.
func New(ctx context.Context, p *program.Program, target *load.Target, cfg Config) (*Search, error) {
	cfg.MaxSchedules = cmp.Or(cfg.MaxSchedules, DefaultMaxSchedules)
	cfg.MaxEpochs = cmp.Or(cfg.MaxEpochs, DefaultMaxEpochs)
	cfg.MaxGoroutines = cmp.Or(cfg.MaxGoroutines, DefaultMaxGoroutines)
	cfg.MaxInstructions = cmp.Or(cfg.MaxInstructions, DefaultMaxInstructions)
	s := &Search{
		cfg: cfg, program: p, target: target, set: cover.New(), names: make(map[string]int),
		shapes: make(map[string]int), shorts: make(map[string]bool), settled: make(map[int]bool),
	}
	s.solver = solve.New(s.set.Arena, solve.Options{})
	static, err := s.analyse(ctx)
	if err != nil {
		return nil, fmt.Errorf("analysing %s: %w", target.Package.Path, err)
	}
	code, err := p.CoverKey(target)
	if err != nil {
		return nil, err
	}
	s.set.Program, s.set.Code, s.set.Options = NameOf(target), code, cfg.options()
	s.set.Processors, s.set.Flags = cfg.Processors, cfg.Flags
	for _, m := range s.markers {
		kind := cover.AtLoop
		switch {
		case m.Barrier:
			kind = cover.AtBarrier
		case m.Head:
			kind = cover.AtHead
		}
		s.set.Markers = append(s.set.Markers, cover.Marker{Kind: kind, Position: p.Position(target, m.Pos), Function: m.Func.String()})
	}
	s.nameDecisions()
	s.set.Notes = static
	return s, nil
}

// analyse analyses the program. It returns what the analysis may leave out.
func (s *Search) analyse(ctx context.Context) (notes []string, err error) {
	cfg, err := s.program.Static(s.target)
	if err != nil {
		return nil, err
	}
	a, err := static.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	pointers, err := a.PointsTo(ctx)
	if err != nil {
		return nil, err
	}
	s.calls = pointers.Calls()
	ops := synchronisation.Find(a, s.calls)
	bad := ops.Unsupported
	if len(bad) == 0 {
		var more []synchronisation.Unsupported
		s.markers, more, err = epoch.Place(ctx, a, ops, epoch.Options{NoTrivial: s.cfg.Without.Trivial, NoCovered: s.cfg.Without.Covered})
		if err != nil {
			return nil, err
		}
		bad = more
	}
	if len(bad) == 0 {
		if err := s.cut(ctx, a, ops); err != nil {
			return nil, err
		}
		bad = s.undetermined()
	}
	if len(bad) > 0 {
		return nil, s.unsupported(bad)
	}
	s.outside = func(ctx context.Context, opt synchronisation.Options) ([]string, error) {
		opt.Unknown, opt.Processors, opt.Flags = s.cfg.Unknown, s.cfg.Processors > 0, len(s.cfg.Flags) > 0
		slice, err := synchronisation.NewSlice(ctx, a, ops, opt)
		if err != nil {
			return nil, err
		}
		var list []string
		for _, src := range slice.OwnSources() {
			if !slices.Contains(list, src.Why) {
				list = append(list, src.Why)
			}
		}
		return list, nil
	}
	notes = slices.Clone(a.Unsound())
	for _, d := range ops.WaitDeferred() {
		s.set.Deferred = append(s.set.Deferred, s.program.Position(s.target, d.Pos()))
	}
	return notes, nil
}

// borderSources returns what of no input may decide in what state an epoch begins.
func (s *Search) borderSources() (list []synchronisation.Unsupported) {
	for _, src := range s.border.OwnSources() {
		why := "the state in which the next epoch begins may depend on " + src.Why + ", which is no input: draw it with package sym, or keep it out of what is read where goroutines synchronise"
		list = append(list, synchronisation.Unsupported{Instr: src.Instr, Func: src.Instr.Parent(), Why: why})
	}
	return list
}

// undetermined returns what of no input decides which operations there are.
func (s *Search) undetermined() (list []synchronisation.Unsupported) {
	for _, src := range s.slice.OwnSources() {
		which := ", which is no input: draw it with package sym"
		if strings.Contains(src.Why, "/sym.Float") {
			which = ", which is a floating-point number: draw an integer"
		}
		why := "which operations of synchronisation there are depends on " + src.Why + which
		what, at := s.slice.Effect(src)
		pos := token.NoPos
		if br, ok := at.(*ssa.If); ok {
			pos, _ = conditionPos(br, s.program.NewCode(nil).References)
			what += " in a loop or a function that does not synchronise"
		} else if at != nil {
			pos = at.Pos()
		}
		if pos.IsValid() {
			why += fmt.Sprintf(", or have branches decide that synchronise (at %s it decides %s)", s.program.Position(s.target, pos), what)
		}
		list = append(list, synchronisation.Unsupported{Instr: src.Instr, Func: src.Instr.Parent(), Why: why})
	}
	return list
}

// unsupported returns the error that lists what is not covered.
func (s *Search) unsupported(list []synchronisation.Unsupported) error {
	return &UnsupportedError{s.reasons(list)}
}

// reasons returns a line for each reason, with the first place, and how many more there are.
func (s *Search) reasons(list []synchronisation.Unsupported) (lines []string) {
	places := make(map[string]map[string]bool) // by reason
	var whys []string
	for _, u := range list {
		pos := u.Instr.Pos()
		if !pos.IsValid() {
			pos = u.Func.Pos()
		}
		at := ""
		if pos.IsValid() {
			at = s.program.Position(s.target, pos) + ": "
		}
		if places[u.Why] == nil {
			places[u.Why] = make(map[string]bool)
			whys = append(whys, u.Why)
			lines = append(lines, at+u.Why)
		}
		places[u.Why][at] = true
	}
	for i, why := range whys {
		if more := len(places[why]) - 1; more > 0 {
			lines[i] += fmt.Sprintf(" (and at %d more)", more)
		}
	}
	return lines
}

// Resume goes on with a set that an earlier search of the program has left, and reports whether it
// does: it does not if the sources or the options are others.
func (s *Search) Resume(old *cover.Set) bool {
	if old.Program != s.set.Program || old.Code != s.set.Code || !slices.Equal(old.Options, s.set.Options) ||
		old.Processors != s.set.Processors || !slices.Equal(old.Flags, s.set.Flags) || !slices.Equal(old.Markers, s.set.Markers) ||
		!slices.Equal(old.Decisions, s.set.Decisions) {
		return false
	}
	if s.cfg.MinLength > 0 && slices.ContainsFunc(old.Epochs, func(e *cover.Epoch) bool { return e.Begin != nil && !old.Epochs[e.Begin.From].Ready }) {
		return false // runs may not come there again: which markers goroutines have passed on the way is known no longer
	}
	s.set = old
	if s.cfg.MinLength > 0 {
		s.recallShorts()
	}
	s.solver = solve.New(s.set.Arena, solve.Options{})
	for i, e := range old.Epochs {
		name := epochName(e.Goroutines)
		s.domains, s.generations, s.endings, s.ranges = append(s.domains, nil), append(s.generations, 0), append(s.endings, nil), append(s.ranges, nil)
		if b := e.Begin; b != nil {
			s.shapes[name]++
			s.domains[i] = newDomain(b.Cells)
			for _, values := range b.States {
				s.domains[i].add(values)
			}
			if !e.Ready {
				e.Schedules = nil // how they end is known no longer
			}
			if name += b.Shape; len(b.States) == 0 && len(e.Open) > 0 {
				name = epochName(e.Goroutines) + e.Open[0]
			}
		}
		s.names[name] = i
	}
	return true
}

// Set returns the set as far as it is known.
func (s *Search) Set() *cover.Set { return s.set }

// Run enumerates the schedules of all epochs that are reached (Fig. 3.5). The set is complete as far as it goes if
// the context ends before.
func (s *Search) Run(ctx context.Context) error {
	if len(s.set.Epochs) == 0 {
		s.addEpochAs("", &cover.Epoch{Goroutines: []cover.Start{{Kind: cover.Entry}}})
	}
	for {
		// An epoch is searched again when it turns out that it begins in more states.
		i := slices.IndexFunc(s.set.Epochs, func(e *cover.Epoch) bool { return !e.Ready })
		if i < 0 {
			return s.Realise(ctx)
		}
		e := s.set.Epochs[i]
		e.Open = nil // what a search was about that is resumed
		m, err := s.machine(ctx, e)
		if err != nil {
			return err
		}
		if err := m.search(ctx); err != nil {
			m.describe()
			return err
		}
		if err := s.changed(); err != nil {
			return err
		}
	}
}

// changed tells of what was found.
func (s *Search) changed() error {
	if s.Changed == nil {
		return nil
	}
	return s.Changed(s.set)
}

// addEpochAs adds an epoch that is told from others by a key, and returns its number.
func (s *Search) addEpochAs(key string, e *cover.Epoch) int {
	i := len(s.set.Epochs)
	s.names[key] = i
	s.set.Epochs = append(s.set.Epochs, e)
	var d *domain
	if e.Begin != nil {
		d = newDomain(e.Begin.Cells)
	}
	s.domains, s.generations, s.endings, s.ranges = append(s.domains, d), append(s.generations, 0), append(s.endings, nil), append(s.ranges, nil)
	return i
}

// epochName returns what tells an epoch from others: where its goroutines begin.
func epochName(goroutines []cover.Start) string {
	var name strings.Builder
	for _, g := range goroutines {
		name.WriteString(g.String() + "\n")
	}
	return name.String()
}

// maxLen is the length of the longest string or slice that is drawn as an input.
const maxLen = 8

// A machine makes the runs of one epoch.
type machine struct {
	*Search
	vm     *vm.Machine
	epoch  *cover.Epoch
	number int   // of the epoch
	path   []int // the epochs through which it was reached first
	stops  map[run.SiteID]bool
	decide map[run.SiteID]*decision
	ways   map[run.SiteID]*decision // of branches of which one side ends the process
	marker map[run.SiteID]*epoch.Marker
	calls  map[int32]bool // functions of packages sync and sync/atomic, by number
	reader *border.Reader
	booted uint64 // instructions of the initialisers

	copier     expr.Copier
	domain     []expr.ID // bounds of inputs, of the set's arena
	guarded    int       // how many of these hold on some paths only
	bounded    map[expr.ID]bool
	known      map[string][]*cover.Schedule  // by keyOf
	others     map[*cover.Schedule][]expr.ID // which inputs a schedule is not for, by the elements of When
	inputs     map[string]cover.Input
	given      map[string]bool // what was given up
	unraced    map[string]bool // of what was given up, that which is about data races only
	generation int             // of the epoch
	runs       int
	foreign    bool  // goroutines of the standard library go on
	err        error // what is wrong with a run
}

// machine returns the machine of an epoch.
func (s *Search) machine(ctx context.Context, e *cover.Epoch) (*machine, error) {
	if s.base == nil {
		base, err := s.boot(ctx, s.program.Args, nil)
		if errors.Is(err, vm.ErrBoot) {
			return nil, &UnsupportedError{[]string{err.Error()}}
		}
		if err != nil {
			return nil, err
		}
		s.base = base
	}
	return s.base.of(e), nil
}

// of returns the machine of an epoch, of what it has in common with those of others.
func (m *machine) of(e *cover.Epoch) *machine {
	s, base := m.Search, m
	m = &machine{}
	*m = *base
	m.epoch, m.number = e, slices.Index(s.set.Epochs, e)
	m.path, m.generation = s.chain(m.number), s.generations[m.number]
	m.bounded, m.known, m.inputs, m.given = make(map[expr.ID]bool), make(map[string][]*cover.Schedule), make(map[string]cover.Input), make(map[string]bool)
	m.unraced, m.others = make(map[string]bool), make(map[*cover.Schedule][]expr.ID)
	m.copier = expr.Copier{To: s.set.Arena, From: m.vm.Arena}
	for _, sc := range e.Schedules { // of a search that is resumed
		m.known[keyOf(sc)] = append(m.known[keyOf(sc)], sc)
	}
	for _, in := range e.Inputs {
		m.inputs[in.Name] = in
	}
	if e.Begin != nil {
		for _, in := range e.Begin.Cells {
			m.inputs[in.Name] = in
		}
	}
	return m
}

// boot makes what the machines of all epochs have in common. The program has arguments after its
// flags, and beside its files those that are offered, unless these are nil. With an error that is
// [vm.ErrBoot], the machine only says how far the initialisers have come.
func (s *Search) boot(ctx context.Context, args []string, beside fs.FS) (*machine, error) {
	entry, err := s.program.Entry(s.target)
	if err != nil {
		return nil, err
	}
	settings := run.Settings{
		MaxLen: maxLen, MaxObjects: 3, MaxChain: 3, GoesOn: true, Stall: run.AnyStall,
		Limits: run.Limits{Instructions: s.cfg.MaxInstructions, Memory: 1 << 30, Depth: 10_000, Goroutines: s.cfg.MaxGoroutines},
	}
	if s.code == nil {
		s.code = s.program.NewCode(nil)
	}
	code := s.code
	m := &machine{
		Search: s, vm: vm.New(code, expr.NewArena(), run.NewNames(), settings),
		stops: make(map[run.SiteID]bool), marker: make(map[run.SiteID]*epoch.Marker), calls: make(map[int32]bool),
	}
	m.vm.Godebug = s.program.Godebug(s.target)
	m.vm.Args, m.vm.Processors = slices.Concat(s.cfg.Flags, args), s.cfg.Processors
	m.vm.Output = io.Discard
	m.vm.EachSite = true // a branch in the slice may repeat one that is not
	m.vm.Least = true    // numbers often say how long a program computes
	if m.vm.Files, m.vm.Dir, err = s.program.TestFiles(s.target); err != nil {
		return nil, fmt.Errorf("finding the files of %s: %w", s.target.Package.Path, err)
	}
	if beside != nil {
		m.vm.Files = besideFiles{m.vm.Files, m.vm.Dir, beside}
	}
	for i := range s.markers {
		mk := &s.markers[i]
		siteOf := place.EntryOf
		if mk.Barrier {
			siteOf = place.SiteOf
		}
		site, ok := siteOf(code, s.calls, mk.Instr)
		if !ok {
			return nil, &UnsupportedError{[]string{s.program.Position(s.target, mk.Pos) + ": the loop has no code at which it begins"}}
		}
		id := m.vm.SiteOf(site.Func.Name, site.Instr)
		m.stops[id], m.marker[id] = true, mk
	}
	if err := m.findDecisions(code); err != nil {
		return nil, err
	}
	trace, err := m.vm.Boot(ctx, entry)
	if err != nil && !errors.Is(err, vm.ErrBoot) {
		return nil, fmt.Errorf("starting %s: %w", s.target.Package.Path, err)
	}
	if m.booted = trace.Instructions; err != nil {
		return m, err
	}
	if len(s.markers) > 0 {
		m.reader = border.NewReader(m.vm, s.border, s.sourcePosition)
	}
	return m, nil
}

// instr returns the instruction of SSA at a site, nil if there is none.
func (m *machine) instr(id run.SiteID) ssa.Instruction {
	if id.Func < 0 || int(id.Func) >= len(m.vm.Funcs) || m.vm.Funcs[id.Func] == nil {
		return nil
	}
	f := m.vm.Funcs[id.Func].Func
	if id.Instr < 0 || f.Body == nil {
		return nil
	}
	return f.Instr(int(id.Instr))
}
