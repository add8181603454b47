package fragment

import "go/types"

// A Structure is what belongs to one owner: no two variables that have a Root are in one component
// of those that variables of the types Edges lead from and to. A variable is what an allocation
// makes, with all its parts, or a map.
type Structure struct {
	Root  types.Type
	Edges []types.Type
}
