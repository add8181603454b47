// Connections over the loopback: what they carry, how they end, and their errors.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

func check(what string, err error) {
	if err != nil {
		fmt.Println(what, "failed:", ports(err.Error()))
		os.Exit(1)
	}
}

// ports replaces the port numbers in s, which nobody can foretell.
func ports(s string) string {
	fields := strings.Fields(s)
	for i, f := range fields {
		parts := strings.Split(f, "->")
		for j, p := range parts {
			tail := ""
			if strings.HasSuffix(p, ":") {
				p, tail = p[:len(p)-1], ":"
			}
			if host, port, err := net.SplitHostPort(p); err == nil && len(port) > 1 {
				parts[j] = net.JoinHostPort(host, "port") + tail
			}
		}
		fields[i] = strings.Join(parts, "->")
	}
	return strings.Join(fields, " ")
}

// pair returns both ends of a connection.
func pair(network, addr string) (client, server net.Conn, ln net.Listener) {
	ln, err := net.Listen(network, addr)
	check("listen", err)
	client, err = net.Dial(network, ln.Addr().String())
	check("dial", err)
	server, err = ln.Accept()
	check("accept", err)
	return client, server, ln
}

func main() {
	echo()
	ends()
	halfClose()
	deadlines()
	addresses()
	refusals()
	closing()
	resets()
	large()
	buffers()
}

func echo() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	check("listen", err)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 3 {
			c, err := ln.Accept()
			check("accept", err)
			wg.Go(func() {
				defer c.Close()
				n, err := io.Copy(c, c)
				fmt.Println("echoed", n, err)
			})
		}
	})
	for i := range 3 {
		c, err := net.Dial("tcp", ln.Addr().String())
		check("dial", err)
		fmt.Fprintf(c, "hello %d", i)
		check("half close", c.(*net.TCPConn).CloseWrite())
		b, err := io.ReadAll(c)
		fmt.Printf("%q %v\n", b, err)
		c.Close()
	}
	wg.Wait()
	check("close", ln.Close())
}

func ends() {
	c, s, ln := pair("tcp", "127.0.0.1:0")
	fmt.Println("remote of one is local of the other:",
		c.RemoteAddr().String() == s.LocalAddr().String(), c.LocalAddr().String() == s.RemoteAddr().String(),
		s.LocalAddr().String() == ln.Addr().String())
	s.Write([]byte("one"))
	s.Write([]byte("two"))
	s.Close()
	b := make([]byte, 100)
	n, err := io.ReadFull(c, b[:4])
	fmt.Printf("%q %v\n", b[:n], err)
	n, err = c.Read(b)
	fmt.Printf("%q %v\n", b[:n], err)
	n, err = c.Read(b)
	fmt.Printf("%q %v\n", b[:n], err)
	n, err = c.Read(nil)
	fmt.Println(n, err)
	c.Close()
	_, err = c.Read(b)
	fmt.Println(ports(err.Error()), errors.Is(err, net.ErrClosed))
	_, err = c.Write(b)
	fmt.Println(ports(err.Error()), errors.Is(err, net.ErrClosed))
	fmt.Println(ports(c.Close().Error()))
	fmt.Println(ports(c.SetDeadline(time.Now()).Error()))
	ln.Close()
	_, err = ln.Accept()
	fmt.Println(ports(err.Error()), errors.Is(err, net.ErrClosed))
}

func halfClose() {
	c, s, ln := pair("tcp", "127.0.0.1:0")
	defer ln.Close()
	check("CloseWrite", c.(*net.TCPConn).CloseWrite())
	b, err := io.ReadAll(s)
	fmt.Printf("%q %v\n", b, err)
	_, err = c.Write([]byte("x"))
	fmt.Println(ports(err.Error()), errors.Is(err, syscall.EPIPE))
	s.Write([]byte("still here"))
	s.Close()
	b, err = io.ReadAll(c)
	fmt.Printf("%q %v\n", b, err)
	c.Close()
}

func deadlines() {
	c, s, ln := pair("tcp", "127.0.0.1:0")
	defer ln.Close()
	b := make([]byte, 10)
	c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	_, err := c.Read(b)
	var nerr net.Error
	fmt.Println(ports(err.Error()), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &nerr) && nerr.Timeout())
	s.Write([]byte("late"))
	_, err = c.Read(b)
	fmt.Println("still", errors.Is(err, os.ErrDeadlineExceeded))
	c.SetReadDeadline(time.Time{})
	n, err := c.Read(b)
	fmt.Printf("%q %v\n", b[:n], err)

	c.SetDeadline(time.Unix(1, 0))
	_, err = c.Write(b)
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	c.SetDeadline(time.Now().Add(time.Hour))
	_, err = c.Write(b[:4])
	fmt.Println(err)

	// A deadline that is set while a read waits.
	done := make(chan error)
	go func() {
		_, err := c.Read(b)
		done <- err
	}()
	c.SetReadDeadline(time.Unix(1, 0))
	fmt.Println(errors.Is(<-done, os.ErrDeadlineExceeded))

	ln.(*net.TCPListener).SetDeadline(time.Now().Add(10 * time.Millisecond))
	_, err = ln.Accept()
	fmt.Println(ports(err.Error()), errors.Is(err, os.ErrDeadlineExceeded))

	// What has no room waits until the deadline.
	c.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	big := make([]byte, 1<<20)
	for err = nil; err == nil; {
		_, err = c.Write(big)
	}
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	c.Close()
	s.Close()
}

func addresses() {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0", "localhost:0", ":0", "0.0.0.0:0", "[::]:0"} {
		ln, err := net.Listen("tcp", addr)
		check("listen "+addr, err)
		c, err := net.Dial("tcp", ln.Addr().String())
		check("dial", err)
		s, err := ln.Accept()
		check("accept", err)
		host, _, _ := net.SplitHostPort(ln.Addr().String())
		fmt.Println(addr, host, ports(c.LocalAddr().String()), ports(s.LocalAddr().String()), ports(c.RemoteAddr().String()))
		fmt.Println(len(s.LocalAddr().(*net.TCPAddr).IP), len(c.LocalAddr().(*net.TCPAddr).IP))
		c.Close()
		s.Close()
		ln.Close()
	}
	ln, err := net.Listen("tcp4", ":0")
	check("listen", err)
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	c, err := net.Dial("tcp", "localhost:"+port)
	check("dial localhost", err)
	fmt.Println(ports(c.RemoteAddr().String()))
	_, err = net.Dial("tcp6", "[::1]:"+port)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
}

func refusals() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	check("listen", err)
	addr := ln.Addr().String()
	_, err = net.Listen("tcp", addr)
	fmt.Println(ports(err.Error()), errors.Is(err, syscall.EADDRINUSE))
	ln.Close()
	_, err = net.Dial("tcp", addr)
	fmt.Println(ports(err.Error()), errors.Is(err, syscall.ECONNREFUSED))
	ln, err = net.Listen("tcp", addr)
	fmt.Println("again", err)
	ln.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = new(net.Dialer).DialContext(ctx, "tcp", addr)
	fmt.Println(ports(err.Error()))
	_, err = net.Dial("tcp", "127.0.0.1:http:1")
	fmt.Println(err)
	_, err = net.Dial("nowhere", "127.0.0.1:1")
	fmt.Println(err)
	_, err = net.Dial("tcp", "127.0.0.1:99999")
	fmt.Println(err)
}

func closing() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	check("listen", err)
	done := make(chan error)
	go func() {
		_, err := ln.Accept()
		done <- err
	}()
	ln.Close()
	fmt.Println(errors.Is(<-done, net.ErrClosed))
	c, s, ln := pair("tcp", "127.0.0.1:0")
	go func() {
		_, err := c.Read(make([]byte, 1))
		done <- err
	}()
	c.Close()
	fmt.Println(errors.Is(<-done, net.ErrClosed))
	_, err = s.Read(make([]byte, 1))
	fmt.Println(err)
	s.Close()
	ln.Close()
}

// resets closes a connection before all is read.
func resets() {
	c, s, ln := pair("tcp", "127.0.0.1:0")
	defer ln.Close()
	c.Write([]byte("unread"))
	one := make([]byte, 1)
	s.Read(one)
	s.Close()
	time.Sleep(10 * time.Millisecond)
	_, err := c.Read(one)
	fmt.Println(ports(err.Error()), errors.Is(err, syscall.ECONNRESET))
	c.Close()

	c, s, ln = pair("tcp", "127.0.0.1:0")
	defer ln.Close()
	s.Close()
	_, err = c.Write(one)
	fmt.Println("first write:", err)
	time.Sleep(10 * time.Millisecond)
	_, err = c.Write(one)
	fmt.Println(ports(err.Error()))
	c.Close()
}

// large sends more than a connection holds.
func large() {
	c, s, ln := pair("tcp", "127.0.0.1:0")
	defer ln.Close()
	go func() {
		b := make([]byte, 3<<20)
		for i := range 3 {
			b[i<<20] = byte(i + 1)
		}
		n, err := c.Write(b)
		fmt.Println("written", n, err)
		c.Close()
	}()
	b, err := io.ReadAll(s)
	fmt.Println(len(b), b[0], b[1<<20], b[2<<20], err)
}

func buffers() {
	c, s, ln := pair("tcp", "127.0.0.1:0")
	defer ln.Close()
	v := net.Buffers{[]byte("a"), []byte("bc"), nil, []byte("def")}
	n, err := v.WriteTo(c)
	fmt.Println(n, err, len(v))
	tcp := c.(*net.TCPConn)
	fmt.Println(tcp.SetNoDelay(false), tcp.SetKeepAlive(true), tcp.SetLinger(0), tcp.SetReadBuffer(1000))
	c.Close()
	b, err := io.ReadAll(s)
	fmt.Printf("%q %v\n", b, err != nil)
}
