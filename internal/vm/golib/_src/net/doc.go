// Package net is the machine's: everything above its sockets is GOROOT's, and
// below them is a loopback network in memory instead of a kernel.
//
// A connection is two queues, one for each direction (queue.go), a listener a
// queue of connections, a socket for datagrams a queue of datagrams. Nothing is
// shared between different sockets but the table of ports, and of that only the
// one port (ports.go): what goroutines do to different connections is independent.
package net
