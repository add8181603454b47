// Package linearity searches whether a type is linearizable. [Load] has package linear make tests
// of the type, and loads them together with its package; [Tests.Search] searches first whether
// calls that are made alone are deterministic, and then the tests, by rising bounds.
package linearity
