package vm

import "math"

// mathPrimitives lists the floating-point functions that the model of package
// math leaves to the host. Their results are the host's, to the last bit.
func mathPrimitives() []primitive {
	var list []primitive
	for _, f := range []struct {
		name string
		fn   func(float64) float64
	}{
		{"sqrt", math.Sqrt}, {"archAcos", math.Acos}, {"archAcosh", math.Acosh}, {"archAsin", math.Asin},
		{"archAsinh", math.Asinh}, {"archAtan", math.Atan}, {"archAtanh", math.Atanh}, {"archCbrt", math.Cbrt},
		{"archCeil", math.Ceil}, {"archCos", math.Cos}, {"archCosh", math.Cosh}, {"archErf", math.Erf},
		{"archErfc", math.Erfc}, {"archExp", math.Exp}, {"archExp2", math.Exp2}, {"archExpm1", math.Expm1},
		{"archFloor", math.Floor}, {"archLog", math.Log}, {"archLog10", math.Log10}, {"archLog1p", math.Log1p},
		{"archLog2", math.Log2}, {"archSin", math.Sin}, {"archSinh", math.Sinh}, {"archTan", math.Tan},
		{"archTanh", math.Tanh}, {"archTrunc", math.Trunc},
	} {
		list = append(list, primitive{name: "math." + f.name, run: func(c *call) {
			c.setFloat(0, f.fn(c.float(0)))
		}})
	}
	for _, f := range []struct {
		name string
		fn   func(x, y float64) float64
	}{
		{"archAtan2", math.Atan2}, {"archHypot", math.Hypot}, {"archMax", math.Max}, {"archMin", math.Min},
		{"archMod", math.Mod}, {"archPow", math.Pow}, {"archRemainder", math.Remainder},
	} {
		list = append(list, primitive{name: "math." + f.name, run: func(c *call) {
			c.setFloat(0, f.fn(c.float(0), c.float(1)))
		}})
	}
	return append(list,
		primitive{name: "math.archFrexp", run: func(c *call) {
			frac, exp := math.Frexp(c.float(0))
			c.setFloat(0, frac)
			c.set(1, uint64(int64(exp)))
		}},
		primitive{name: "math.archLdexp", run: func(c *call) {
			c.setFloat(0, math.Ldexp(c.float(0), int(c.int(1))))
		}},
	)
}

// float returns argument word i as a float64.
func (c *call) float(i int) float64 { return math.Float64frombits(c.window[i].N) }

// setFloat makes the float64 v result word i.
func (c *call) setFloat(i int, v float64) { c.set(i, math.Float64bits(v)) }
