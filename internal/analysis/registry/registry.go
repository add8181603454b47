package registry

import (
	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/class"
	"github.com/everyway-go/everyway/internal/analysis/deadlock"
	"github.com/everyway-go/everyway/internal/analysis/happensbefore"
	"github.com/everyway-go/everyway/internal/analysis/input"
	"github.com/everyway-go/everyway/internal/analysis/leak"
	"github.com/everyway-go/everyway/internal/analysis/lockset"
	"github.com/everyway-go/everyway/internal/analysis/m2"
	"github.com/everyway-go/everyway/internal/analysis/misuse"
	"github.com/everyway-go/everyway/internal/analysis/osr"
	"github.com/everyway-go/everyway/internal/analysis/shb"
	"github.com/everyway-go/everyway/internal/analysis/syncp"
	"github.com/everyway-go/everyway/internal/analysis/waits"
	"github.com/everyway-go/everyway/internal/analysis/wcp"
)

// Detectors returns all detectors, in the order in which help and documentation list them. The
// first is the default.
func Detectors() []analysis.Info {
	return []analysis.Info{
		happensbefore.Info,
		lockset.Info,
		shb.Info,
		wcp.Info,
		syncp.Info,
		osr.Info,
		m2.Info,
		class.Strict,
		class.Said,
		class.Huang,
		class.Loose,
		input.Info,
		deadlock.Info,
		deadlock.Suspected,
		misuse.Info,
		leak.Info,
		waits.Abandoned,
		waits.LongLock,
	}
}
