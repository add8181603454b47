// Package walkthrough goes through a recorded run, point by point, and makes of it what the HTML report
// shows (package page).
//
// [Run] takes a session of package inspect, stands at each of its points in turn, and writes down
// what there is to be seen and was not so at the point before: where goroutines are, what they wait
// for, their variables and the objects that these refer to, and who holds which lock. Of the
// goroutine that the point is of, that is looked at everywhere; of the others, where an operation
// is carried out that they could notice. [Files] keeps the sources that are mentioned.
package walkthrough
