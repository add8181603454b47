// stops: starting another process, ls
package main

import "os/exec"

func main() {
	if err := exec.Command("ls", "-l").Run(); err != nil {
		return // the program may not take it for an answer
	}
}
