package naming_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/naming"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestNames runs the functions of testdata/names and looks for what their goroutines do, in words.
func TestNames(t *testing.T) {
	dir, err := filepath.Abs("testdata/names")
	if err != nil {
		t.Fatal(err)
	}
	r := vmtest.Load(t, load.Config{Dir: dir})
	pkg := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
	for _, test := range []struct {
		name      string
		want      []string
		goroutine string // the function of the one that the main goroutine starts
		literal   bool
	}{
		{"One", []string{
			"lock account.mu by sync.(*Mutex).Lock", "write account.balance wrote 3", "write account.history[1].amount wrote 4", "unlock account.mu by sync.(*Mutex).Unlock",
		}, "example.com/names.One.func1", true},
		{"Two", []string{"lock from.mu by sync.(*Mutex).Lock", "lock to.mu by sync.(*Mutex).Lock", "write from.balance wrote 3", "write to.balance wrote 4", "send done wrote true"},
			"example.com/names.Two.func1", true},
		{"Values", []string{
			"write count wrote 1", "read count read 1", "write flags[1] wrote 9", "read flags[1] read 9", `write text wrote "a text"`, `read text read "a text"`,
			`write err wrote *errors.errorString{"wrong"}`, "write total wrote 5", "atomic write ready by sync/atomic.(*Bool).Store wrote true",
			"atomic read ready by sync/atomic.(*Bool).Load read true",
		}, "sync.(*WaitGroup).Go.func1", true},
		{"Channels", []string{`send b.requests wrote "hello"`, `receive b.requests read "hello"`, "read b.requests read b.requests"}, "example.com/names.(*bank).serve", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := vmtest.Boot(t, prog, vmtest.Function(pkg.SSA, test.name), run.Settings{}, nil)
			trace, err := m.Run(t.Context(), &run.Plan{Record: true, RecordPlain: true}, run.NonPreemptive{})
			if err != nil || trace.Outcome != run.Finished {
				t.Fatalf("%v, %+v", err, trace)
			}
			var about []run.ObjectID
			for i := range trace.Events {
				about = append(about, trace.Events[i].Object)
			}
			n := naming.New(&m.Interpreter, pkg.Types, about, about)
			var got []string
			for i := range trace.Events {
				e := &trace.Events[i]
				text := fmt.Sprintf("%s %s", e.Op, n.Cell(e.Object, e.Offset))
				for _, more := range []struct{ what, text string }{{"by", n.Called(e)}, {"read", n.Read(e)}, {"wrote", n.Wrote(e)}} {
					if more.text != "" {
						text += " " + more.what + " " + more.text
					}
				}
				got = append(got, text)
			}
			for _, want := range test.want {
				if !slices.Contains(got, want) {
					t.Errorf("no %q", want)
				}
			}
			if t.Failed() {
				for _, text := range got {
					t.Log(text)
				}
			}
			if g := n.Goroutine(m.Names.Child(0, 1)); g.Func != test.goroutine || g.Literal != test.literal {
				t.Errorf("the goroutine is %+v, want %s", g, test.goroutine)
			}
		})
	}
}
