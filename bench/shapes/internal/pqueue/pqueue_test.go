package pqueue

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/bench/shapes/internal/trial"
)

var kind = trial.Kind[*Queue]{Of: Of, Ops: []trial.Op[*Queue]{
	{Name: "Insert", Do: func(q *Queue, key int) int { q.Insert(key); return 0 }, Model: insert},
	{Name: "Remove", Do: remove, Model: trial.First},
}}

func insert(keys []int, key int) ([]int, int) {
	i, _ := slices.BinarySearch(keys, key)
	return slices.Insert(keys, i, key), 0
}

func remove(q *Queue, _ int) int {
	if key, ok := q.Remove(); ok {
		return key
	}
	return -1
}

func TestSequential(t *testing.T)    { kind.Sequential(t) }
func TestStress(t *testing.T)        { kind.Stress(t) }
func TestInsertDefault(t *testing.T) { kind.Default(t, "Insert") }
func TestRemoveDefault(t *testing.T) { kind.Default(t, "Remove") }
func TestInsertAny(t *testing.T)     { kind.Any(t, "Insert") }
func TestRemoveAny(t *testing.T)     { kind.Any(t, "Remove") }
