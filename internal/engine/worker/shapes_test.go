package worker

import (
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

func TestShapes(t *testing.T) {
	var a, b Stats
	for _, trace := range []run.Trace{{Shape: 1, Skipped: true}, {Shape: 1}, {Shape: 2, Skipped: true}, {}, {Shape: 3}} {
		a.Shapes.count(&trace)
	}
	for _, trace := range []run.Trace{{Shape: 2}, {Shape: 4, Skipped: true}, {Shape: 3, Skipped: true}} {
		b.Shapes.count(&trace)
	}
	a.Add(&b)
	if accepted, refused := a.Shapes.Number(); accepted != 3 || refused != 1 {
		t.Errorf("%d accepted and %d refused", accepted, refused)
	}
}
