package testname

import "testing"

// TestMatch compares with what go test runs: most of the cases are those of package testing.
func TestMatch(t *testing.T) {
	for _, test := range []struct {
		run, skip   string
		name        string
		ok, partial bool
	}{
		{"", "", "TestFoo", true, false},
		{"TestFoo", "", "TestFoo", true, false},
		{"TestFoo/", "", "TestFoo", true, true},
		{"TestFoo/bar/baz", "", "TestFoo", true, true},
		{"TestFoo", "", "TestFoo/bar", true, false},
		{"TestBar", "", "TestFoo/bar", false, false},
		{"TestFoo/", "", "TestFoo/bar", true, false},
		{"TestFoo/bar/baz", "", "TestFoo/bar", true, true},
		{"TestFoo/bar/baz", "", "TestFoo/baz", false, false},
		{"/sub", "", "TestFoo", true, true},
		{"/sub", "", "TestFoo/subtle", true, false},
		{"/sub", "", "TestFoo/other", false, false},
		{"TestA/sub=1/x", "", "TestA/sub=1/x", true, false},
		{"TestA/sub=1/x", "", "TestA/sub=2", false, false},
		{"TestA|TestB/x", "", "TestA", true, false},
		{"TestA|TestB/x", "", "TestB", true, true},
		{"TestA|TestB/x", "", "TestA/y", true, false},
		{"TestA|TestB/x", "", "TestB/y", false, false},
		{"Test(A|B/C)", "", "TestA", true, false},
		{"Test[/|]x", "", "Test|x", true, false},
		{`Test\/x`, "", "Test", false, false},
		{"Test]", "", "Test]", true, false},
		{"TestFoo/with space", "", "TestFoo/with_space", true, false},
		{"", "TestFoo", "TestFoo", false, false},
		{"", "TestFoo/slow", "TestFoo", true, false},
		{"", "TestFoo/slow", "TestFoo/slow", false, false},
		{"", "TestFoo/slow", "TestFoo/slow/er", false, false},
		{"", "TestFoo/slow", "TestFoo/fast", true, false},
		{"TestFoo/bar/baz", "TestFoo/bar", "TestFoo/bar", false, false},
		{"TestFoo/bar", "TestFoo/bar/baz", "TestFoo/bar", true, false},
		{"", "TestFoo|TestBar", "TestBar", false, false},
	} {
		f, err := NewFilter(test.run, test.skip)
		if err != nil {
			t.Fatal(err)
		}
		if ok, partial := f.Match(test.name); ok != test.ok || partial != test.partial {
			t.Errorf("-run %q -skip %q: %s: %t, %t, want %t, %t", test.run, test.skip, test.name, ok, partial, test.ok, test.partial)
		}
	}
}

func TestOfSubtests(t *testing.T) {
	for _, test := range []struct {
		run, skip string
		want      bool
	}{
		{"", "", false},
		{"A|B", "C", false},
		{"A|B/c", "", true},
		{"", "A/b", true},
		{"A[/]b", "", false},
	} {
		f, err := NewFilter(test.run, test.skip)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.OfSubtests(); got != test.want {
			t.Errorf("-run %q -skip %q: %t, want %t", test.run, test.skip, got, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, text := range []string{"(", "A/(", "A|*", "[a"} {
		if _, err := NewFilter(text, ""); err == nil {
			t.Errorf("-run %s: no error", text)
		}
		if _, err := NewFilter("", text); err == nil {
			t.Errorf("-skip %s: no error", text)
		}
	}
}
