// stops: a socket's descriptor
package main

import "net"

func main() {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	raw, err := c.(*net.UDPConn).SyscallConn()
	if err != nil {
		panic(err)
	}
	_ = raw.Control(func(fd uintptr) {})
}
