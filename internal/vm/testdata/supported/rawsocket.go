// stops: a socket for raw packets
package main

import "net"

func main() {
	_, _ = net.Dial("ip4:icmp", "127.0.0.1")
}
