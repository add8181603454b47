// Command concat builds strings.
package main

import (
	"strconv"
	"strings"
)

func main() {
	total := 0
	for i := 0; i < 3_000; i++ {
		var b strings.Builder
		for k := 0; k < 100; k++ {
			b.WriteString("key ")
			b.WriteString(strconv.Itoa(i + k))
			b.WriteByte(':')
			b.WriteString(strings.ToUpper("value"))
			b.WriteByte('\n')
		}
		s := b.String()
		line := ""
		for _, l := range strings.Split(s, "\n")[:10] {
			line += "[" + l + "]"
		}
		total += len(s) + len(strings.Fields(line))
	}
	if total < 3_000*1_400 {
		panic(total)
	}
}
