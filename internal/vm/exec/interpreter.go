package exec

import (
	"go/types"
	"io/fs"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/links"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/value"
	"github.com/everyway-go/everyway/internal/vm/walk"
)

// An Interpreter executes the code of goroutines. It is not safe for concurrent use.
//
// A goroutine that reaches a visible instruction without having been granted its step is parked there.
// When it is executed again after the step has been granted, the instruction is carried out.
type Interpreter struct {
	value.Operations
	// Files are the files that the program finds below Root, none if it is nil. Dir is
	// the path of the program's working directory there, empty for the root. Changes that
	// the program makes to files are visible only in the run that makes them. File
	// contents are cached, so Files must not change.
	Files fs.FS
	Dir   string
	// Root is the path of Files on the host, which a program can know of by runtime.Caller. Empty means /src.
	Root string
	Args []string // of the program, as in os.Args[1:]
	// Executable is the path of the program, as in os.Args[0].
	Executable string
	// Godebug are the settings of $GODEBUG that are not the defaults, by name.
	Godebug map[string]string
	// Inits are the package initialisers that the main goroutine calls, in order. Then it
	// calls Entry with EntryArgs.
	Inits     []*ssa.Function
	EntryArgs []heap.Word
	// Middles are where goroutines begin in the middle of functions, one for each.
	Middles []*code.Middle
	// Order is the order in which these are prepared, nil if it is theirs.
	Order []int
	// InputVariables are the package variables that are inputs, then or of a function that is
	// searched over its parameters.
	InputVariables []*ssa.Global
	// Pointers says where the pointers lead that are inputs then; nil if nothing is known of it.
	Pointers *fragment.Pointers
	// Uses says which synchronisation is an input then, and Conditions which locks the conditions in structs have.
	Uses       fragment.Uses
	Conditions map[*code.Type][]code.Condition
	// Set has, by the type of a struct, the fields that are not nil then: the paths that lead
	// there. Zero has those that are 0.
	Set, Zero map[*code.Type][]string
	// Guarded has, by the type of a struct, the channels that are open as long as a sync.Once has not been done.
	Guarded map[*code.Type][]code.Guarded
	// Structures are those of which each has one owner, and EdgesOf has the types of their edges: a
	// bit for each structure.
	Structures []*code.Type
	EdgesOf    map[*code.Type]uint64
	// Implementing has the types of which interfaces that are inputs can have values, by the type
	// of the interface, as far as they have been asked for. They are those of the program.
	Implementing map[*code.Type][]types.Type
	// Between has the numbers between which fields are then, in the same way, and VariablesBetween
	// those between which package variables are.
	Between          map[*code.Type]map[string]fragment.Range
	VariablesBetween map[*ssa.Global]fragment.Range
	// Related has what is then true of fields together, by the types of their structs, and
	// VariablesRelated what is true of package variables.
	Related          map[*code.Type][]code.Relation
	VariablesRelated []fragment.Relation
	// Corpus is the seed corpus of the fuzz test.
	Corpus []run.CorpusEntry
	// SelectsSubtest reports whether the subtest with the given name, as T.Name returns it,
	// is run. If it is nil, all are.
	SelectsSubtest func(name string) bool

	regions    *region.Finder
	primitives map[string]*state.Primitive
	runs       []func(c *Call) // Primitive.Run, by number
	Natives    map[string]int  // numbers of the native implementations, by name
	nativeRuns []Native

	HostTexts map[string]string // contents read from Files, by path

	// Summaries, if it is not nil, has the summaries of functions. It is set before anything is linked.
	Summaries *walk.Walker

	watched        watch
	primCall       Call // of the primitive that is running; there is only one at a time
	transitionCall Call // of the primitive that computes its transitions
}

// Init makes m ready to execute prog.
func (m *Interpreter) Init(prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) {
	m.Tables = links.NewTables(prog)
	m.HostTexts = make(map[string]string)
	m.Exposed = make(map[uint64]*heap.Object)
	m.Memory = layout.NewMemory(prog, arena)
	m.regions = region.NewFinder(prog)
	m.primitives = make(map[string]*state.Primitive)
	m.Natives, m.nativeRuns = make(map[string]int), []Native{nil}
	m.Scheduler.Init(m, prog, arena, names, settings)
	m.RuntimePkg = prog.SSA.ImportedPackage("runtime")
}
