package ideal

import (
	"encoding/binary"

	"github.com/everyway-go/everyway/internal/analysis"
)

// maxPlaces is for how many findings witnesses are made.
const maxPlaces = 1 << 10

// Places are the places of the program of findings for which there is a witness. One is enough, since
// findings at the same places are one finding.
type Places struct {
	known map[string]bool
	n     int
}

// Add reports whether a witness is to be made for a finding of some events, and takes it that it is.
// Findings of which a place is not known have one each.
func (p *Places) Add(sites ...analysis.Site) bool {
	var key []byte
	located := true
	for _, s := range sites {
		key = append(binary.AppendUvarint(key, uint64(s.Location)), byte(s.Op))
		located = located && s.Location != 0
	}
	if p.n == maxPlaces || located && p.known[string(key)] {
		return false
	}
	if p.known == nil {
		p.known = make(map[string]bool)
	}
	p.known[string(key)] = true
	p.n++
	return true
}
