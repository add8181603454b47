package state

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// An Allocated is an object and where it was allocated.
type Allocated struct {
	Object *heap.Object
	Site   run.SiteID
}
