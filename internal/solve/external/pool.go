package external

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// known are the solvers with a name, in the order in which [Find] prefers
// them, and the arguments that have them read from standard input and spend at most
// MS milliseconds on a query.
var known = []struct {
	name string
	args []string
}{
	{"bitwuzla", []string{"--time-limit-per", "MS"}},
	{"z3", []string{"-in", "-t:MS"}},
	{"cvc5", []string{"--lang=smt2", "--incremental", "--tlimit-per=MS"}},
}

// defaultLimit is how long a solver with a name may take for a query.
const defaultLimit = 10 * time.Second

// Names returns the names of the solvers that [Command] has arguments for.
func Names() []string {
	var names []string
	for _, k := range known {
		names = append(names, k.name)
	}
	return names
}

// Command returns the command for a solver: one of [Names], found in PATH, or
// the path of any program that reads SMT-LIB 2 from standard input.
func Command(solver string) ([]string, error) { return CommandWithin(solver, defaultLimit) }

// CommandWithin is Command with a limit of the time for a query. The limit applies only
// to solvers with a name.
func CommandWithin(solver string, limit time.Duration) ([]string, error) {
	path, err := exec.LookPath(solver)
	if err != nil {
		return nil, fmt.Errorf("no solver %s: %w", solver, err)
	}
	for _, k := range known {
		if k.name == solver {
			command := []string{path}
			for _, arg := range k.args {
				command = append(command, strings.ReplaceAll(arg, "MS", fmt.Sprint(limit.Milliseconds())))
			}
			return command, nil
		}
	}
	return []string{path}, nil
}

// Find returns the name of a solver that is installed.
func Find() (string, error) {
	for _, k := range known {
		if _, err := exec.LookPath(k.name); err == nil {
			return k.name, nil
		}
	}
	return "", fmt.Errorf("no other solver is installed: none of %s is in PATH", strings.Join(Names(), ", "))
}

// Pool answers queries by processes of one command, as many as there are queries at
// the same time. It is safe for concurrent use.
type Pool struct {
	command []string

	mu   sync.Mutex
	idle []*Process
}

// NewPool returns a pool that has started no process yet.
func NewPool(command []string) *Pool { return &Pool{command: command} }

// Probe checks that the command answers queries: one that is satisfiable and one
// that is not.
func (p *Pool) Probe(ctx context.Context) error {
	a := expr.NewArena()
	x := a.Var("x", 8)
	square := a.Mul(x, x)
	for value, want := range map[uint64]solve.Result{4: solve.Sat, 5: solve.Unsat} {
		got, _, err := p.Solve(ctx, a, []expr.ID{a.Eq(square, a.Const(value, 8))}, []expr.ID{x})
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("the solver %s says %v to x*x == %d, which is %v", p.command[0], got, value, want)
		}
	}
	return ctx.Err()
}

// Solve implements [solve.Backend]. A context that is cancelled ends the
// process that is at work.
func (p *Pool) Solve(ctx context.Context, a *expr.Arena, conj, vars []expr.ID) (solve.Result, []uint64, error) {
	process, err := p.take()
	if err != nil {
		return solve.Unknown, nil, err
	}
	stop := context.AfterFunc(ctx, process.kill)
	result, values, err := process.Check(a, conj, vars)
	if !stop() || err != nil {
		process.Close()
		if ctx.Err() != nil {
			return solve.Unknown, nil, nil
		}
		return solve.Unknown, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, process)
	return result, values, nil
}

func (p *Pool) take() (*Process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		process := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return process, nil
	}
	return Start(p.command)
}

// Close ends the processes that are idle.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var first error
	for _, process := range p.idle {
		if err := process.Close(); err != nil && first == nil {
			first = fmt.Errorf("ending the solver %s: %w", process.name, err)
		}
	}
	p.idle = nil
	return first
}
