package skiplist

import (
	"testing"

	"github.com/everyway-go/everyway/bench/shapes/internal/trial"
)

var kind = trial.Kind[*List]{Of: Of, Ops: []trial.Op[*List]{
	{Name: "Insert", Do: func(l *List, key int) int { return trial.Int(l.Insert(key, key)) }, Model: trial.Add},
	{Name: "Search", Do: func(l *List, key int) int { _, ok := l.Search(key); return trial.Int(ok) }, Model: trial.Has},
}}

func TestSequential(t *testing.T)    { kind.Sequential(t) }
func TestStress(t *testing.T)        { kind.Stress(t) }
func TestInsertDefault(t *testing.T) { kind.Default(t, "Insert") }
func TestSearchDefault(t *testing.T) { kind.Default(t, "Search") }
func TestInsertAny(t *testing.T)     { kind.Any(t, "Insert") }
func TestSearchAny(t *testing.T)     { kind.Any(t, "Search") }
