package stack

import (
	"testing"

	"github.com/everyway-go/everyway/bench/shapes/internal/trial"
)

var kind = trial.Kind[*Stack]{Of: Of, Ops: []trial.Op[*Stack]{
	{Name: "Push", Do: func(s *Stack, key int) int { s.Push(key); return 0 }, Model: trial.Push},
	{Name: "Pop", Do: pop, Model: last},
}}

func pop(s *Stack, _ int) int {
	if key, ok := s.Pop(); ok {
		return key
	}
	return -1
}

func last(keys []int, _ int) ([]int, int) {
	if len(keys) == 0 {
		return keys, -1
	}
	n := len(keys) - 1
	return keys[:n], keys[n]
}

func TestSequential(t *testing.T)  { kind.Sequential(t) }
func TestStress(t *testing.T)      { kind.Stress(t) }
func TestPushDefault(t *testing.T) { kind.Default(t, "Push") }
func TestPopDefault(t *testing.T)  { kind.Default(t, "Pop") }
func TestPushAny(t *testing.T)     { kind.Any(t, "Push") }
func TestPopAny(t *testing.T)      { kind.Any(t, "Pop") }
