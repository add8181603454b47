// stops: opening the plugin p.so
package main

import "plugin"

func main() {
	_, _ = plugin.Open("p.so")
}
