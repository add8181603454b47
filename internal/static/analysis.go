package static

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/distance"
	"github.com/everyway-go/everyway/internal/static/escape"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/loop"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// A Config says what is analysed.
type Config struct {
	Code *code.Program
	// Roots are the functions that run: initialisers, and the one with which the target starts.
	Roots []*ssa.Function
	// Values are functions that are passed to the one with which the target starts.
	Values []*ssa.Function
	// Inputs are package variables that are inputs of a target.
	Inputs []*ssa.Global
	// Draws says that interfaces and functions are inputs.
	Draws bool
	// Primitive reports whether the machine carries out the function of a name itself.
	Primitive func(name string) bool
	// Visible reports whether the function of the machine with a name is a visible operation.
	Visible func(name string) bool
	// Fset and Files are those of the program.
	Fset  *token.FileSet
	Files []*ast.File
}

// An Analysis answers questions about a target. What it is asked for the first time, it computes;
// it is not safe for concurrent use.
type Analysis struct {
	cfg       Config
	calls     *callgraph.Graph
	endings   *control.Endings
	control   map[*ssa.Function]*control.Graph
	reaching  map[*ssa.Function]*reaching.Function
	distances *distance.Lengths
	places    *place.Index
	pointers  *pointsto.Result
	locks     *lockset.Result
	shared    *escape.Result
	loops     *loop.Finder
	program   *reaching.Program
}

// New returns an analysis of what the roots can reach.
func New(ctx context.Context, cfg Config) (*Analysis, error) {
	calls, err := callgraph.Build(ctx, callgraph.Config{
		Code: cfg.Code, Roots: cfg.Roots, Values: cfg.Values, Draws: cfg.Draws, Primitive: cfg.Primitive,
	})
	if err != nil {
		return nil, fmt.Errorf("finding what the target calls: %w", err)
	}
	return &Analysis{
		cfg: cfg, calls: calls,
		control: make(map[*ssa.Function]*control.Graph), reaching: make(map[*ssa.Function]*reaching.Function),
	}, nil
}

// Library reports whether a function is one of the standard library.
func (a *Analysis) Library(fn *ssa.Function) bool {
	return fn != nil && a.LibraryPackage(fn.Pkg)
}

// LibraryPackage reports whether a package is one of the standard library.
func (a *Analysis) LibraryPackage(p *ssa.Package) bool { return p != nil && a.cfg.Code.Standard(p.Pkg) }

// Calls returns the call graph.
func (a *Analysis) Calls() *callgraph.Graph { return a.calls }

// Code returns the program that is analysed.
func (a *Analysis) Code() *code.Program { return a.cfg.Code }

// Control returns the control flow of a function, nil if it cannot be reached or has no code.
func (a *Analysis) Control(fn *ssa.Function) *control.Graph {
	n := a.calls.Of(fn)
	if n == nil || n.Body == nil {
		return nil
	}
	g := a.control[n.Body]
	if g == nil {
		if a.endings == nil {
			a.endings = control.EndingsOf(a.calls)
		}
		g = control.New(n.Body, control.Options{Returns: a.endings.Call, DiesOfPanics: !a.calls.Recovers(n)})
		a.control[n.Body] = g
	}
	return g
}

// Reaching returns the reaching definitions of a function, nil if it cannot be reached or has no code.
func (a *Analysis) Reaching(fn *ssa.Function) *reaching.Function {
	g := a.Control(fn)
	if g == nil {
		return nil
	}
	r := a.reaching[g.Fn]
	if r == nil {
		r = reaching.Of(g, reaching.NewTypes())
		a.reaching[g.Fn] = r
	}
	return r
}

// Distances returns the lengths of the functions, from which distances are computed.
func (a *Analysis) Distances() *distance.Lengths {
	if a.distances == nil {
		a.distances = distance.NewLengths(a.calls)
	}
	return a.distances
}

// Places returns the lines of the program.
func (a *Analysis) Places() *place.Index {
	if a.places == nil {
		a.places = place.New(a.cfg.Fset, a.calls, a.cfg.Files)
	}
	return a.places
}

// PointsTo returns what pointers may point to.
func (a *Analysis) PointsTo(ctx context.Context) (*pointsto.Result, error) {
	if a.pointers == nil {
		r, err := pointsto.Solve(ctx, a.calls, a.cfg.Code, a.cfg.Inputs)
		if err != nil {
			return nil, err
		}
		a.pointers = r
	}
	return a.pointers, nil
}

// Locks returns which locks are held where.
func (a *Analysis) Locks(ctx context.Context) (*lockset.Result, error) {
	if a.locks != nil {
		return a.locks, nil
	}
	pointers, err := a.PointsTo(ctx)
	if err != nil {
		return nil, err
	}
	a.locks, err = lockset.Solve(ctx, a.calls, a.Control, pointers, a.Library)
	if err != nil {
		return nil, fmt.Errorf("finding which locks are held: %w", err)
	}
	return a.locks, nil
}

// Shared returns which objects goroutines share.
func (a *Analysis) Shared(ctx context.Context) (*escape.Result, error) {
	if a.shared == nil {
		pointers, err := a.PointsTo(ctx)
		if err != nil {
			return nil, err
		}
		a.shared = escape.Of(a.calls, pointers)
	}
	return a.shared, nil
}

// Loops returns a finder of the loops of functions.
func (a *Analysis) Loops(ctx context.Context) (*loop.Finder, error) {
	if a.loops == nil {
		shared, err := a.Shared(ctx)
		if err != nil {
			return nil, err
		}
		a.loops = loop.NewFinder(a.calls, shared, a.cfg.Visible)
	}
	return a.loops, nil
}

// Definitions returns the reaching definitions across functions.
func (a *Analysis) Definitions(ctx context.Context) (*reaching.Program, error) {
	if a.program == nil {
		pointers, err := a.PointsTo(ctx)
		if err != nil {
			return nil, err
		}
		shared, err := a.Shared(ctx)
		if err != nil {
			return nil, err
		}
		in := make(map[*ssa.Function]*reaching.Function)
		a.program = reaching.NewProgram(a.calls, pointers, shared, func(fn *ssa.Function) *reaching.Function {
			g := a.Control(fn)
			if g != nil && in[g.Fn] == nil {
				in[g.Fn] = reaching.Of(g, a.program)
			}
			if g == nil {
				return nil
			}
			return in[g.Fn]
		})
	}
	return a.program, nil
}

// Unsound returns what the answers may leave out though a run does it, a line each. It is empty for
// most programs.
func (a *Analysis) Unsound() []string { return a.calls.Unsound() }
