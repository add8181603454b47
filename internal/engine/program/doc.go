// Package program loads programs to be searched. A [Program] is a load: its packages, where
// it stands on disk, and a hash of all that a recorded run depends on. It selects the
// [load.Target] values that are searched, and says for each how the machine enters it,
// which parameters are its inputs and which files it finds.
package program
