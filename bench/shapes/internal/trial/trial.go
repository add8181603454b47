package trial

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/sym"
)

// A Container can tell whether its shape is one that its operations can lead to.
type Container interface {
	comparable
	Valid() bool
}

// A Kind of container is how to construct one, and what can be done with it.
type Kind[C Container] struct {
	Of  func(keys ...int) C
	Ops []Op[C]
}

// An Op is an operation with a key, which it may do without.
type Op[C Container] struct {
	Name  string
	Do    func(c C, key int) int
	Model func(keys []int, key int) (after []int, result int) // does the same with the contents
}

// Sequential compares random operations, one after another, with those of the model.
func (k *Kind[C]) Sequential(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		c, model := k.Of(), []int(nil)
		for range 60 {
			op, key := &k.Ops[r.IntN(len(k.Ops))], r.IntN(16)
			var want int
			model, want = op.Model(model, key)
			if got := op.Do(c, key); got != want {
				t.Fatalf("seed %d: %s(%d) returns %d, want %d; the contents are then %d", seed, op.Name, key, got, want, model)
			}
			if !c.Valid() {
				t.Fatalf("seed %d: the shape after %s(%d) is not valid; the contents should be %d", seed, op.Name, key, model)
			}
		}
	}
}

// Default runs an operation beside each other one on a container of three keys.
func (k *Kind[C]) Default(t *testing.T, name string) { k.beside(t, k.Of(10, 20, 30), name) }

// Any does the same with any container that is valid.
func (k *Kind[C]) Any(t *testing.T, name string) {
	c := sym.Any[C]("container")
	var none C
	sym.Assume(t, c != none && c.Valid())
	k.beside(t, c, name)
}

// beside runs the operation of a name beside one that is an input, as the keys of both are.
func (k *Kind[C]) beside(t *testing.T, c C, name string) {
	other := k.Ops[sym.Choice("beside", len(k.Ops))]
	for _, op := range k.Ops {
		if op.Name == name {
			key, otherKey := sym.Int("key"), sym.Int("key beside")
			var wg sync.WaitGroup
			wg.Go(func() { op.Do(c, key) })
			wg.Go(func() { other.Do(c, otherKey) })
			wg.Wait()
			if !c.Valid() {
				t.Errorf("the shape after %s beside %s is not valid", op.Name, other.Name)
			}
			return
		}
	}
	t.Fatalf("there is no operation %q", name)
}

// Stress runs operations beside each other on many containers. It is for native runs with the race detector, and
// goes on after the first mistake.
func (k *Kind[C]) Stress(t *testing.T) {
	for seed := range uint64(sample.Size(3000, 3000, 100)) {
		c := k.Of(rand.New(rand.NewPCG(seed, 0)).Perm(int(seed % 12))...)
		var wg sync.WaitGroup
		for stream := range uint64(2) {
			r := rand.New(rand.NewPCG(seed, 1+stream))
			wg.Go(func() {
				for range 30 {
					k.Ops[r.IntN(len(k.Ops))].Do(c, r.IntN(12))
				}
			})
		}
		wg.Wait()
		if !c.Valid() && !t.Failed() {
			t.Errorf("seed %d: the shape is not valid", seed)
		}
	}
}
