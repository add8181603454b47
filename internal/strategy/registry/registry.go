package registry

import (
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/strategy/generational"
	"github.com/everyway-go/everyway/internal/strategy/guided"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/racing"
	"github.com/everyway-go/everyway/internal/strategy/random"
	"github.com/everyway-go/everyway/internal/strategy/roundrobin"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
)

// Strategies returns all strategies, in the order in which help and documentation list
// them.
func Strategies() []strategy.Info {
	return []strategy.Info{
		generational.Info,
		con2colic.Info,
		hyperconcolic.Info,
		stateful.Info,
		random.Walks.Info(),
		random.Priorities.Info(),
		random.PartialOrders.Info(),
		random.Uniform.Info(),
		roundrobin.Info,
		guided.Info,
		racing.Info,
	}
}
