package reach

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// Near implements strategy.Guide.
func (g *Guide) Near(site run.SiteID) int {
	defer g.lock()()
	if d, ok := g.near[site]; ok {
		return d
	}
	least := -1
	if instr := g.instrAt(site); instr != nil {
		note := func(to ssa.Instruction) {
			if d := g.waysTo(to).from(instr, false); d >= 0 && (least < 0 || d < least) {
				least = d
			}
		}
		for _, p := range g.Goal.Places {
			for _, to := range p.Instrs {
				note(to)
			}
		}
		for _, s := range g.Goal.Suspects {
			for _, instrs := range s.instrs {
				for _, to := range instrs {
					note(to)
				}
			}
		}
	}
	g.near[site] = least
	return least
}

// instrAt returns the instruction at a site, nil if that is not known.
func (g *Guide) instrAt(site run.SiteID) ssa.Instruction {
	if site == run.NoSite {
		return nil
	}
	if g.known.byName == nil {
		g.known.byName = byName(g.calls)
	}
	n := g.known.byName[g.nameOf(site)]
	if n == nil || n.Func == nil || n.Body == nil {
		return nil
	}
	f := g.code.Func(n.Func)
	if f.Body != n.Body || site.Instr < 0 || int(site.Instr) >= len(f.Code) {
		return nil
	}
	for i := int(site.Instr); i >= 0; i-- { // some instructions are the compiler's own
		if instr := f.Instr(i); instr != nil {
			return instr
		}
	}
	return nil
}

// byName returns the functions of a graph by their names.
func byName(calls *callgraph.Graph) map[string]*callgraph.Node {
	by := make(map[string]*callgraph.Node)
	for _, n := range calls.Nodes {
		by[n.Name] = n
	}
	return by
}
