// Package registry lists the strategies. To add one, write a package below
// internal/strategy that exports its [strategy.Info], and add a line to the list: the
// -strategy flag takes it, its help describes it, and go generate writes it into
// docs/strategies.md.
package registry

//go:generate go test -run TestDocs -update
