package main

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cover"
)

// TestFollows has what runs record compared with a set: only what its schedules allow is accepted.
func TestFollows(t *testing.T) {
	set := cover.New()
	set.Epochs = []*cover.Epoch{
		{Schedules: []*cover.Schedule{
			{End: cover.End{Kind: cover.Exit}},
			{Nodes: []cover.Node{{}, {Goroutine: 1, After: []int{0}}, {}, {Goroutine: 1}}, End: cover.End{Kind: cover.NewEpoch, Epoch: 1}},
		}},
		{Schedules: []*cover.Schedule{{Nodes: []cover.Node{{}}, End: cover.End{Kind: cover.Exit}}}},
	}
	const end = "\nepoch 1 schedule 0 terms 0\norder 0.0\n"
	for text, want := range map[string]string{
		"epoch 0 schedule 0 terms 3\n":                              "",
		"epoch 0 schedule 1 terms 3\norder 0.0 1.0 0.1 1.1" + end:   "",
		"epoch 0 schedule 1 terms 3\norder 0.0 0.1 1.0 1.1" + end:   "",
		"epoch 0 schedule 1 terms 3\norder 1.0 0.0 0.1 1.1" + end:   "1.0 was done before 0.0",
		"epoch 0 schedule 1 terms 3\norder 0.1 0.0 1.0 1.1" + end:   "0.1 was done before what its goroutine does before",
		"epoch 0 schedule 1 terms 3\norder 0.0 1.0 0.1" + end:       "3 operations were done of 4",
		"epoch 0 schedule 1 terms 3\norder 0.0 1.0 0.1 0.1" + end:   "0.1 was done twice",
		"epoch 0 schedule 1 terms 3\norder 0.0 1.0 0.1 2.1" + end:   "1.1 was not done",
		"epoch 0 schedule 1 terms 3\norder 0.0 1.0 0.1 1.1\n":       "does not come to the end",
		"epoch 0 schedule 0 terms 3" + end:                          "epoch 1, and not -1",
		"epoch 1 schedule 0 terms 3\norder 0.0\n":                   "epoch 1, and not 0",
		"epoch 0 schedule 1 terms 3\norder 0.0 1.0 0.1 1.1\norder ": "an order of no epoch",
		"epoch 0 schedule 2 terms 3\n":                              "with schedule 2",
	} {
		_, _, err := follows(set, []byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
