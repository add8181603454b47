// Package reach finds the places in a program that a search is to reach, and knows what static analysis says about the
// way there.
//
// [Parse] reads what the user gives, a [Spec]. [New] finds the code of places for one target, in which they become a
// [Goal]: instructions, with the analysis of the program. [Goal.Guide] is what guides runs of one machine there:
// it implements strategy.Guide, in terms of package static. An [Analysis] of several targets of one test binary
// makes goals of what it warns of: their suspects, whose fate [Goal.Summary] tells.
package reach
