package concurrent

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
)

// joined reports whether the target of p ends after all its goroutines.
func joined(p *oracle.Program) bool {
	last := p.Groups - 1
	waits := slices.ContainsFunc(p.Bodies[0], func(s oracle.Stmt) bool { return s.Op == oracle.GroupWait && s.Obj == last })
	for _, b := range p.Bodies[1:] {
		if n := len(b); n == 0 || b[n-1].Op != oracle.GroupDone || b[n-1].Obj != last {
			return false
		}
	}
	return waits
}

// TestNative runs programs that hold as go test does, many times on every
// input, and checks that how they end is among the outcomes of the enumerator.
func TestNative(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a test binary")
	}
	var programs []*oracle.Program
	var results []*oracle.Result
	all, found := generateSuite(t, 700, 300, 0)
	for i, p := range all {
		if joined(p) && !found[i].Fails() {
			programs, results = append(programs, p), append(results, found[i])
		}
	}
	for _, k := range kinds.All {
		cfg := k.Config
		if cfg.Family == kinds.NoFamily || cfg.Family == kinds.Spins || cfg.Family == kinds.Alarms || cfg.Time {
			continue // they may take long, or time may run ahead
		}
		for seed := range uint64(16) {
			p := kinds.Generate(seed, cfg)
			r, err := oracle.Enumerate(p, maxClosingStates)
			subtests := cfg.Family == kinds.Subtests && !slices.ContainsFunc(p.Bodies[0], func(s oracle.Stmt) bool { return s.Op == oracle.Spawn })
			if waits := slices.ContainsFunc(p.Bodies[0], func(s oracle.Stmt) bool { return s.Op == oracle.GroupWait && s.Obj == 0 }); err == nil && (waits || subtests) && !r.Fails() {
				programs, results = append(programs, p), append(results, r)
			}
		}
	}
	dir := t.TempDir()
	text, _ := oracle.Source("oracle", programs)
	write := func(name string, data []byte) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module oracle\n\ngo 1.26\n"))
	write("oracle_test.go", text)
	for i, p := range programs {
		p.EachInput(func(values []int) {
			if len(values) == 0 {
				return
			}
			var b bytes.Buffer
			b.WriteString("go test fuzz v1\n")
			for k, in := range p.Inputs {
				fmt.Fprintf(&b, "%s(%d)\n", in.Type, values[k])
			}
			write(fmt.Sprintf("testdata/fuzz/FuzzP%d/%s", i, strings.Trim(fmt.Sprint(values), "[]")), b.Bytes())
		})
	}
	// Subtests that call t.Parallel are not kept waiting for each other: otherwise one that holds a
	// lock meanwhile is in a deadlock with those that want it.
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=30", "-cpu=1,4", "-parallel=64")
	cmd.Dir = dir
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, output.Bytes())
	}

	program, runs := -1, 0
	var o oracle.Outcome
	ends := make([]map[string]bool, len(programs))
	end := func() {
		if program < 0 {
			return
		}
		runs++
		text := o.Canonical(programs[program])
		if ends[program] == nil {
			ends[program] = map[string]bool{}
		}
		if !ends[program][text] && !slices.Contains(results[program].Outcomes, text) {
			t.Errorf("outcome %q, want one of %q\n%s", text, results[program].Outcomes, oracle.Describe(programs[program]))
		}
		ends[program][text] = true
	}
	for line := range strings.Lines(output.String()) {
		var i int
		var s oracle.Shown
		switch n, _ := fmt.Sscan(line, &i, &s.Body, &s.Stmt, &s.Value); n {
		case 1:
			end()
			program, o = i, oracle.Outcome{}
		case 4:
			o.Shown = append(o.Shown, s)
		}
	}
	end()
	seen, there := 0, 0
	for i := range programs {
		seen += len(ends[i])
		there += len(results[i].Outcomes)
	}
	if runs < 60*len(programs) {
		t.Errorf("%d runs of %d programs: output is missing", runs, len(programs))
	}
	t.Logf("%d programs, %d runs, %d of %d outcomes seen", len(programs), runs, seen, there)
}
