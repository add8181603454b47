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
	Event     int    `json:"event"` // its place among the steps of the run
	Goroutine string `json:"g"`
	Op        Op     `json:"op"`
	Var       string `json:"var,omitempty"` // as in a RunEvent
	Pos       string `json:"pos,omitempty"` // file:line:column
}

// whyWords is how many words say of a step in a property.
const whyWords = 5

// words returns what a property says of why.
func (why *Why) words() []string {
	var words []string
	for _, s := range []*WhyStep{&why.First, &why.Then} {
		words = append(words, strconv.Itoa(s.Event), s.Goroutine, s.Op.String(), s.Var, s.Pos)
	}
	return words
}

// readWhy is the inverse of words.
func readWhy(words []string) (*Why, error) {
	if err := wantWords(words, 2*whyWords, "two steps"); err != nil {
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
		words = words[whyWords:]
	}
	return why, nil
}
