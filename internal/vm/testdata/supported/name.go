// stops: network access to a name server, for example.com
package main

import "net"

func main() {
	_, _ = net.LookupHost("example.com")
}
