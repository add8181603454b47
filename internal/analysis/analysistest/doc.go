// Package analysistest runs detectors on schedules that tests write down, and says by brute force
// what they should find: [Random] makes small schedules, and [Races] tries every order of their
// events that a [Rule] allows.
package analysistest
