package main

import (
	"github.com/everyway-go/everyway/internal/vm"
)

// quantum is how many decisions a goroutine may win in a row of those that fair makes.
const quantum = 64

// fair is a scheduler that lets goroutines run on, as they mostly do natively, but no
// goroutine for ever: now and then the next in turn, or a timer, goes first.
type fair struct {
	vm.RunOn
	decisions, turn int
}

// Choose implements vm.Scheduler.
func (f *fair) Choose(p *vm.Point) int {
	if p.Kind == vm.Step {
		if f.decisions++; f.decisions%quantum == 0 {
			f.turn++
			return f.turn % len(p.Options)
		}
	}
	return f.RunOn.Choose(p)
}
