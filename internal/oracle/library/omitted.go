package library

// omitted are the functions that are left out, with the reason.
var omitted = map[string]string{
	"encoding/gob.Decoder.DecodeValue":        "takes a reflect.Value; Decode, which calls it, is checked",
	"encoding/gob.Encoder.EncodeValue":        "takes a reflect.Value; Encode, which calls it, is checked",
	"encoding/json.UnmarshalFieldError.Error": "no function returns such an error any more",
	"encoding/xml.NewTokenDecoder":            "its results are those of a reader that the caller writes",
	"time.After":                              "a timer: its results are those of a schedule",
	"time.AfterFunc":                          "a timer: its results are those of a schedule",
	"time.LoadLocation":                       "reads files of the host",
	"time.NewTicker":                          "a timer: its results are those of a schedule",
	"time.NewTimer":                           "a timer: its results are those of a schedule",
	"time.Now":                                "reads the clock, which is virtual",
	"time.Since":                              "reads the clock, which is virtual",
	"time.Sleep":                              "waits for the clock, which is virtual",
	"time.Tick":                               "a timer: its results are those of a schedule",
	"time.Ticker.Reset":                       "a timer: its results are those of a schedule",
	"time.Ticker.Stop":                        "a timer: its results are those of a schedule",
	"time.Timer.Reset":                        "a timer: its results are those of a schedule",
	"time.Timer.Stop":                         "a timer: its results are those of a schedule",
	"time.Until":                              "reads the clock, which is virtual",
}
