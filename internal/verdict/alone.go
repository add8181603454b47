package verdict

import "fmt"

// An Alone says what goroutines do that run alone, and which races they may have with each other:
// see package racing. docs/json.md describes its JSON form.
type Alone struct {
	Paths        int             // of goroutines
	Shapes       int             `json:",omitempty"` // of the objects that are inputs, in which goroutines have begun
	Combinations int             // pairs of paths of different goroutines in the same shape
	Integrated   int             `json:",omitempty"` // shapes that were made for two paths
	Adjusted     int             `json:",omitempty"` // pointers that lead elsewhere there than one of the paths wanted
	Accepted     int             `json:",omitempty"` // of these shapes, those that the target accepts
	Races        []PotentialRace `json:",omitempty"`
}

// A PotentialRace is two places whose accesses may be a data race: there are paths that access the
// same object there, and no lock keeps them apart.
type PotentialRace struct {
	Pos    [2]string // positions, as those of findings
	Status RaceStatus
	Why    string `json:",omitempty"` // what is known of one that is not confirmed
}

// A RaceStatus says what became of a potential race.
type RaceStatus string

// The statuses.
const (
	RaceConfirmed RaceStatus = "confirmed" // a run has shown it
	RaceRefuted   RaceStatus = "refuted"   // every run was made, and none has shown it
	RaceOpen      RaceStatus = "open"
)

// String sums a up.
func (a *Alone) String() string {
	text := fmt.Sprintf("%d paths", a.Paths)
	if a.Shapes > 0 {
		text += fmt.Sprintf(" in %d shapes", a.Shapes)
	}
	text += fmt.Sprintf(", %d pairs of paths", a.Combinations)
	if a.Integrated > 0 {
		text += fmt.Sprintf(", shapes made for two paths: %d, pointers adjusted in them: %d, accepted by the target: %d",
			a.Integrated, a.Adjusted, a.Accepted)
	}
	return text
}

// String returns a line that says what became of the race.
func (p *PotentialRace) String() string {
	text := fmt.Sprintf("%s and %s: %s", p.Pos[0], p.Pos[1], p.Status)
	if p.Why != "" {
		text += ": " + p.Why
	}
	return text
}

// Settle says what has become of the races at the end of a search: whether it has made every run,
// and the positions of the races that it has found.
func (a *Alone) Settle(every bool, found map[[2]string]bool) {
	for i := range a.Races {
		p := &a.Races[i]
		switch {
		case p.Status == RaceConfirmed || found[p.Pos] || found[[2]string{p.Pos[1], p.Pos[0]}]:
			p.Status, p.Why = RaceConfirmed, ""
		case every:
			p.Status, p.Why = RaceRefuted, "every run was made"
		}
	}
}
