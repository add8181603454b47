package page

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser opens a file in headless Chromium, and returns a context of its window, whose size is given.
// It skips the test if there is no Chromium.
func browser(t *testing.T, path string, width, height int) context.Context {
	t.Helper()
	binary := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			binary = found
			break
		}
	}
	if binary == "" {
		t.Skip("there is no Chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(binary), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(width, height),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.ToSlash(path)), chromedp.WaitVisible("#tabs button")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// eval returns the value of an expression in the page.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// press presses keys, one after another.
func press(t *testing.T, ctx context.Context, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(key)); err != nil {
			t.Fatalf("pressing %q: %v", key, err)
		}
	}
}

const (
	// point is the number of the point at which the reader stands.
	point = `Number(document.querySelector(".row.at").dataset.point)`
	// variable is what is shown of the variable count.
	variable = `document.querySelector("section[aria-label=Variables] tbody").innerText`
)

// The keys go forwards and backwards, and what is shown is that of the point on both ways.
func TestKeys(t *testing.T) {
	ctx := browser(t, write(t, example(200)), 1200, 800)
	if got := eval[int](t, ctx, point); got != 198 {
		t.Errorf("the page begins at point %d, want that of the finding", got)
	}
	// Only steps that matter are shown at first.
	if got := eval[[]string](t, ctx, `[...document.querySelectorAll(".row.line")].map(r => r.textContent)`); len(got) != 1 {
		t.Errorf("among the steps that matter are %q", got)
	}
	press(t, ctx, kb.Home, kb.ArrowRight, "n")
	if got := eval[int](t, ctx, point); got != 11 {
		t.Errorf("the second step that matters is at point %d", got)
	}
	if err := chromedp.Do(ctx, chromedp.Click("input[type=checkbox]")); err != nil {
		t.Fatal(err)
	}
	want := map[int]string{}
	press(t, ctx, kb.Home)
	for i := range 20 {
		if got := eval[int](t, ctx, point); got != i {
			t.Fatalf("forwards: point %d, want %d", got, i)
		}
		want[i] = eval[string](t, ctx, variable)
		if !strings.Contains(want[i], fmt.Sprintf("count\t%d\t", i)) {
			t.Errorf("point %d shows %q", i, want[i])
		}
		press(t, ctx, kb.ArrowRight)
	}
	for i := 19; i >= 0; i-- {
		press(t, ctx, "p")
		if got := eval[int](t, ctx, point); got != i {
			t.Fatalf("backwards: point %d, want %d", got, i)
		}
		if got := eval[string](t, ctx, variable); got != want[i] {
			t.Errorf("point %d shows backwards %q, and forwards %q", i, got, want[i])
		}
	}
	press(t, ctx, kb.ArrowDown, kb.ArrowDown, kb.ArrowDown) // 1, 2, and 6, which is the next of this goroutine
	if got := eval[int](t, ctx, point); got != 6 {
		t.Errorf("forward in the goroutine: point %d, want 6", got)
	}
	press(t, ctx, kb.End)
	if got := eval[string](t, ctx, `document.querySelector(".row.at").textContent`); got != "end of the run" {
		t.Errorf("the last row is %q", got)
	}
	press(t, ctx, "f")
	if got := eval[int](t, ctx, point); got != 198 {
		t.Errorf("the finding is at point %d", got)
	}
	if got := eval[string](t, ctx, `document.getElementById("said").textContent`); !strings.HasPrefix(got, "step 199: goroutine 0, ") {
		t.Errorf("said is %q", got)
	}
}

// The panes show the source line, objects with what they refer to, goroutines, locks and output.
func TestPanes(t *testing.T) {
	ctx := browser(t, write(t, example(200)), 1200, 800)
	for selector, want := range map[string]string{
		".what":                           "</script><script>alert(1)</script> & 'x'",
		".what p":                         "data race in example.com/m/pool.TestPool",
		"section[aria-label=Source] h3":   "pool/pool.go:3",
		".code .here":                     "func é()",
		"section[aria-label=Objects] svg": "*T x",
		"section[aria-label='Goroutines and locks']":               "lock pool.mu, held by 0",
		"section[aria-label='Goroutines and locks'] table + table": "",
		"section[aria-label='Goroutines and locks'] pre":           "line 100",
	} {
		got := eval[string](t, ctx, fmt.Sprintf(`(document.querySelector(%q) || {textContent: ""}).textContent`, selector))
		if !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	if got := eval[int](t, ctx, `document.querySelectorAll("section[aria-label=Objects] path").length`); got != 1 {
		t.Errorf("%d references between objects, want the one of .next", got)
	}
	if got := eval[int](t, ctx, `document.querySelectorAll(".rows path").length`); got == 0 {
		if err := chromedp.Do(ctx, chromedp.Click("input[type=checkbox]")); err != nil {
			t.Fatal(err)
		}
	}
	if got := eval[int](t, ctx, `document.querySelectorAll(".rows path").length`); got == 0 {
		t.Error("no edges between the lanes")
	}

	// The second finding has no run, then come the searches and the coverage.
	press(t, ctx, "]")
	if got := eval[string](t, ctx, `document.querySelector(".what").innerText`); !strings.Contains(got, "it is gone") {
		t.Errorf("the second finding is %q", got)
	}
	press(t, ctx, "]")
	if got := eval[string](t, ctx, `document.querySelector(".searches").innerText`); !strings.Contains(got, "6 of 8") || !strings.Contains(got, "</script><b>") {
		t.Errorf("the searches are %q", got)
	}
	press(t, ctx, "]")
	if got := eval[[]string](t, ctx, `[...document.querySelectorAll(".code .yes, .code .no")].map(e => e.className + ":" + e.textContent)`); fmt.Sprint(got) != `[yes:{ f(); no: g() } no:if x { no:}]` {
		t.Errorf("the coverage is %q", got)
	}
	press(t, ctx, "[", "[", "[")
	if got := eval[string](t, ctx, `document.querySelector("[role=tab][aria-selected=true]").textContent`); got != "data race: TestPool" {
		t.Errorf("the tab is %q", got)
	}
}

// Ten thousand points can be gone through, and only those rows exist that can be seen.
func TestLong(t *testing.T) {
	ctx := browser(t, write(t, example(10_000)), 1200, 800)
	took := eval[float64](t, ctx, `(() => {
		const key = key => document.dispatchEvent(new KeyboardEvent("keydown", {key}));
		document.querySelector("input[type=checkbox]").click();
		key("End");
		const begin = performance.now();
		for (let i = 0; i < 300; i++) key("ArrowLeft");
		return (performance.now() - begin) / 300;
	})()`)
	t.Logf("%.1f ms for a step back", took)
	if got := eval[int](t, ctx, point); got != 9699 {
		t.Errorf("300 steps before the end is point %d", got)
	}
	if got := eval[int](t, ctx, `document.querySelectorAll(".row").length`); got > 100 {
		t.Errorf("there are %d rows", got)
	}
}

// Every control has a name, the page is as wide as a phone, and it can be dark.
func TestScreens(t *testing.T) {
	path := write(t, example(200))
	for _, screen := range []struct {
		name          string
		width, height int
	}{{"desktop", 1400, 900}, {"phone", 390, 800}} {
		ctx := browser(t, path, screen.width, screen.height)
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(int64(screen.width), int64(screen.height))); err != nil {
			t.Fatal(err)
		}
		if got := eval[int](t, ctx, `document.documentElement.scrollWidth`); got > screen.width {
			t.Errorf("%s: the page is %d wide", screen.name, got)
		}
		if got := eval[[]string](t, ctx, `[...document.querySelectorAll("button, input, select, [tabindex], svg[role]")].filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label"))).map(e => e.outerHTML)`); len(got) > 0 {
			t.Errorf("%s: without a name: %q", screen.name, got)
		}
		colors := map[string]bool{}
		for range 2 {
			colors[eval[string](t, ctx, `getComputedStyle(document.body).backgroundColor`)] = true
			picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			if dir := os.Getenv("EVERYWAY_SCREENSHOTS"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s%d.png", screen.name, len(colors))), picture, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if len(picture) < 5000 {
				t.Errorf("%s: the screenshot has %d bytes: is it empty?", screen.name, len(picture))
			}
			press(t, ctx, "t")
		}
		if len(colors) != 2 {
			t.Errorf("%s: the background is always %v", screen.name, colors)
		}
	}
}
