package verdict

import "testing"

// TestSettle settles the races of a search: those found by other strategies are confirmed, and the
// others are refuted only if every run was made.
func TestSettle(t *testing.T) {
	races := func() *Alone {
		return &Alone{Races: []PotentialRace{
			{Pos: [2]string{"a", "b"}, Status: RaceConfirmed},
			{Pos: [2]string{"a", "c"}, Status: RaceOpen, Why: "not tried"},
			{Pos: [2]string{"d", "e"}, Status: RaceOpen, Why: "not tried"},
		}}
	}
	for _, test := range []struct {
		every bool
		want  [3]string
	}{
		{false, [3]string{"a and b: confirmed", "a and c: confirmed", "d and e: open: not tried"}},
		{true, [3]string{"a and b: confirmed", "a and c: confirmed", "d and e: refuted: every run was made"}},
	} {
		a := races()
		a.Settle(test.every, map[[2]string]bool{{"c", "a"}: true})
		for i, want := range test.want {
			if got := a.Races[i].String(); got != want {
				t.Errorf("every run %v: %s, want %s", test.every, got, want)
			}
		}
	}
}
