package main

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/shapes/internal/seeds"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestPublished compares the numbers of seeds with Table 4.4, and how many of them hide in three
// keys with the third that is asked for.
func TestPublished(t *testing.T) {
	all, hidden := 0, 0
	for _, row := range table44 {
		list, err := (&container{"../..", row.container}).seeds(row.op)
		if err != nil {
			t.Fatal(err)
		}
		if ssrd := row.races[2]; ssrd > 0 {
			if len(list) != ssrd {
				t.Errorf("%s.%s has %d seeds, want %d", row.container, row.op, len(list), ssrd)
			}
			all += len(list)
			for _, s := range list {
				if s.Hidden {
					hidden++
				}
			}
		} else if len(list) == 0 {
			t.Errorf("%s.%s has no seeds", row.container, row.op)
		}
	}
	if all != 74 || 3*hidden < all {
		t.Errorf("%d of %d seeds are hidden, want a third of 74", hidden, all)
	}
}

// TestFind finds the races of some seeds that show in three keys, and does not find those of some that hide.
func TestFind(t *testing.T) {
	t.Chdir("../..")
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{budget: time.Minute, runs: "20000", workers: "1", objects: "4", root: root, work: t.TempDir()}
	if b.everyway, err = command.Build(t.Context(), b.work); err != nil {
		t.Fatal(err)
	}
	type seeded struct {
		*container
		seeds.Seed
	}
	var all []seeded
	for _, row := range table44 {
		c := &container{b.root, row.container}
		list, err := c.seeds(row.op)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			all = append(all, seeded{c, s})
		}
	}
	for _, s := range sample.From(all, 8, 1) {
		p, err := s.with(&s.Seed, b.work, slices.Clone)
		if err != nil {
			t.Fatal(err)
		}
		if found, _, err := b.find(t.Context(), p, &s.Seed, "Default"); err != nil || (found != nil) == s.Hidden {
			t.Errorf("%s.%s: found: %v, hidden: %v, %v", s.name, s.Name, found != nil, s.Hidden, err)
		}
	}
}
