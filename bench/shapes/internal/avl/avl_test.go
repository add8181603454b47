package avl

import (
	"testing"

	"github.com/everyway-go/everyway/bench/shapes/internal/trial"
)

var kind = trial.Kind[*Tree]{Of: Of, Ops: []trial.Op[*Tree]{
	{Name: "Insert", Do: func(t *Tree, key int) int { return trial.Int(t.Insert(key)) }, Model: trial.Add},
	{Name: "Delete", Do: func(t *Tree, key int) int { return trial.Int(t.Delete(key)) }, Model: trial.Remove},
	{Name: "Search", Do: func(t *Tree, key int) int { return trial.Int(t.Search(key)) }, Model: trial.Has},
}}

func TestSequential(t *testing.T)    { kind.Sequential(t) }
func TestStress(t *testing.T)        { kind.Stress(t) }
func TestInsertDefault(t *testing.T) { kind.Default(t, "Insert") }
func TestDeleteDefault(t *testing.T) { kind.Default(t, "Delete") }
func TestSearchDefault(t *testing.T) { kind.Default(t, "Search") }
func TestInsertAny(t *testing.T)     { kind.Any(t, "Insert") }
func TestDeleteAny(t *testing.T)     { kind.Any(t, "Delete") }
func TestSearchAny(t *testing.T)     { kind.Any(t, "Search") }
