// Directories lists a directory, and locks if there is nothing in it.
package main

import (
	"os"
	"sync"
)

var m, n sync.Mutex

func main() {
	for range 2 {
		list, _ := os.ReadDir(os.Args[len(os.Args)-1])
		if len(list) == 0 {
			m.Lock()
			m.Unlock()
		}
		n.Lock()
		n.Unlock()
	}
}
