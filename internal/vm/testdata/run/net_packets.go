// Datagrams, Unix sockets, names and interfaces.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

func check(what string, err error) {
	if err != nil {
		fmt.Println(what, "failed:", err)
		os.Exit(1)
	}
}

func main() {
	udp()
	unix()
	unixgram()
	names()
}

func udp() {
	a, err := net.ListenPacket("udp", "127.0.0.1:0")
	check("listen", err)
	b, err := net.ListenPacket("udp", "127.0.0.1:0")
	check("listen", err)
	n, err := a.WriteTo([]byte("to b"), b.LocalAddr())
	fmt.Println(n, err)
	a.WriteTo([]byte("second"), b.LocalAddr())
	buf := make([]byte, 3)
	n, from, err := b.ReadFrom(buf)
	fmt.Printf("%q %v %v\n", buf[:n], from.String() == a.LocalAddr().String(), err)
	n, from, err = b.ReadFrom(buf)
	fmt.Printf("%q %v %v\n", buf[:n], from.String() == a.LocalAddr().String(), err)
	b.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, _, err = b.ReadFrom(buf)
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	b.SetReadDeadline(time.Time{})

	c, err := net.Dial("udp", b.LocalAddr().String())
	check("dial", err)
	fmt.Fprint(c, "abc")
	n, from, err = b.ReadFrom(buf)
	fmt.Printf("%q %v %v\n", buf[:n], from.String() == c.LocalAddr().String(), err)
	b.WriteTo([]byte("xyz"), from)
	n, err = c.Read(buf)
	fmt.Printf("%q %v\n", buf[:n], err)
	_, err = c.(*net.UDPConn).WriteTo(buf, b.LocalAddr())
	fmt.Println(errors.Is(err, net.ErrWriteToConnected))
	n, err = c.Write(nil)
	fmt.Println(n, err)
	n, _, err = b.ReadFrom(buf)
	fmt.Println(n, err)
	b.Close()
	_, err = c.Write(buf)
	fmt.Println(err)
	time.Sleep(10 * time.Millisecond)
	_, err = c.Read(buf)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
	c.Close()
	_, err = a.WriteTo(make([]byte, 70000), a.LocalAddr())
	fmt.Println(errors.Is(err, syscall.EMSGSIZE))
	u := a.(*net.UDPConn)
	_, err = u.WriteToUDPAddrPort([]byte("me"), u.LocalAddr().(*net.UDPAddr).AddrPort())
	fmt.Println(err)
	n, addr, err := u.ReadFromUDPAddrPort(buf)
	fmt.Printf("%q %v %v\n", buf[:n], addr.Addr(), err)
	a.Close()
	_, _, err = a.ReadFrom(buf)
	fmt.Println(errors.Is(err, net.ErrClosed))

	all, err := net.ListenUDP("udp", nil)
	check("listen", err)
	c, err = net.Dial("udp", fmt.Sprintf("127.0.0.1:%d", all.LocalAddr().(*net.UDPAddr).Port))
	check("dial", err)
	c.Write([]byte("hi"))
	n, at, err := all.ReadFromUDP(buf)
	fmt.Printf("%q %v %v\n", buf[:n], at.IP, err)
}

func unix() {
	dir, err := os.MkdirTemp("", "sock")
	check("temp", err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	ln, err := net.Listen("unix", path)
	check("listen", err)
	info, err := os.Stat(path)
	check("stat", err)
	fmt.Println(info.Mode().Type(), ln.Addr().String() == path)
	_, err = net.Listen("unix", path)
	fmt.Println(errors.Is(err, syscall.EADDRINUSE))
	c, err := net.Dial("unix", path)
	check("dial", err)
	s, err := ln.Accept()
	check("accept", err)
	fmt.Printf("%q %q\n", c.LocalAddr(), s.RemoteAddr())
	c.Write([]byte("over a file"))
	c.Close()
	b, err := io.ReadAll(s)
	fmt.Printf("%q %v\n", b, err)
	_, err = s.Write(b)
	fmt.Println(errors.Is(err, syscall.EPIPE))
	ln.Close()
	_, err = os.Stat(path)
	fmt.Println(os.IsNotExist(err))
	_, err = net.Dial("unix", path)
	fmt.Println(errors.Is(err, syscall.ENOENT))
	os.WriteFile(path, nil, 0o600)
	_, err = net.Dial("unix", path)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))

	ln, err = net.Listen("unix", "@everyway-test")
	check("listen", err)
	c, err = net.Dial("unix", "@everyway-test")
	check("dial", err)
	fmt.Println(c.RemoteAddr())
	ln.Close()
	_, err = c.Read(b)
	fmt.Println(err)
}

func unixgram() {
	dir, err := os.MkdirTemp("", "sock")
	check("temp", err)
	defer os.RemoveAll(dir)
	a, err := net.ListenPacket("unixgram", filepath.Join(dir, "a"))
	check("listen", err)
	b, err := net.ListenPacket("unixgram", filepath.Join(dir, "b"))
	check("listen", err)
	_, err = a.WriteTo([]byte("one"), b.LocalAddr())
	check("write", err)
	buf := make([]byte, 10)
	n, from, err := b.ReadFrom(buf)
	fmt.Printf("%q %v %v\n", buf[:n], from.String() == a.LocalAddr().String(), err)
	b.Close()
	_, err = a.WriteTo([]byte("one"), b.LocalAddr())
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED), err != nil)
	a.Close()
}

func names() {
	ctx := context.Background()
	addrs, err := net.LookupHost("127.0.0.1")
	fmt.Println(addrs, err)
	_, err = net.DefaultResolver.LookupIPAddr(ctx, "nothing.invalid")
	var dns *net.DNSError
	fmt.Println(errors.As(err, &dns))
	p, err := net.LookupPort("tcp", "https")
	fmt.Println(p, err)
	ip, err := net.ResolveTCPAddr("tcp4", "localhost:80")
	fmt.Println(ip, err)
	lo, err := net.InterfaceByName("lo")
	check("interface", err)
	fmt.Println(lo.Index, lo.MTU, lo.Name, lo.Flags&net.FlagLoopback != 0)
	all, err := lo.Addrs()
	check("addresses", err)
	fmt.Println(all[0], all[0].Network())
}
