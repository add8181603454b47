// stops: network access to 192.0.2.1:80
package main

import "net"

func main() {
	_, _ = net.Dial("tcp", "192.0.2.1:80")
}
