// Art5 is the relay of package art with five runners.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/bench/con2colic/testdata/art"
	"github.com/everyway-go/everyway/sym"
)

func main() {
	a, b, c, d, e := sym.Uint8("a"), sym.Uint8("b"), sym.Uint8("c"), sym.Uint8("d"), sym.Uint8("e")
	var (
		track art.Track
		wg    sync.WaitGroup
	)
	wg.Go(func() { track.First(a, track.Pass) })
	wg.Go(func() { track.Second(b, track.Pass) })
	wg.Go(func() { track.Third(c, track.Pass) })
	wg.Go(func() { track.Fourth(d, track.Pass) })
	wg.Go(func() { track.Fifth(e, track.Finish) })
	wg.Wait()
}
