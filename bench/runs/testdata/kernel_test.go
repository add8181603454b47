package programs

import "testing"

func TestKernel(*testing.T) { kernel(5) }
