// Package strategy defines what a search strategy is: it gives plans and
// learns from the traces of the runs that carried them out. The strategies are
// the packages below this one; each describes itself by an [Info], and package
// registry lists them. Package search owns the loop.
package strategy
