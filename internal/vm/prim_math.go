package vm

import (
	"math"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// mathPrimitives lists the floating-point functions that the model of package
// math leaves to the host. Their results are the host's, to the last bit.
func mathPrimitives() []primitive {
	var list []primitive
	for name, fn := range map[string]func(float64) float64{
		"Acos": math.Acos, "Acosh": math.Acosh, "Asin": math.Asin, "Asinh": math.Asinh, "Atan": math.Atan,
		"Atanh": math.Atanh, "Cbrt": math.Cbrt, "Cos": math.Cos, "Cosh": math.Cosh, "Erf": math.Erf, "Erfc": math.Erfc,
		"Exp": math.Exp, "Exp2": math.Exp2, "Expm1": math.Expm1, "Log": math.Log, "Log10": math.Log10,
		"Log1p": math.Log1p, "Log2": math.Log2, "Sin": math.Sin, "Sinh": math.Sinh, "Tan": math.Tan, "Tanh": math.Tanh,
	} {
		list = append(list, primitive{name: "math.arch" + name, shadows: true, run: func(c *call) {
			hostArgument(c, 0, name)
			setFloat(c, 0, fn(floatArg(c, 0)))
		}})
	}
	for name, fn := range map[string]func(x, y float64) float64{"Atan2": math.Atan2, "Hypot": math.Hypot, "Pow": math.Pow} {
		list = append(list, primitive{name: "math.arch" + name, shadows: true, run: func(c *call) {
			hostArgument(c, 0, name)
			hostArgument(c, 1, name)
			setFloat(c, 0, fn(floatArg(c, 0), floatArg(c, 1)))
		}})
	}
	// What is an instruction where it is called by name.
	for name, r := range map[string]expr.Rounding{"Floor": expr.ToNegative, "Ceil": expr.ToPositive, "Trunc": expr.ToZero} {
		list = append(list, primitive{name: "math.arch" + name, shadows: true, run: func(c *call) {
			if x := c.shadow(0); x != expr.None {
				c.setShadow(0, c.m.Arena.FRound(symbolic.Fit(c.m.Arena, x, code.Float64), r))
			}
			c.set(0, expr.Round(r, 64, c.window[0].N))
		}})
	}
	return append(list, primitive{name: "math.sqrt", shadows: true, run: func(c *call) {
		if x := c.shadow(0); x != expr.None {
			c.setShadow(0, c.m.Arena.FSqrt(symbolic.Fit(c.m.Arena, x, code.Float64)))
		}
		setFloat(c, 0, math.Sqrt(floatArg(c, 0)))
	}})
}

// hostArgument makes argument word i of the function of package math concrete, if
// it is symbolic. No other value of it is looked for but one by one.
func hostArgument(c *call, i int, function string) {
	if x := c.shadow(i); x != expr.None {
		c.m.GiveUp(c.g, "argument of math."+function+" made concrete")
		c.m.ConcretizeWord(c.g, c.window[i], code.Float64, x)
		c.setShadow(i, expr.None)
	}
}

// mathNatives lists the natives of exact functions of package math.
func mathNatives() map[string]native {
	list := map[string]native{
		"math.Frexp": func(c *call) bool {
			frac, exp := math.Frexp(floatArg(c, 0))
			setFloat(c, 0, frac)
			c.set(1, uint64(int64(exp)))
			return true
		},
		"math.Ldexp": func(c *call) bool {
			setFloat(c, 0, math.Ldexp(floatArg(c, 0), int(c.int(1))))
			return true
		},
	}
	for name, fn := range map[string]func(x, y float64) float64{"Max": math.Max, "Min": math.Min, "Mod": math.Mod, "Remainder": math.Remainder} {
		list["math."+name] = func(c *call) bool {
			setFloat(c, 0, fn(floatArg(c, 0), floatArg(c, 1)))
			return true
		}
	}
	return list
}

// floatArg returns argument word i as a float64.
func floatArg(c *call, i int) float64 { return math.Float64frombits(c.window[i].N) }

// setFloat makes the float64 v result word i.
func setFloat(c *call, i int, v float64) { c.set(i, expr.Float64Bits(v)) }
