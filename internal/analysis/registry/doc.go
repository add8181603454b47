// Package registry lists the detectors. To add one, write a package below internal/analysis
// that exports its [analysis.Info], and add a line to the list: the flag -detector of everyway
// race takes it, its help describes it, and go generate writes it into docs/schedules.md.
package registry

//go:generate go test -run TestDocs -update
