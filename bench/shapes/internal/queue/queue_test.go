package queue

import (
	"testing"

	"github.com/everyway-go/everyway/bench/shapes/internal/trial"
)

var kind = trial.Kind[*Queue]{Of: Of, Ops: []trial.Op[*Queue]{
	{Name: "Put", Do: func(q *Queue, key int) int { q.Put(key); return 0 }, Model: trial.Push},
	{Name: "Take", Do: take, Model: trial.First},
}}

func take(q *Queue, _ int) int {
	if key, ok := q.Take(); ok {
		return key
	}
	return -1
}

func TestSequential(t *testing.T)  { kind.Sequential(t) }
func TestStress(t *testing.T)      { kind.Stress(t) }
func TestPutDefault(t *testing.T)  { kind.Default(t, "Put") }
func TestTakeDefault(t *testing.T) { kind.Default(t, "Take") }
func TestPutAny(t *testing.T)      { kind.Any(t, "Put") }
func TestTakeAny(t *testing.T)     { kind.Any(t, "Take") }
