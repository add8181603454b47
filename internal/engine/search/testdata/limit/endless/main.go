// Endless does not end.
package main

func main() {
	for {
	}
}
