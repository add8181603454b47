package search

import (
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A listener is an Observer that keeps what is printed.
type listener struct {
	verdict.Quiet
	printed []byte
}

func (l *listener) Output(_, _ string, text []byte) { l.printed = append(l.printed, text...) }

// A search whose runs begin where they part with the one before has the same results,
// what the target prints included, as one that makes every run from the start.
func TestFromStart(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/alike", "./testdata/divide/..."}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets := prog.Targets()
	for _, target := range sample.From(targets, len(targets), 4) {
		t.Run(target.Name, func(t *testing.T) {
			for _, strategy := range []string{"hyperconcolic", "mix"} {
				var want, printed string
				configs := []Config{{FromStart: true, Workers: 1}}
				for _, workers := range sample.From([]int{1, 2, 3}, 3, 1) {
					configs = append(configs, Config{Workers: workers})
				}
				for i, cfg := range configs {
					cfg.Strategy, cfg.OutDir, cfg.NoCorpus, cfg.Budget, cfg.Runs = strategy, t.TempDir(), true, time.Hour, sample.Size(200, 200, 60)
					l := &listener{}
					r, err := Target(t.Context(), prog, &target, cfg, l)
					if err != nil {
						t.Fatal(err)
					}
					got := outcome(t, r)
					if i == 0 {
						want, printed = got, string(l.printed)
						t.Log(strategy, r.Verdict, r.Runs, len(printed))
					}
					if got != want {
						t.Errorf("%s, %d workers:\n%s\nfrom the start:\n%s", strategy, cfg.Workers, got, want)
					}
					if text := string(l.printed); text != printed {
						t.Errorf("%s, %d workers: printed is\n%s\nfrom the start\n%s", strategy, cfg.Workers, text, printed)
					}
				}
			}
		})
	}
}
