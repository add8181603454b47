// Package architecture has no code: its tests check the structure of the module, so that
// it stays as RATIONALE.md describes it.
package architecture
