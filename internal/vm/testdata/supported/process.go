// stops: starting another process, /bin/true
package main

import "os"

func main() {
	_, _ = os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
}
