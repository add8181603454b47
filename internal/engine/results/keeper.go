package results

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
)

// A Config says what the results of a command follow from.
type Config struct {
	Cache     cache.Cache
	Load      load.Config   // which packages are searched, with their Listing
	Settings  string        // of the searches: all that can make a difference to a result but the budget
	Selection string        // which of the targets are searched
	Budget    time.Duration // for each
	Anew      bool          // results that are kept are not used
}

// A Keeper finds results and keeps them. A nil Keeper does neither.
type Keeper struct {
	cfg      Config
	base     cache.Key            // hash of what all results of the command follow from
	binaries map[string]cache.Key // sums of the test binaries, by the package under test
	order    []string             // of the binaries

	mu      sync.Mutex
	pending []pending
	flushed time.Time
	listed  map[string][]listed // the results of each binary that are kept
	missing map[string]bool     // binaries of which a result is not kept
}

// NewKeeper returns the keeper of a command. It is nil if nothing can be kept, since it is
// not known what the results follow from.
func NewKeeper(cfg Config) *Keeper {
	if cfg.Cache.Off() {
		return nil
	}
	k := &Keeper{
		cfg: cfg, binaries: make(map[string]cache.Key), flushed: time.Now(),
		listed: make(map[string][]listed), missing: make(map[string]bool),
	}
	base := cache.NewHash("results")
	if err := k.addBase(base); err != nil {
		return nil
	}
	binaries, err := cfg.Load.Binaries(cfg.Load.Listing)
	if err != nil {
		return nil // loading the program says what is wrong
	}
	k.base = base.Sum()
	for _, b := range binaries {
		k.binaries[b.Package] = b.Sum
		k.order = append(k.order, b.Package)
	}
	return k
}

// addBase adds to h what all results of the command follow from: everyway itself with its
// models of the standard library, the toolchain, and the settings.
func (k *Keeper) addBase(h *cache.Hash) error {
	executable, err := cache.Executable()
	if err != nil {
		return err
	}
	h.Key(executable)
	toolchain := k.cfg.Load.Toolchain
	if toolchain.Version == "" {
		return fmt.Errorf("what is in %s is no release", toolchain.GOROOT)
	}
	if err := h.Value(toolchain); err != nil {
		return err
	}
	h.Text(k.cfg.Settings)
	return nil
}

// Toolchain returns the user's toolchain.
func (k *Keeper) Toolchain() *load.Toolchain { return k.cfg.Load.Toolchain }

// Several reports whether the tests of several test binaries are searched.
func (k *Keeper) Several() bool { return len(k.order) > 1 }

// A manifest lists the results of the targets of one test binary that a selection chooses.
type manifest struct{ Results []entry }

// An entry is where a result is kept, and a hash of the lines in its positions.
type entry struct{ Key, Lines cache.Key }

// manifestKey returns the key of the manifest of a binary.
func (k *Keeper) manifestKey(binary string) cache.Key {
	h := cache.NewHash("manifest")
	h.Key(k.base)
	h.Key(k.binaries[binary])
	h.Text(binary)
	h.Text(k.cfg.Selection)
	return h.Sum()
}

// Find returns the results of the test binaries of which all are kept, and the packages
// under test of the others.
func (k *Keeper) Find() (kept []*Kept, others []string) {
	if k == nil || k.cfg.Anew {
		return nil, nil
	}
	for _, binary := range k.order {
		if found, ok := k.findAll(binary); ok {
			kept = append(kept, found...)
		} else {
			others = append(others, binary)
		}
	}
	return kept, others
}

// findAll returns the results of a binary if all are kept.
func (k *Keeper) findAll(binary string) ([]*Kept, bool) {
	var m manifest
	if !k.cfg.Cache.Get(k.manifestKey(binary), &m) {
		return nil, false
	}
	var list []*Kept
	for _, e := range m.Results {
		kept := k.find(e)
		if kept == nil {
			return nil, false
		}
		list = append(list, kept)
	}
	return list, true
}

// find returns the result of an entry if it stands.
func (k *Keeper) find(e entry) *Kept {
	var kept Kept
	if !k.cfg.Cache.Get(e.Key, &kept) || !kept.stands(k.cfg.Budget, e.Lines) {
		return nil
	}
	kept.Result.Cached = true
	return &kept
}

// key returns the key of the result of a target, and a hash of the lines in its positions.
func (k *Keeper) key(prog *program.Program, t *load.Target) (found entry, ok bool) {
	sum, ok := k.binaries[t.Package.Binary()]
	if !ok {
		return entry{}, false
	}
	r := program.Reached{Code: sum} // all of the test binary, if it is not known what of it
	if !t.Package.Standard {
		if parts, err := prog.Reach(t); err == nil {
			r = parts
		}
	}
	h := cache.NewHash("result")
	h.Key(k.base)
	h.Key(r.Code)
	h.Key(r.Dirs)
	for _, name := range program.TargetNames(t) {
		h.Text(name)
	}
	return entry{h.Sum(), r.Lines}, true
}

// Get returns the result of a target, nil if it is to be searched.
func (k *Keeper) Get(prog *program.Program, t *load.Target) *Kept {
	if k == nil {
		return nil
	}
	e, ok := k.key(prog, t)
	if !ok || k.cfg.Anew {
		return nil
	}
	kept := k.find(e)
	if kept != nil {
		k.list(t, e)
	}
	return kept
}

// A listed result is to be in the manifest of its binary.
type listed struct {
	target *load.Target
	entry  entry
}

// list notes that the result of a target is kept.
func (k *Keeper) list(t *load.Target, e entry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	b := t.Package.Binary()
	k.listed[b] = append(k.listed[b], listed{t, e})
}

// Searched reports whether Unfinished was called for the target, maybe by an earlier command, and
// nothing that a result of it follows from has changed since.
func (k *Keeper) Searched(prog *program.Program, t *load.Target) bool {
	if k == nil {
		return false
	}
	e, ok := k.key(prog, t)
	return ok && k.cfg.Cache.Get(e.searched(), new(struct{}))
}

// searched returns the key of a mark that says that a search has come to no result.
func (e entry) searched() cache.Key {
	h := cache.NewHash("searched")
	h.Key(e.Key)
	return h.Sum()
}

// Unfinished notes that a target was searched, with a result that is not kept.
func (k *Keeper) Unfinished(prog *program.Program, t *load.Target) {
	if k == nil {
		return
	}
	k.Miss(t)
	if e, ok := k.key(prog, t); ok {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.pending = append(k.pending, pending{e.searched(), struct{}{}})
	}
}

// Miss notes that the result of a target is not kept.
func (k *Keeper) Miss(t *load.Target) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.missing[t.Package.Binary()] = true
}

// A pending value is one that is to be written once it is known that it follows from its key.
type pending struct {
	key   cache.Key
	value any
}

// flushEvery is how often results are written.
const flushEvery = 10 * time.Second

// Put keeps the result of a target.
func (k *Keeper) Put(ctx context.Context, prog *program.Program, t *load.Target, kept *Kept) {
	if k == nil {
		return
	}
	e, ok := k.key(prog, t)
	seen, err := prog.Seen(t)
	if !ok || err != nil {
		k.Miss(t) // files have changed meanwhile
		return
	}
	kept.Result.Saved = nil // it was said
	kept.Seen, kept.Budget, kept.Lines = seen, k.cfg.Budget, e.Lines
	k.list(t, e)
	k.mu.Lock()
	k.pending = append(k.pending, pending{e.Key, kept})
	due := time.Since(k.flushed) > flushEvery
	k.mu.Unlock()
	if due {
		k.flush(ctx)
	}
}

// flush writes what is pending, unless sources have changed since the keys were made: it
// may follow from the new ones. What cannot be written is not kept.
func (k *Keeper) flush(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.flushed = time.Now()
	if len(k.pending) == 0 || !k.unchanged(ctx) {
		return
	}
	for _, p := range k.pending {
		_ = k.cfg.Cache.Put(p.key, p.value)
	}
	k.pending = nil
}

// unchanged reports whether the test binaries are the same as when k was made.
func (k *Keeper) unchanged(ctx context.Context) bool {
	listing, err := k.cfg.Load.List(ctx)
	if err != nil {
		return false
	}
	now, err := k.cfg.Load.Binaries(listing)
	if err != nil {
		return false
	}
	for _, b := range now {
		if k.binaries[b.Package] != b.Sum {
			return false
		}
	}
	return len(now) == len(k.binaries)
}

// Finish is called when the targets of a program have been searched, or when the context of
// the searches has ended.
func (k *Keeper) Finish(ctx context.Context, prog *program.Program, targets []load.Target) {
	if k == nil {
		return
	}
	if ctx.Err() == nil && !slices.ContainsFunc(targets, outsideTests) {
		for _, binary := range prog.Binaries() {
			if m, ok := k.manifest(binary, targets); ok {
				k.pending = append(k.pending, pending{k.manifestKey(binary), m})
			}
		}
	}
	k.flush(context.WithoutCancel(ctx))
	_ = k.cfg.Cache.Trim(time.Now()) // the next command tries again
}

// outsideTests reports whether a target is one that is chosen only if there are no tests in
// any package, or by its name.
func outsideTests(t load.Target) bool {
	return t.Kind == load.TargetMain || t.Kind == load.TargetFunc || t.Kind == load.TargetContext
}

// manifest returns the manifest of a binary, in the order of targets. What is several of them
// comes last. There is none if one of the results is not kept.
func (k *Keeper) manifest(binary string, targets []load.Target) (manifest, bool) {
	if _, ok := k.binaries[binary]; !ok || k.missing[binary] {
		return manifest{}, false
	}
	place := make(map[string]int)
	left := 0
	for i := range targets {
		if targets[i].Package.Binary() == binary {
			place[fullName(&targets[i])] = i - len(targets)
			left++
		}
	}
	list := k.listed[binary]
	for _, l := range list {
		if place[fullName(l.target)] < 0 {
			left--
		}
	}
	slices.SortStableFunc(list, func(a, b listed) int {
		return cmp.Compare(place[fullName(a.target)], place[fullName(b.target)])
	})
	var m manifest
	for _, l := range list {
		m.Results = append(m.Results, l.entry)
	}
	return m, left == 0
}

// fullName names a target in one text.
func fullName(t *load.Target) string { return strings.Join(program.TargetNames(t), " ") }
