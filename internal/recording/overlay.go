package recording

import (
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed kinds.go
var kindsSource string

//go:embed _src
var hookSource embed.FS

// A method is a function of the standard library of which another version is in _src. The original gets another name.
type method struct{ receiver, name string }

// hooked are the methods with another version, by the file in GOROOT/src that has them.
var hooked = map[string][]method{
	"internal/sync/mutex.go": {{"Mutex", "Lock"}, {"Mutex", "TryLock"}, {"Mutex", "Unlock"}},
	"sync/mutex.go":          {{"Mutex", "Lock"}, {"Mutex", "Unlock"}},
	"sync/rwmutex.go": {
		{"RWMutex", "Lock"}, {"RWMutex", "TryLock"}, {"RWMutex", "Unlock"}, {"RWMutex", "RLock"}, {"RWMutex", "TryRLock"}, {"RWMutex", "RUnlock"},
	},
	"sync/waitgroup.go": {{"WaitGroup", "Add"}, {"WaitGroup", "Wait"}},
	"sync/cond.go":      {{"Cond", "Wait"}, {"Cond", "Signal"}, {"Cond", "Broadcast"}},
	"sync/once.go":      {{"Once", "Do"}},
	"sync/pool.go":      {{"Pool", "Put"}, {"Pool", "Get"}},
}

// A replacement is what a function of the standard library, or if that is "" a file, has instead of
// some text, so many times, as often as it is there if that is 0. If several are for the same text,
// each is for as many of the places that have it, in their order.
type replacement struct {
	function, text, with string
	times                int
}

// replacements are those in files in GOROOT/src.
var replacements = map[string][]replacement{
	// What package sync does for the race detector is not recorded, and takes time: of a Pool, values are even dropped.
	"internal/sync/mutex.go": {{"", `"sync/atomic"`, `atomic "internal/everyway"`, 1}, {"", "race.Enabled", "false", 0}},
	"sync/rwmutex.go":        {{"", "race.Enabled", "false", 0}},
	"sync/waitgroup.go":      {{"", "race.Enabled", "false", 0}},
	"runtime/proc.go":        {{"", "const randomizeScheduler = raceenabled", "const randomizeScheduler = false", 1}},
	// The callers of a function that C calls are on another stack, with frames of C between them,
	// which have no frame pointers.
	"runtime/cgocall.go": {
		{"cgocallbackg", "savedbp := unsafe.Pointer(gp.syscallbp)", "savedbp := unsafe.Pointer(gp.syscallbp)\n\t*(*uintptr)(unsafe.Pointer(getfp())) = uintptr(savedbp)", 1},
		{"cgocallbackg1", "raceacquire(unsafe.Pointer(&racecgosync))", "everywayNoteCallback(gp)\n\t\traceacquire(unsafe.Pointer(&racecgosync))", 1},
	},
	"runtime/chan.go": {
		{"chansend", "racenotify(c, c.sendx, nil)", "everywaySent(c, nil)", 1},
		{"send", "racesync(c, sg)", "everywaySent(c, sg)", 1},
		{"send", "racenotify(c, c.recvx, nil)", "everywaySent(c, sg)", 1},
		{"send", "racenotify(c, c.recvx, sg)", "", 1},
		{"chanrecv", "racenotify(c, c.recvx, nil)", "everywayReceived(c, nil)", 1},
		{"chanrecv", "raceacquire(c.raceaddr())", "everywayReceivedClosed(c, getg())", 2},
		{"recv", "racesync(c, sg)", "everywayReceived(c, sg)", 1},
		{"recv", "racenotify(c, c.recvx, nil)", "everywayReceived(c, sg)", 1},
		{"recv", "racenotify(c, c.recvx, sg)", "", 1},
		{"closechan", "racerelease(c.raceaddr())", "everywayClosed(c)", 1},
		// Whether a select has to take its default case is only decided with the channel locked.
		{"chansend", "if !block && c.closed == 0 && full(c) {", "if false {", 1},
		{"chanrecv", "if !block && empty(c) {", "if false {", 1},
		{"chansend", "var t0 int64", "if !block {\n\t\teverywayTries(c, everywaySends)\n\t}\n\tvar t0 int64", 1},
		{"chanrecv", "var t0 int64", "if !block {\n\t\teverywayTries(c, everywayReceives)\n\t}\n\tvar t0 int64", 1},
		{"chansend", "if !block {\n\t\tunlock(&c.lock)", "if !block {\n\t\teverywayTakesDefault()\n\t\tunlock(&c.lock)", 1},
		{"chanrecv", "if !block {\n\t\tunlock(&c.lock)", "if !block {\n\t\teverywayTakesDefault()\n\t\tunlock(&c.lock)", 1},
		{"chansend", "// Block on the channel.", "everywayWaits(c, everywaySend) //", 1},
		{"chanrecv", "// no sender available:", "everywayWaits(c, everywayReceive) //", 1},
		{"chansend", "gopark(nil, nil,", "everywayWaits(nil, everywaySend)\n\t\tgopark(nil, nil,", 1},
		{"chanrecv", "gopark(nil, nil,", "everywayWaits(nil, everywayReceive)\n\t\tgopark(nil, nil,", 1},
		{"chansend", "panic(plainError(", "everywayFailed(c)\n\t\tpanic(plainError(", 2},
		{"closechan", "unlock(&c.lock)\n\t\tpanic(", "everywayFailed(c)\n\t\tunlock(&c.lock)\n\t\tpanic(", 1},
		{"closechan", "raceacquireg(gp, c.raceaddr())", "everywayReceivedClosed(c, gp)", 1},
		{"closechan", "raceacquireg(gp, c.raceaddr())", "", 1}, // of a goroutine that waits to send: it panics
	},
	"runtime/select.go": {
		{"selectgo", "racenotify(c, c.recvx, nil)", "everywayReceived(c, nil)", 1},
		{"selectgo", "racenotify(c, c.sendx, nil)", "everywaySent(c, nil)", 1},
		{"selectgo", "raceacquire(c.raceaddr())", "everywayReceivedClosed(c, getg())", 1},
		{"selectgo", "// pass 1 -", "everywayCases(scases, nsends, pcs, block) //", 1},
		{"selectgo", "if !block {\n", "if !block {\n\t\teverywayTakesDefault()\n", 1},
		{"selectgo", "// pass 2 -", "everywayWaits(nil, everywayCase) //", 1},
		{"selectgo", "panic(plainError(", "everywayFailed(c)\n\tpanic(plainError(", 1},
		{"block", "gopark(", "everywayWaits(nil, everywayCase)\n\tgopark(", 1},
	},
	"runtime/time.go": {
		{"newTimer", "racerelease(unsafe.Pointer(&t.timer))", "everywaySetTimer(&t.timer, unsafe.Pointer(c))", 1},
		{"resetTimer", "racerelease(unsafe.Pointer(&t.timer))", "everywaySetTimer(&t.timer, t.c)", 1},
	},
	"sync/pool.go": {{"Get", "p.New()", "p.everywayNew()", 1}, {"", "race.Enabled", "false", 0}},
}

// added are the files of _src and what they are in GOROOT/src.
var added = map[string]string{
	"_src/runtime/race0.go":     "runtime/race0.go",
	"_src/race/norace.go":       "internal/race/norace.go",
	"_src/sync/wrap.go":         "sync/zz_everyway.go",
	"_src/everyway/atomic.go":   "internal/everyway/atomic.go",
	"_src/internalsync/wrap.go": "internal/sync/zz_everyway.go",
}

// An overlay is what the go command sees instead of files.
type overlay struct {
	goroot, dir string
	replace     map[string]string
}

// writeOverlay writes to dir the sources of a standard library that records what goroutines do, and
// returns the flags of the go command that make it build programs with it. An error says if this
// version of Go is one for which that cannot be done.
func writeOverlay(dir, goroot string) (flags []string, err error) {
	o := &overlay{goroot, dir, map[string]string{}}
	for _, file := range slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for f := range hooked {
			yield(f)
		}
		for f := range replacements {
			yield(f)
		}
	})) {
		text, err := o.edited(file)
		if err != nil {
			return nil, err
		}
		if err := o.put(file, text); err != nil {
			return nil, err
		}
	}
	for from, to := range added {
		text, err := hookSource.ReadFile(from)
		if err != nil {
			return nil, err
		}
		if err := o.put(to, string(text)); err != nil {
			return nil, err
		}
	}
	for path, name := range map[string]string{"runtime": "runtime", "sync": "sync", "internal/sync": "sync", "internal/race": "race"} {
		if err := o.put(path+"/zz_everyway_kinds.go", strings.Replace(kindsSource, "package recording", "package "+name, 1)); err != nil {
			return nil, err
		}
	}
	if err := o.atomics(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(dir, "overlay.json")
	return []string{"-overlay=" + list, "-gcflags=all=-race -d=checkptr=0"}, os.WriteFile(list, data, 0o666)
}

// path returns where a file is in GOROOT/src.
func (o *overlay) path(file string) string {
	return filepath.Join(o.goroot, "src", filepath.FromSlash(file))
}

// put has the go command see a text in the place of a file.
func (o *overlay) put(file, text string) error {
	to := filepath.Join(o.dir, strings.ReplaceAll(file, "/", "_"))
	o.replace[o.path(file)] = to
	return os.WriteFile(to, []byte(text), 0o666)
}

// A versionError says that a file of the standard library is not as it was in the versions of Go that are known.
type versionError struct{ file, what string }

func (e *versionError) Error() string {
	return fmt.Sprintf("%s has no %s: this version of Go cannot record native runs with this version of everyway", e.file, e.what)
}

// An edit replaces a part of a text.
type edit struct {
	from, to int
	with     string
}

// edited returns the text of a file with its hooks.
func (o *overlay) edited(file string) (string, error) {
	text, syntax, fset, err := o.parse(file)
	if err != nil {
		return "", err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var edits []edit
	for _, m := range hooked[file] {
		f := function(syntax, m.receiver, m.name)
		if f == nil {
			return "", &versionError{o.path(file), "method " + m.receiver + "." + m.name}
		}
		edits = append(edits, edit{at(f.Name.Pos()), at(f.Name.End()), "everyway" + m.name})
	}
	type wanted struct{ function, text string }
	left := map[wanted][]int{} // where the text is that has not been replaced yet
	for _, r := range replacements[file] {
		key := wanted{r.function, r.text}
		places, ok := left[key]
		if !ok {
			if r.function == "" {
				places = occurrences(text, r.text, 0, len(text))
			}
			for _, d := range syntax.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == r.function {
					places = append(places, occurrences(text, r.text, at(f.Pos()), at(f.End()))...)
				}
			}
		}
		times := r.times
		if times == 0 {
			times = max(1, len(places))
		}
		if len(places) < times {
			return "", &versionError{o.path(file), r.text + " in " + r.function}
		}
		for _, i := range places[:times] {
			edits = append(edits, edit{i, i + len(r.text), r.with})
		}
		left[key] = places[times:]
	}
	for key, places := range left {
		if len(places) > 0 {
			return "", &versionError{o.path(file), "other number of " + key.text + " in " + key.function}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		text = text[:e.from] + e.with + text[e.to:]
	}
	return text, nil
}

// occurrences returns where a part of a text, between two offsets, has another one.
func occurrences(text, part string, from, to int) (list []int) {
	for {
		n := strings.Index(text[from:to], part)
		if n < 0 {
			return list
		}
		list = append(list, from+n)
		from += n + len(part)
	}
}

func (o *overlay) parse(file string) (text string, syntax *ast.File, fset *token.FileSet, err error) {
	data, err := os.ReadFile(o.path(file))
	if err != nil {
		return "", nil, nil, &versionError{o.path(file), "text"}
	}
	fset = token.NewFileSet()
	syntax, err = parser.ParseFile(fset, o.path(file), data, parser.ParseComments|parser.SkipObjectResolution)
	return string(data), syntax, fset, err
}

// function returns a function of a file, the receiver of which is a pointer to a type; nil if there is none.
func function(file *ast.File, receiver, name string) *ast.FuncDecl {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Recv == nil {
			continue
		}
		if p, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
			if id, ok := p.X.(*ast.Ident); ok && id.Name == receiver {
				return f
			}
		}
	}
	return nil
}

// atomics has the functions of sync/atomic that are written in assembly be Go functions, which
// record what they do. Those for pointers are in package runtime, which calls those for integers.
func (o *overlay) atomics() error {
	var b strings.Builder
	b.WriteString(`package atomic

import (
	native "internal/runtime/atomic"
	"unsafe"
)

//go:noescape
//go:linkname everywayBegin runtime.everywayBegin
func everywayBegin(addr unsafe.Pointer)

//go:noescape
//go:linkname everywayDone runtime.everywayDone
func everywayDone(kind uint64, addr unsafe.Pointer)
`)
	for _, file := range []string{"sync/atomic/doc.go", "sync/atomic/doc_64.go"} {
		text, syntax, fset, err := o.parse(file)
		if err != nil {
			return err
		}
		for _, d := range slices.Backward(syntax.Decls) {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body != nil {
				continue
			}
			name := f.Name.Name
			from, to := fset.Position(f.Pos()).Offset, fset.Position(f.End()).Offset
			signature := text[from:to]
			if f.Doc != nil {
				from = fset.Position(f.Doc.Pos()).Offset
			}
			if strings.HasSuffix(name, "Pointer") && name != "LoadPointer" {
				continue
			}
			body, err := atomicBody(name)
			if err != nil {
				return &versionError{o.path(file), err.Error()}
			}
			fmt.Fprintf(&b, "\n//go:linkname %s\n%s {\n%s}\n", name, signature, body)
			text = text[:from] + text[to:]
		}
		if err := o.put(file, text); err != nil {
			return err
		}
	}
	// There has to be a file in assembly where functions have no bodies.
	if err := o.put("sync/atomic/asm.s", "// The functions are written in Go.\n"); err != nil {
		return err
	}
	if err := o.put("sync/atomic/zz_everyway.go", b.String()); err != nil {
		return err
	}
	return o.put("sync/atomic/zz_everyway_kinds.go", strings.Replace(kindsSource, "package recording", "package atomic", 1))
}

// atomicBody returns the body of a function of sync/atomic.
func atomicBody(name string) (string, error) {
	i := strings.LastIndexAny(name, "IUPL") // of the name of the type
	for _, t := range []string{"Int32", "Uint32", "Int64", "Uint64", "Uintptr", "Pointer"} {
		if strings.HasSuffix(name, t) {
			i = len(name) - len(t)
		}
	}
	if i < 0 {
		return "", fmt.Errorf("type of %s", name)
	}
	op, typ := name[:i], name[i:]
	suffix, as := "", "uint32"
	switch typ {
	case "Int64", "Uint64":
		suffix, as = "64", "uint64"
	case "Uintptr":
		suffix, as = "uintptr", "uintptr"
	case "Pointer":
		suffix = "p"
	}
	result := strings.ToLower(typ)
	p := "(*" + as + ")(unsafe.Pointer(addr))"
	const begin, done = "\t_ = *addr // which may be nil\n\teverywayBegin(unsafe.Pointer(addr))\n", "\teverywayDone(%s, unsafe.Pointer(addr))\n"
	update := fmt.Sprintf(done, "everywayAtomicUpdate")
	switch op {
	case "Swap":
		return begin + fmt.Sprintf("\told = %s(native.Xchg%s(%s, %s(new)))\n", result, suffix, p, as) + update + "\treturn old\n", nil
	case "CompareAndSwap":
		return begin + fmt.Sprintf("\tkind := uint64(everywayAtomicRead)\n\tif swapped = native.Cas%s(%s, %s(old), %s(new)); swapped {\n\t\tkind = everywayAtomicUpdate\n\t}\n", suffix, p, as, as) +
			fmt.Sprintf(done, "kind") + "\treturn swapped\n", nil
	case "Add":
		delta := strings.TrimPrefix(as, "u")
		if typ == "Uintptr" {
			delta = as
		}
		return begin + fmt.Sprintf("\tnew = %s(native.Xadd%s(%s, %s(delta)))\n", result, suffix, p, delta) + update + "\treturn new\n", nil
	case "And", "Or":
		if suffix == "" {
			suffix = "32"
		}
		return begin + fmt.Sprintf("\told = %s(native.%s%s(%s, %s(mask)))\n", result, op, suffix, p, as) + update + "\treturn old\n", nil
	case "Load":
		if typ == "Pointer" {
			return begin + "\tval = native.Loadp(unsafe.Pointer(addr))\n" + fmt.Sprintf(done, "everywayAtomicRead") + "\treturn val\n", nil
		}
		return begin + fmt.Sprintf("\tval = %s(native.Load%s(%s))\n", result, suffix, p) + fmt.Sprintf(done, "everywayAtomicRead") + "\treturn val\n", nil
	case "Store":
		return begin + fmt.Sprintf("\tnative.Store%s(%s, %s(val))\n", suffix, p, as) + fmt.Sprintf(done, "everywayAtomicWrite"), nil
	}
	return "", fmt.Errorf("function %s", name)
}
