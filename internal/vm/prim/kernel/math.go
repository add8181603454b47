package kernel

import (
	"go/types"
	"math"
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// mathPrimitives returns the floating-point functions that the model of package math
// leaves to the host. Their results are exactly those of the host.
func mathPrimitives() []exec.Primitive {
	var list []exec.Primitive
	for name, fn := range map[string]func(float64) float64{
		"Acos": math.Acos, "Acosh": math.Acosh, "Asin": math.Asin, "Asinh": math.Asinh, "Atan": math.Atan,
		"Atanh": math.Atanh, "Cbrt": math.Cbrt, "Cos": math.Cos, "Cosh": math.Cosh, "Erf": math.Erf, "Erfc": math.Erfc,
		"Exp": math.Exp, "Exp2": math.Exp2, "Expm1": math.Expm1, "Log": math.Log, "Log10": math.Log10,
		"Log1p": math.Log1p, "Log2": math.Log2, "Sin": math.Sin, "Sinh": math.Sinh, "Tan": math.Tan, "Tanh": math.Tanh,
	} {
		list = append(list, exec.Primitive{Name: "math.arch" + name, Shadows: true, Run: func(c *exec.Call) {
			hostArgument(c, 0, name)
			setFloat(c, fn(floatArg(c, 0)))
		}})
	}
	for name, fn := range map[string]func(x, y float64) float64{"Atan2": math.Atan2, "Hypot": math.Hypot, "Pow": math.Pow} {
		list = append(list, exec.Primitive{Name: "math.arch" + name, Shadows: true, Run: func(c *exec.Call) {
			hostArgument(c, 0, name)
			hostArgument(c, 1, name)
			setFloat(c, fn(floatArg(c, 0), floatArg(c, 1)))
		}})
	}
	// The compiler makes instructions of direct calls of these functions. The primitives are for other calls.
	for name, r := range map[string]expr.Rounding{"Floor": expr.ToNegative, "Ceil": expr.ToPositive, "Trunc": expr.ToZero} {
		list = append(list, exec.Primitive{Name: "math.arch" + name, Shadows: true, Run: func(c *exec.Call) {
			if x := c.Shadow(0); x != expr.None {
				c.SetShadow(0, c.Machine.Arena.FRound(symbolic.Fit(c.Machine.Arena, x, code.Float64), r))
			}
			c.Set(0, expr.Round(r, 64, c.Window[0].N))
		}})
	}
	return append(list, exec.Primitive{Name: "math.sqrt", Shadows: true, Run: func(c *exec.Call) {
		if x := c.Shadow(0); x != expr.None {
			c.SetShadow(0, c.Machine.Arena.FSqrt(symbolic.Fit(c.Machine.Arena, x, code.Float64)))
		}
		setFloat(c, math.Sqrt(floatArg(c, 0)))
	}})
}

// hostArgument makes argument word i of a function of package math concrete if it is
// symbolic. That is recorded as given up, since other values of it are not searched for
// systematically.
func hostArgument(c *exec.Call, i int, function string) {
	if x := c.Shadow(i); x != expr.None {
		if c.Machine.Fix(c.Goroutine, x, state.Mixed) {
			c.SetShadow(i, expr.None)
			return
		}
		c.Machine.GiveUp(c.Goroutine, "argument of math."+function+" made concrete")
		c.Machine.ConcretizeWord(c.Goroutine, c.Window[i], code.Float64, x)
		c.SetShadow(i, expr.None)
	}
}

// mathNatives returns the native implementations of exact functions of package math.
func mathNatives() map[string]exec.Native {
	list := map[string]exec.Native{
		"math.Frexp": func(c *exec.Call) bool {
			frac, exp := math.Frexp(floatArg(c, 0))
			setFloat(c, frac)
			c.Set(1, uint64(int64(exp)))
			return true
		},
		"math.Ldexp": func(c *exec.Call) bool {
			setFloat(c, math.Ldexp(floatArg(c, 0), int(c.Int(1))))
			return true
		},
	}
	for name, fn := range map[string]func(x, y float64) float64{
		"Max": math.Max, "Min": math.Min, "Mod": math.Mod, "Remainder": math.Remainder,
	} {
		list["math."+name] = func(c *exec.Call) bool {
			setFloat(c, fn(floatArg(c, 0), floatArg(c, 1)))
			return true
		}
	}
	return list
}

// bitsNatives returns the native implementations of the sums and differences with a carry of
// package math/bits, of which numbers of many words are made.
func bitsNatives() map[string]exec.Native {
	mul := func(c *exec.Call) bool {
		hi, lo := bits.Mul64(c.Window[0].N, c.Window[1].N)
		c.Set(0, hi)
		c.Set(1, lo)
		return true
	}
	long := func(run exec.Native) exec.Native { // for words of 64 bits
		return func(c *exec.Call) bool { return c.Machine.Program.Sizes().Sizeof(types.Typ[types.Uint]) == 8 && run(c) }
	}
	add, sub := withCarry(bits.Add64), withCarry(bits.Sub64)
	return map[string]exec.Native{
		"math/bits.Add64": add, "math/bits.Sub64": sub, "math/bits.Mul64": mul,
		"math/bits.Add": long(add), "math/bits.Sub": long(sub), "math/bits.Mul": long(mul),
	}
}

// withCarry returns the native implementation of a function of two words and a carry.
func withCarry(fn func(x, y, carry uint64) (word, out uint64)) exec.Native {
	return func(c *exec.Call) bool {
		word, out := fn(c.Window[0].N, c.Window[1].N, c.Window[2].N)
		c.Set(0, word)
		c.Set(1, out)
		return true
	}
}

// floatArg returns argument word i as a float64.
func floatArg(c *exec.Call, i int) float64 { return math.Float64frombits(c.Window[i].N) }

// setFloat makes the float64 v the first result.
func setFloat(c *exec.Call, v float64) { c.Set(0, expr.Float64Bits(v)) }
