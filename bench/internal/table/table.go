// Package table prints the tables of the benchmarks, and has what goes into their cells:
// means, medians and short durations.
package table

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A Table is printed with its columns aligned to the right.
type Table struct{ w *tabwriter.Writer }

// New returns a table with a header.
func New(w io.Writer, columns ...string) *Table {
	t := &Table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
	fmt.Fprintln(t.w, strings.Join(columns, "\t")+"\t")
	return t
}

// Row adds a row.
func (t *Table) Row(cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(t.w, "%v\t", c)
	}
	fmt.Fprintln(t.w)
}

// Flush prints the rows that have been added.
func (t *Table) Flush() error {
	if err := t.w.Flush(); err != nil {
		return fmt.Errorf("printing a table: %w", err)
	}
	return nil
}

// Rows is a table of which each row is printed at once, in columns of widths that are given.
type Rows struct {
	w      io.Writer
	widths []int
}

// NewRows returns a table with a header. A column is as wide as its name, with blanks before or after it.
func NewRows(w io.Writer, columns ...string) (*Rows, error) {
	r := &Rows{w: w}
	var names []any
	for _, c := range columns {
		r.widths = append(r.widths, len(c))
		names = append(names, strings.TrimSpace(c))
	}
	return r, r.Row(names...)
}

// Row prints a row. The last cell can be wider than its column.
func (r *Rows) Row(cells ...any) error {
	var b strings.Builder
	for i, c := range cells {
		if i == len(cells)-1 {
			fmt.Fprintf(&b, "  %v", c)
			break
		}
		fmt.Fprintf(&b, "%*v", r.widths[i]+min(i, 1)*2, c)
	}
	b.WriteByte('\n')
	if _, err := io.WriteString(r.w, b.String()); err != nil {
		return fmt.Errorf("printing a row: %w", err)
	}
	return nil
}

// Cell makes text fit into a cell of a table in Markdown.
func Cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}

// Short rounds a duration to three digits.
func Short(d time.Duration) string {
	unit := time.Nanosecond
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}

// Median returns the value in the middle of some, which are at least one.
func Median[T cmp.Ordered](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// GeometricMean returns 0 for no values.
func GeometricMean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// Main runs a benchmark until it is done or interrupted. An error ends the program.
func Main(run func(ctx context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(1)
	}
}
