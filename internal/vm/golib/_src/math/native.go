package math

// A function that some architecture has in assembly runs natively, on an argument
// that is made concrete: its results are those of the host. But where the result is
// exact the same everywhere, a symbolic argument has the function's own code run.

const (
	haveArchAcos      = true
	haveArchAcosh     = true
	haveArchAsin      = true
	haveArchAsinh     = true
	haveArchAtan      = true
	haveArchAtan2     = true
	haveArchAtanh     = true
	haveArchCbrt      = true
	haveArchCeil      = true
	haveArchCos       = true
	haveArchCosh      = true
	haveArchErf       = true
	haveArchErfc      = true
	haveArchExp       = true
	haveArchExp2      = true
	haveArchExpm1     = true
	haveArchFloor     = true
	haveArchFrexp     = false
	haveArchHypot     = true
	haveArchLdexp     = false
	haveArchLog       = true
	haveArchLog10     = true
	haveArchLog1p     = true
	haveArchLog2      = true
	haveArchMax       = false
	haveArchMin       = false
	haveArchMod       = false
	haveArchPow       = true
	haveArchRemainder = false
	haveArchSin       = true
	haveArchSinh      = true
	haveArchTan       = true
	haveArchTanh      = true
	haveArchTrunc     = true
)

func archAcos(x float64) float64
func archAcosh(x float64) float64
func archAsin(x float64) float64
func archAsinh(x float64) float64
func archAtan(x float64) float64
func archAtanh(x float64) float64
func archCbrt(x float64) float64
func archCeil(x float64) float64
func archCos(x float64) float64
func archCosh(x float64) float64
func archErf(x float64) float64
func archErfc(x float64) float64
func archExp(x float64) float64
func archExp2(x float64) float64
func archExpm1(x float64) float64
func archFloor(x float64) float64
func archLog(x float64) float64
func archLog10(x float64) float64
func archLog1p(x float64) float64
func archLog2(x float64) float64
func archSin(x float64) float64
func archSinh(x float64) float64
func archTan(x float64) float64
func archTanh(x float64) float64
func archTrunc(x float64) float64
func archAtan2(x, y float64) float64
func archHypot(x, y float64) float64
func archPow(x, y float64) float64

// Nothing calls these, whose constants above are false; package math has to be able to
// name them.
func archMax(x, y float64) float64            { panic("math: called without haveArch") }
func archMin(x, y float64) float64            { panic("math: called without haveArch") }
func archMod(x, y float64) float64            { panic("math: called without haveArch") }
func archRemainder(x, y float64) float64      { panic("math: called without haveArch") }
func archFrexp(x float64) (float64, int)      { panic("math: called without haveArch") }
func archLdexp(frac float64, exp int) float64 { panic("math: called without haveArch") }

func sqrt(x float64) float64

// Sqrt returns the square root of x.
func Sqrt(x float64) float64 { return sqrt(x) }
