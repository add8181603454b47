// Command idle does nothing: its time is that of starting a process.
package main

func main() {}
