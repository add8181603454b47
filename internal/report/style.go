package report

import "strconv"

// A style is how a part of a text is shown on a screen with colours: the parameters of the control
// sequence that selects it (ECMA-48, SGR).
type style string

const (
	failure style = "1;31" // what has failed
	strong  style = "1"    // what matters most
	faint   style = "2"    // what can be passed over
)

// styleOf returns the style of the i-th goroutine of a table.
func styleOf(i int) style {
	const first, colours = 32, 5 // green to cyan; red is for failures
	return style(strconv.Itoa(first + i%colours))
}

// paint returns a text in a style, if the report has colours.
func (c *Config) paint(s style, text string) string {
	if !c.Color || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
