package kinds

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/oracle"
)

// Generate draws a program. The same seed and configuration give the same program.
func Generate(seed uint64, cfg Config) *oracle.Program {
	g := &generator{
		Rand:   rand.New(rand.NewPCG(seed, uint64(cfg.Mode))),
		p:      &oracle.Program{Seed: seed, Mode: cfg.Mode, Stall: cfg.Stall, Parks: cfg.Parks, Bubble: cfg.Bubble, Fields: cfg.Fields},
		Config: cfg,
	}
	switch {
	case g.Family != NoFamily:
		g.dense()
	case g.Closes:
		g.closes()
	case g.Leads:
		g.leads()
	case g.Overwrites:
		g.overwrites()
	case g.Polls:
		g.polls()
	case g.Contends:
		g.contends()
	case g.Selects:
		g.selects()
	default:
		g.any()
	}
	if g.Twice {
		g.twice()
	}
	g.p.Number()
	return g.p
}

// any draws a program with all that the configuration says.
func (g *generator) any() {
	g.objects()
	g.program()
	if g.Init {
		g.initialise()
	}
	if g.Logs {
		g.logs()
	}
}
