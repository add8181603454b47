package hamt

import (
	"testing"

	"github.com/everyway-go/everyway/bench/shapes/internal/trial"
)

// A key has two digits, so that a search comes to an end.
var kind = trial.Kind[*Trie]{Of: Of, Ops: []trial.Op[*Trie]{
	{Name: "Insert", Do: func(t *Trie, key int) int { return trial.Int(t.Insert(key & 15)) }, Model: trial.Add},
	{Name: "Search", Do: func(t *Trie, key int) int { return trial.Int(t.Search(key & 15)) }, Model: trial.Has},
}}

func TestSequential(t *testing.T)    { kind.Sequential(t) }
func TestStress(t *testing.T)        { kind.Stress(t) }
func TestInsertDefault(t *testing.T) { kind.Default(t, "Insert") }
func TestSearchDefault(t *testing.T) { kind.Default(t, "Search") }
func TestInsertAny(t *testing.T)     { kind.Any(t, "Insert") }
func TestSearchAny(t *testing.T)     { kind.Any(t, "Search") }
