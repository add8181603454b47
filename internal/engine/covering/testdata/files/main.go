// Files reads the files that its arguments name, and locks as what they have says.
package main

import (
	"os"
	"strings"
	"sync"
)

var m, n sync.Mutex

func main() {
	for _, name := range os.Args[1:] {
		m.Lock()
		m.Unlock()
		data, err := os.ReadFile(name)
		if err != nil {
			n.Lock()
			n.Unlock()
			continue
		}
		if strings.Contains(string(data), os.Args[1]) {
			m.Lock()
			m.Unlock()
		} else {
			n.Lock()
			n.Unlock()
		}
	}
}
