// Endless does not end, and has no state twice.
package main

func main() {
	n := 0
	for {
		n++
	}
}
