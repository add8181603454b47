package main

import (
	"github.com/everyway-go/everyway/internal/vm/testdata/mapchange"
	"github.com/everyway-go/everyway/sym"
)

func main() {
	mapchange.Run(sym.Uint64("seed"), sym.Bool("grow"), func(key int) { print(key, " ") })
}
