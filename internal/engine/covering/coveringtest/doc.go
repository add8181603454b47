// Package coveringtest generates programs with which sets of schedules are tested.
package coveringtest
