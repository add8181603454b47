package targets

import (
	"testing"
	"testing/synctest"
	"time"
)

// One failure is one finding: that of the innermost test, once.

func TestSubtestFails(t *testing.T) {
	if !t.Run("sub", func(t *testing.T) { t.Error("in the subtest") }) {
		t.FailNow()
	}
}

func TestBubbleFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { t.Fatal("in the bubble") })
}

func TestRequire(t *testing.T) { require(t, false) }

func require(t *testing.T, ok bool) {
	t.Helper()
	if !ok {
		t.Errorf("required")
		t.FailNow()
	}
}

func TestSkipParent(t *testing.T) {
	t.Run("sub", func(*testing.T) { t.SkipNow() })
}

func TestFailAfterEnd(t *testing.T) {
	go func() {
		time.Sleep(time.Hour)
		t.Fail()
	}()
}
