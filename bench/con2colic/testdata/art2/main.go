// Art2 is the relay of package art with two runners.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/bench/con2colic/testdata/art"
	"github.com/everyway-go/everyway/sym"
)

func main() {
	a, b := sym.Uint8("a"), sym.Uint8("b")
	var (
		track art.Track
		wg    sync.WaitGroup
	)
	wg.Go(func() { track.First(a, track.Pass) })
	wg.Go(func() { track.Second(b, track.Finish) })
	wg.Wait()
}
