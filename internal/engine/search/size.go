package search

import "math"

// A size is what is known of how many runs a divided search makes in all. The runs made so
// far are known; how many the items of the frontier lead to is estimated from the trees
// below some of them. Estimates made at several times are averaged, by the number of items
// they come from.
type size struct {
	Due    int     `json:"due,omitempty"` // runs after which the next estimate is made
	Sum    float64 `json:"sum,omitempty"` // of the estimates, by weight
	Weight float64 `json:"weight,omitempty"`
	Probes uint64  `json:"probes,omitempty"` // made so far
}

// runs is the estimate of the number of runs in all, 0 when there is none.
func (z *size) runs() int {
	if z.Weight == 0 {
		return 0
	}
	return int(math.Round(min(z.Sum/z.Weight, 1<<62)))
}
