// Package program loads programs to be searched. A [Program] is a load: its packages, and where
// it stands on disk. It selects the [load.Target] values that are searched, and says for each how
// the machine enters it, which parameters are its inputs, which files it finds, and, as a hash,
// what it can reach.
package program
