package concurrent

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

// A Suite is a set of programs that have been loaded.
type Suite struct {
	Programs []*oracle.Program

	suite  *suite.Suite
	lines  map[string]map[int]oracle.Line // by the name of the file
	output bytes.Buffer
	code   *code.Program
	// The first placed branches of code.Program.Branches, by program.
	branches [][]placedBranch
	placed   int
	// The sites in the functions that have been placed, by program.
	sites     []map[run.SiteID]bool
	funcsDone map[int]bool
}

// A placedBranch is a branch and its index in code.Program.Branches.
type placedBranch struct {
	index int
	oracle.Branch
}

// Load writes the programs as test packages in dir and loads them. Those of which an
// initialiser does a part have packages of their own.
func Load(ctx context.Context, dir string, programs []*oracle.Program) (*Suite, error) {
	s := &Suite{
		Programs: programs, branches: make([][]placedBranch, len(programs)), lines: map[string]map[int]oracle.Line{},
		sites: make([]map[run.SiteID]bool, len(programs)), funcsDone: map[int]bool{},
	}
	files := map[string]string{}
	add := func(name string, text []byte, lines map[int]oracle.Line) {
		files[name] = string(text)
		s.lines[filepath.Join(dir, name)] = lines
	}
	if slices.ContainsFunc(programs, func(p *oracle.Program) bool { return p.Init > 0 }) {
		for i, p := range programs {
			text, lines := oracle.SourceOfOne("oracle", p, i)
			add(fmt.Sprintf("p%d/oracle_test.go", i), text, lines)
		}
	} else {
		text, lines := oracle.Source("oracle", programs)
		add("oracle_test.go", text, lines)
	}
	if err := suite.Write(dir, "oracle", files); err != nil {
		return nil, err
	}
	var err error
	if s.suite, err = suite.Load(ctx, dir); err != nil {
		return nil, err
	}
	s.suite.Settings = run.Settings{
		Limits: run.Limits{Instructions: 1e6, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000},
	}
	for _, p := range programs {
		// The programs of a suite have one stall.
		s.suite.Settings.Stall = oracle.StallOf(p.Stall)
		if p.Bubble { // makes no difference to its time
			s.suite.Settings.Stall = 2 * time.Millisecond
		}
	}
	return s, nil
}

// A Player runs one program of a suite.
type Player struct {
	*Suite
	Machine *vm.Machine
	program int
}

// Player returns a player of a program. It is of use until another one is made: they share
// the machine.
func (s *Suite) Player(ctx context.Context, program int) (*Player, error) {
	name := fmt.Sprint("FuzzP", program)
	if len(s.Programs[program].Inputs) == 0 {
		name = fmt.Sprint("TestP", program)
	}
	m, err := s.suite.Machine(ctx, name, &s.output)
	if err != nil {
		return nil, err
	}
	if s.code != s.suite.Code {
		s.code, s.placed, s.funcsDone = s.suite.Code, 0, map[int]bool{}
	}
	return &Player{Suite: s, Machine: m, program: program}, nil
}

// place returns the statement at a site.
func (p *Player) place(site run.SiteID) (oracle.Line, bool) {
	_, pos := p.Machine.Site(site)
	line, ok := p.at(pos)
	return line, ok && line.Program == p.program
}

// at returns the statement at a position.
func (s *Suite) at(pos token.Pos) (oracle.Line, bool) {
	f := s.suite.Program.Fset.File(pos)
	if f == nil {
		return oracle.Line{}, false
	}
	line, ok := s.lines[f.Name()][f.Line(pos)]
	return line, ok
}

// covered adds the branches of the program in a bit set of a trace to into.
func (p *Player) covered(into map[oracle.Branch]bool, bits []uint64) {
	p.placeBranches()
	for _, b := range p.branches[p.program] {
		if i := b.index; i/64 < len(bits) && bits[i/64]>>(i%64)&1 != 0 {
			into[b.Branch] = true
		}
	}
}

// placeBranches finds the statements of the branches that have been compiled.
func (s *Suite) placeBranches() {
	for ; s.placed < len(s.code.Branches); s.placed++ {
		b := &s.code.Branches[s.placed]
		if line, ok := s.at(b.Pos); ok && op(s.Programs[line.Program], line.Stmt) == oracle.If {
			s.branches[line.Program] = append(s.branches[line.Program], placedBranch{s.placed, oracle.Branch{Stmt: line.Stmt, Then: b.Then}})
		}
	}
}

// op returns what the statement with the ID does.
func op(p *oracle.Program, id int) (op oracle.StmtOp) {
	p.Each(func(_ int, s *oracle.Stmt) {
		if s.ID == id {
			op = s.Op
		}
	})
	return op
}
