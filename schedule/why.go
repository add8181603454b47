package schedule

import "strconv"

// A Why says why a run fails: because Then comes after First. With the two in the other order, and everything else
// as it was as far as that is possible, it passes.
type Why struct {
	First WhyStep `json:"first"`
	Then  WhyStep `json:"then"`
}

// A WhyStep is a step of a run.
type WhyStep struct {
	Event     int    `json:"event"` // its place among the steps of the run, -1 if it is none of them, but one of the run that passes
	Goroutine string `json:"g"`
	Op        Op     `json:"op"`
	Var       string `json:"var,omitempty"` // as in a RunEvent
	Pos       string `json:"pos,omitempty"` // file:line:column

	// Own and Call are as in a RunEvent, if it is none of the steps of the run. They are empty otherwise.
	Own  string `json:"own,omitempty"`
	Call string `json:"call,omitempty"`
}

// whyWords is how many words say of a step in a property. There are two more of each if one has an Own or a Call.
const whyWords = 5

// words returns what a property says of why.
func (why *Why) words() []string {
	var words []string
	more := why.First.hasCalls() || why.Then.hasCalls()
	for _, s := range []*WhyStep{&why.First, &why.Then} {
		words = append(words, strconv.Itoa(s.Event), s.Goroutine, s.Op.String(), s.Var, s.Pos)
		if more {
			words = append(words, s.Own, s.Call)
		}
	}
	return words
}

// hasCalls reports whether calls are known that led to the step.
func (s *WhyStep) hasCalls() bool { return s.Own != "" || s.Call != "" }

// readWhy is the inverse of words.
func readWhy(words []string) (*Why, error) {
	n := whyWords
	if len(words) == 2*(whyWords+2) {
		n += 2
	}
	if err := wantWords(words, 2*n, "two steps"); err != nil {
		return nil, err
	}
	why := new(Why)
	for _, s := range []*WhyStep{&why.First, &why.Then} {
		var err error
		if s.Event, err = strconv.Atoi(words[0]); err != nil {
			return nil, err
		}
		if err = s.Op.UnmarshalText([]byte(words[2])); err != nil {
			return nil, err
		}
		s.Goroutine, s.Var, s.Pos = words[1], words[3], words[4]
		if n > whyWords {
			s.Own, s.Call = words[whyWords], words[whyWords+1]
		}
		words = words[n:]
	}
	return why, nil
}
