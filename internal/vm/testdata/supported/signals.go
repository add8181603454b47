// Signals can be asked for. Those that the program sends itself are delivered.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	select {
	case <-c:
		panic("a signal")
	default:
	}
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	if err := p.Signal(os.Interrupt); err != nil {
		panic(err)
	}
	fmt.Println(<-c)
	signal.Stop(c)

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		panic(err)
	}
	<-ctx.Done()
	stop()
	signal.Ignore(syscall.SIGHUP)
	fmt.Println(signal.Ignored(syscall.SIGHUP))
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGHUP)
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGUSR1) // nobody has asked for it
	fmt.Println(syscall.Kill(syscall.Getpid(), 0), syscall.Kill(syscall.Getpid(), 65))
}
