package bounds

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/expr"
)

// Misses describes an expression whose value in a model is said to be impossible,
// "" if there is none.
func (b *Analysis) Misses(value func(expr.ID) uint64) string {
	for _, n := range b.nodes {
		if n.width == 0 {
			continue
		}
		if v := b.arena.Eval(n.x, value); !n.domain.contains(v, n.width) {
			return fmt.Sprintf("%s = %d is not in %+v", b.arena.String(n.x), v, n.domain)
		}
	}
	return ""
}
