package external

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/expr/smtlib/sexpr"
	"github.com/everyway-go/everyway/internal/solve"
)

// ErrRefused is the error when a solver answers with one of its own: it does not know
// an operator, for example, or is out of memory.
var ErrRefused = errors.New("it refuses the query")

// maxAnswer bounds the answer of a solver, in bytes.
const maxAnswer = 64 << 20

// Process is a solver in a process of its own. It is not safe for concurrent
// use.
type Process struct {
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *sexpr.Reader
	stderr *tail
	end    func() error // ends the process, once
	script bytes.Buffer // not yet sent

	logic    string  // the logic that is set
	levels   []level // what is asserted
	declared map[string]bool
	terms    []string // scratch: those of the query
}

// level is one assertion on the stack, with the symbols it declared or
// defined.
type level struct {
	term    string
	symbols []string
}

// Start starts the solver that the command names. See [Command].
func Start(command []string) (*Process, error) {
	p := &Process{name: command[0], cmd: exec.Command(command[0], command[1:]...), stderr: &tail{}, declared: map[string]bool{}}
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = time.Second // a child of the process may have the output open after its end
	p.end = sync.OnceValue(p.wait)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the solver %s: %w", p.name, err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the solver %s: %w", p.name, err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the solver: %w", err)
	}
	p.in, p.out = in, sexpr.NewReader(bufio.NewReader(out))
	p.out.Limit = maxAnswer
	p.begin("QF_BV")
	return p, nil
}

// begin has the solver start in the logic, with nothing asserted.
func (p *Process) begin(logic string) {
	if p.logic != "" {
		p.script.WriteString("(reset)\n")
	}
	fmt.Fprintf(&p.script, "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic %s)\n", logic)
	p.logic = logic
	p.levels = p.levels[:0]
	clear(p.declared)
}

// kill ends the process, whatever it is doing. It may be called while another
// goroutine waits for an answer, which then fails.
func (p *Process) kill() { p.cmd.Process.Kill() }

// Close ends the process. It may be called more than once.
func (p *Process) Close() error { return p.end() }

func (p *Process) wait() error {
	p.in.Close()
	p.kill()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

// Check answers a conjunction, with values for vars if it is Sat. After an
// error the process has ended.
func (p *Process) Check(a *expr.Arena, conj, vars []expr.ID) (solve.Result, []uint64, error) {
	result, values, err := p.check(a, conj, vars)
	if err != nil {
		p.Close() // only then is all that it said here
		if said := p.stderr.String(); said != "" {
			err = fmt.Errorf("%w (%s)", err, said)
		}
		return solve.Unknown, nil, fmt.Errorf("querying the solver %s: %w", p.name, err)
	}
	return result, values, nil
}

func (p *Process) check(a *expr.Arena, conj, vars []expr.ID) (solve.Result, []uint64, error) {
	if err := p.assert(a, conj); err != nil {
		return solve.Unknown, nil, err
	}
	p.script.WriteString("(check-sat)\n")
	answer, err := p.send()
	if err != nil {
		return solve.Unknown, nil, err
	}
	switch answer.Atom {
	case "unsat":
		return solve.Unsat, nil, nil
	case "sat":
		values, err := p.values(a, vars)
		if err != nil {
			return solve.Unknown, nil, err
		}
		return solve.Sat, values, p.evaluate(a, conj, vars, values)
	case "unknown", "timeout":
		return solve.Unknown, nil, nil
	}
	return solve.Unknown, nil, fmt.Errorf("it answers %q to check-sat", answer)
}

// assert makes the conjuncts the assertions on the stack.
func (p *Process) assert(a *expr.Arena, conj []expr.ID) error {
	if logic := smtlib.Logic(a, conj); logic != p.logic && (p.logic == "QF_BV" || logic == "ALL") { // each includes those before
		p.begin(logic)
	}
	p.terms = p.terms[:0]
	for _, x := range conj {
		var term strings.Builder
		if err := smtlib.WriteTerm(&term, a, x); err != nil {
			return err
		}
		p.terms = append(p.terms, term.String())
	}
	common := 0
	for common < len(p.levels) && common < len(p.terms) && p.levels[common].term == p.terms[common] {
		common++
	}
	if n := len(p.levels) - common; n > 0 {
		fmt.Fprintf(&p.script, "(pop %d)\n", n)
		for _, l := range p.levels[common:] {
			for _, s := range l.symbols {
				delete(p.declared, s)
			}
		}
		p.levels = p.levels[:common]
	}
	for i, x := range conj[common:] {
		p.script.WriteString("(push 1)\n")
		l := level{term: p.terms[common+i]}
		for _, f := range smtlib.Functions(a, []expr.ID{x}) {
			if s := f.String(); !p.declared[s] {
				p.declared[s] = true
				l.symbols = append(l.symbols, s)
				p.script.WriteString(f.Definition())
			}
		}
		for _, v := range a.Vars(nil, x) {
			s := smtlib.Symbol(a, v)
			if p.declared[s] {
				continue
			}
			p.declared[s] = true
			l.symbols = append(l.symbols, s)
			if err := smtlib.WriteDeclarations(&p.script, a, []expr.ID{v}); err != nil {
				return err
			}
		}
		if err := smtlib.WriteAssertion(&p.script, a, x, fmt.Sprintf("r%d!", len(p.levels))); err != nil {
			return err
		}
		p.levels = append(p.levels, l)
	}
	return nil
}

// values gets the values of variables after sat.
func (p *Process) values(a *expr.Arena, vars []expr.ID) ([]uint64, error) {
	p.script.WriteString("(get-value (")
	for _, v := range vars {
		p.script.WriteString(smtlib.Symbol(a, v) + " ")
	}
	p.script.WriteString("))\n")
	answer, err := p.send()
	if err != nil {
		return nil, err
	}
	values, err := parseValues(a, vars, answer)
	if err != nil {
		return nil, fmt.Errorf("reading its model: %w", err)
	}
	return values, nil
}

// parseValues reads the answer to get-value: a list of pairs of a symbol and a
// bit-vector, in the order of vars.
func parseValues(a *expr.Arena, vars []expr.ID, answer *sexpr.Expr) ([]uint64, error) {
	if !answer.IsList() || len(answer.List) != len(vars) {
		return nil, fmt.Errorf("%d values expected, not %v", len(vars), answer)
	}
	values := make([]uint64, len(vars))
	for i, v := range vars {
		symbol, pair := smtlib.Symbol(a, v), answer.List[i]
		// Bars are needed only around symbols that are no words otherwise.
		if len(pair.List) != 2 || pair.Head() != strings.Trim(symbol, "|") {
			return nil, fmt.Errorf("%v where the value of %s is expected", pair, symbol)
		}
		value, _, err := smtlib.Constant(pair.List[1])
		if err != nil {
			return nil, fmt.Errorf("the value of %s: %w", symbol, err)
		}
		if width := a.Width(v); width < 64 && value>>width != 0 {
			return nil, fmt.Errorf("the value %d of %s is wider than it", value, symbol)
		}
		values[i] = value
	}
	return values, nil
}

// evaluate checks a model.
func (p *Process) evaluate(a *expr.Arena, conj, vars []expr.ID, values []uint64) error {
	value := make(map[expr.ID]uint64, len(vars))
	for i, v := range vars {
		value[v] = values[i]
	}
	for _, x := range conj {
		if a.Eval(x, func(v expr.ID) uint64 { return value[v] }) != 1 {
			return fmt.Errorf("its model does not satisfy %s", a.String(x))
		}
	}
	return nil
}

// send sends the script and returns the answer.
func (p *Process) send() (*sexpr.Expr, error) {
	if _, err := p.in.Write(p.script.Bytes()); err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	p.script.Reset()
	answer, err := p.out.Next()
	if err != nil {
		return nil, fmt.Errorf("reading its answer: %w", err)
	}
	if answer.Head() == "error" {
		return nil, fmt.Errorf("%w: %v", ErrRefused, answer)
	}
	return answer, nil
}

// tail keeps the last bytes written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 500

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf) - tailSize; n > 0 {
		t.buf = t.buf[n:]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.buf))
}
