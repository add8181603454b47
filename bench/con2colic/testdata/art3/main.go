// Art3 is the relay of package art with three runners.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/bench/con2colic/testdata/art"
	"github.com/everyway-go/everyway/sym"
)

func main() {
	a, b, c := sym.Uint8("a"), sym.Uint8("b"), sym.Uint8("c")
	var (
		track art.Track
		wg    sync.WaitGroup
	)
	wg.Go(func() { track.First(a, track.Pass) })
	wg.Go(func() { track.Second(b, track.Pass) })
	wg.Go(func() { track.Third(c, track.Finish) })
	wg.Wait()
}
