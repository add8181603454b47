package ideal

import (
	"encoding/binary"
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// maxPlaces is for how many findings witnesses are made.
const maxPlaces = 1 << 10

// Places are the places of the program of findings for which there is a witness. One is enough, since
// findings at the same places are one finding.
type Places struct {
	known map[string]bool
	n     int
}

// Add reports whether a witness is to be made for a finding at some places, and takes it that it is.
// Findings of which a place is not known have one each.
func (p *Places) Add(places ...schedule.LocationID) bool {
	var key []byte
	for _, l := range places {
		key = binary.AppendUvarint(key, uint64(l))
	}
	if p.n == maxPlaces || !slices.Contains(places, 0) && p.known[string(key)] {
		return false
	}
	if p.known == nil {
		p.known = make(map[string]bool)
	}
	p.known[string(key)] = true
	p.n++
	return true
}
