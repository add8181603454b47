// Package analysistest runs detectors on schedules that tests write down.
package analysistest
