// Package page writes the HTML report: one file with everything in it, which shows findings step by step
// and how far searches have come.
//
// A [Page] is data: the targets that were searched, the findings, and the source files that they mention. Of a
// finding it has the points of its run ([Run]), at each of which the reader can stand. What is to be seen at a
// point is a state, a value for each of a number of keys; a point holds only what differs from the one before,
// and values are written once, so that a run of 10,000 points takes a few megabytes. [Page.Write] puts
// the data into the file as JSON; the script beside it, assets/page.js, shows it. Nothing is loaded from elsewhere.
//
// Package walkthrough of the engine makes the points of a recorded run.
package page
