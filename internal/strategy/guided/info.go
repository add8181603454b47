package guided

import "github.com/everyway-go/everyway/internal/strategy"

// Info describes the strategy.
var Info = strategy.Info{
	Name: "guided",
	Doc:  "leads runs to the places of -reach, along what static analysis says matters for them",
	New:  New,
}
