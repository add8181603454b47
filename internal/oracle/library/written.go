package library

// A writtenProgram is a template for the bodies of programs that no signature leads to.
type writtenProgram struct {
	pkg       string
	functions string // that the programs call
	bodies    []string
}

// written are programs that are written by hand.
var written = append([]writtenProgram{
	{"encoding/ascii85", "NewEncoder", []string{
		"s := new(sink)\nw := ascii85.NewEncoder(s)\nw.Write([]byte($text))\nw.Write([]byte($text))\nshowError(w.Close())\nshowString(s.String())",
	}},
	{"encoding/base32", "NewEncoder", []string{
		"s := new(sink)\nw := base32.NewEncoder(base32.StdEncoding, s)\nw.Write([]byte($text))\nw.Write([]byte($text))\nshowError(w.Close())\nshowString(s.String())",
	}},
	{"encoding/base64", "NewEncoder", []string{
		"s := new(sink)\nw := base64.NewEncoder(base64.StdEncoding, s)\nw.Write([]byte($text))\nw.Write([]byte($text))\nshowError(w.Close())\nshowString(s.String())",
	}},
	{"encoding/hex", "Dumper", []string{
		"s := new(sink)\nw := hex.Dumper(s)\nw.Write([]byte($text))\nshowError(w.Close())\nshowString(s.String())",
	}},
	{"encoding/hex", "NewEncoder", []string{
		"s := new(sink)\nhex.NewEncoder(s).Write([]byte($text))\nshowString(s.String())",
	}},
	{"encoding/binary", "Read Write", []string{
		"var v struct {\n\tA uint16\n\tB int8\n}\nerr := binary.Read(strings.NewReader($text), binary.BigEndian, &v)\nshowError(err)\nshow(uint64(v.A))\nshow(uint64(v.B))",
		"s := new(sink)\nerr := binary.Write(s, binary.LittleEndian, struct {\n\tA int16\n\tB [2]uint8\n}{$int16, [2]uint8{$byte, 3}})\nshowError(err)\nshowString(s.String())",
	}},
	{"encoding/binary", "Decode Encode Append Size", []string{
		"var v uint16\nn, err := binary.Decode([]byte($text), binary.BigEndian, &v)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))",
		"b, err := binary.Append(nil, binary.LittleEndian, $int32)\nshowError(err)\nshowString(string(b))\nshow(uint64(binary.Size($int16)))",
		"b := make([]byte, 3)\nn, err := binary.Encode(b, binary.LittleEndian, $uint16)\nshow(uint64(n))\nshowError(err)\nshowString(string(b))",
	}},
	{"encoding/csv", "NewReader Reader.Read Reader.ReadAll Reader.FieldPos Reader.InputOffset", []string{
		"r := csv.NewReader(strings.NewReader($text))\nfor {\n\trecord, err := r.Read()\n\tshowError(err)\n\tif err != nil {\n\t\tbreak\n\t}\n\tfor i, field := range record {\n\t\tshowString(field)\n\t\tline, column := r.FieldPos(i)\n\t\tshow(uint64(line))\n\t\tshow(uint64(column))\n\t}\n\tshow(uint64(r.InputOffset()))\n}",
		"r := csv.NewReader(strings.NewReader(\"a,\\\"b\" + $text + \"\\n\"))\nr.LazyQuotes = $bool\nall, err := r.ReadAll()\nshowError(err)\nfor _, record := range all {\n\tfor _, field := range record {\n\t\tshowString(field)\n\t}\n}",
		"r := csv.NewReader(strings.NewReader($text + \";x\"))\nr.Comma, r.Comment, r.TrimLeadingSpace = ';', '#', true\nrecord, err := r.Read()\nshowError(err)\nfor _, field := range record {\n\tshowString(field)\n}",
	}},
	{"encoding/csv", "NewWriter Writer.Write Writer.WriteAll Writer.Flush Writer.Error", []string{
		"s := new(sink)\nw := csv.NewWriter(s)\nw.UseCRLF = $bool\nshowError(w.Write([]string{$text, \"x\", $text}))\nw.Flush()\nshowError(w.Error())\nshowString(s.String())",
	}},
	{"encoding/gob", "NewEncoder NewDecoder Encoder.Encode Decoder.Decode", []string{
		"s := new(sink)\nerr := gob.NewEncoder(s).Encode($int16)\nshowError(err)\nshowString(s.String())\nvar v int16\nshowError(gob.NewDecoder(s).Decode(&v))\nshow(uint64(v))",
		"s := new(sink)\nshowError(gob.NewEncoder(s).Encode(struct{ A string }{$text}))\nvar v struct{ A string }\nshowError(gob.NewDecoder(s).Decode(&v))\nshowString(v.A)",
		"var v int\nshowError(gob.NewDecoder(strings.NewReader(\"\\x03\\x04\" + $text)).Decode(&v))\nshow(uint64(v))",
	}},
	{"encoding/json", "Unmarshal", []string{
		"var v any\nerr := json.Unmarshal([]byte($text), &v)\nshowError(err)\nshowAny(v)",
		"var v struct {\n\tA string\n\tK int8\n}\nerr := json.Unmarshal([]byte(\"{\\\"\" + $text + \"\\\":1}\"), &v)\nshowError(err)\nshowString(v.A)\nshow(uint64(v.K))",
		"var v string\nerr := json.Unmarshal([]byte(\"\\\"\" + $text + \"\\\"\"), &v)\nshowError(err)\nshowString(v)",
		"var v string\nerr := json.Unmarshal([]byte(\"\\\"\\\\u\" + $text + \"9a\\\"\"), &v)\nshowError(err)\nshowString(v)",
		"var v uint8\nerr := json.Unmarshal([]byte(\"1\" + $text), &v)\nshowError(err)\nshow(uint64(v))",
		"var v []int\nerr := json.Unmarshal([]byte(\"[1\" + $text + \"]\"), &v)\nshowError(err)\nshowAny(v)",
	}},
	{"encoding/json", "NewDecoder Decoder.Decode Decoder.Token Decoder.More Decoder.Buffered Decoder.InputOffset Decoder.UseNumber Decoder.DisallowUnknownFields", []string{
		"d := json.NewDecoder(strings.NewReader(\"[\" + $text + \"]\"))\nd.UseNumber()\nfor range 5 {\n\tt, err := d.Token()\n\tshowError(err)\n\tif err != nil {\n\t\tbreak\n\t}\n\tshowAny(t)\n\tshowBool(d.More())\n\tshow(uint64(d.InputOffset()))\n}",
		"d := json.NewDecoder(strings.NewReader($text))\nd.DisallowUnknownFields()\nvar v int\nshowError(d.Decode(&v))\nshow(uint64(v))\nrest, _ := io.ReadAll(d.Buffered())\nshowString(string(rest))",
	}},
	{"encoding/json", "NewEncoder Encoder.Encode Encoder.SetIndent Encoder.SetEscapeHTML", []string{
		"s := new(sink)\ne := json.NewEncoder(s)\ne.SetEscapeHTML($bool)\ne.SetIndent(\"\", \" \")\nshowError(e.Encode([]any{$text, true}))\nshowString(s.String())",
	}},
	{"encoding/json", "InvalidUnmarshalError.Error UnmarshalTypeError.Error UnsupportedValueError.Error UnsupportedTypeError.Error MarshalerError.Error MarshalerError.Unwrap", []string{
		"var v int8\nshowError(json.Unmarshal([]byte($text), v))\nshowError(json.Unmarshal([]byte($text), &v))\n_, err := json.Marshal(math.Inf(1))\nshowError(err)\n_, err = json.Marshal(func() {})\nshowError(err)\n_, err = json.Marshal(json.RawMessage($text))\nshowError(err)\nshowError(errors.Unwrap(err))",
	}},
	{"encoding/pem", "Decode", []string{
		"b, rest := pem.Decode([]byte(\"-----BEGIN A-----\\nAA\" + $text + \"\\n-----END A-----\\n\"))\nif b != nil {\n\tshowString(b.Type)\n\tshowString(string(b.Bytes))\n}\nshowString(string(rest))",
		"b, rest := pem.Decode([]byte(\"-----BEGIN A-----\\n\" + $text + \": b\\n\\nAAAA\\n-----END A-----\"))\nif b != nil {\n\tshowAny(b.Headers)\n\tshowString(string(b.Bytes))\n}\nshowString(string(rest))",
		"b, rest := pem.Decode([]byte($text + \"-----BEGIN A-----\\nAAAA\\n-----END \" + $text + \"-----\"))\nshowBool(b == nil)\nshowString(string(rest))",
	}},
	{"encoding/xml", "NewDecoder Decoder.Token Decoder.RawToken Decoder.InputOffset Decoder.InputPos", []string{
		"d := xml.NewDecoder(strings.NewReader(\"<a\" + $text + \"</a>\"))\nfor range 5 {\n\tt, err := d.Token()\n\tshowError(err)\n\tif err != nil {\n\t\tbreak\n\t}\n\tshowAny(t)\n\tshow(uint64(d.InputOffset()))\n\tline, column := d.InputPos()\n\tshow(uint64(line))\n\tshow(uint64(column))\n}",
		"d := xml.NewDecoder(strings.NewReader($text))\nt, err := d.RawToken()\nshowError(err)\nshowAny(t)",
		"d := xml.NewDecoder(strings.NewReader(\"<a>&\" + $text + \";</a>\"))\nd.Token()\nt, err := d.Token()\nshowError(err)\nshowAny(t)",
	}},
	{"encoding/xml", "Unmarshal Decoder.Decode Decoder.DecodeElement Decoder.Skip", []string{
		"var v struct {\n\tA string `xml:\"a,attr\"`\n\tB int8\n}\nshowError(xml.Unmarshal([]byte(\"<x a='\" + $text + \"'><B>\" + $text + \"</B></x>\"), &v))\nshowString(v.A)\nshow(uint64(v.B))",
		"d := xml.NewDecoder(strings.NewReader(\"<x><y>\" + $text + \"</y></x>\"))\nd.Token()\nshowError(d.Skip())\nvar s string\nshowError(d.Decode(&s))\nshowString(s)",
	}},
	{"encoding/xml", "NewEncoder Encoder.Encode Encoder.EncodeElement Encoder.EncodeToken Encoder.Flush Encoder.Close Encoder.Indent", []string{
		"s := new(sink)\ne := xml.NewEncoder(s)\ne.Indent(\"\", \" \")\nshowError(e.EncodeElement($text, xml.StartElement{Name: xml.Name{Local: \"x\"}}))\nshowError(e.EncodeToken(xml.Comment($text)))\nshowError(e.EncodeToken(xml.CharData($text)))\nshowError(e.Flush())\nshowError(e.Encode($bool))\nshowError(e.Close())\nshowString(s.String())",
	}},
	{"encoding/xml", "UnsupportedTypeError.Error", []string{
		"_, err := xml.Marshal(map[string]bool{$text: true})\nshowError(err)",
	}},
	{"errors", "Is As AsType Join Unwrap", []string{
		"e := fmt.Errorf(\"%s %w\", $text, io.EOF)\nshowBool(errors.Is(e, io.EOF))\nj := errors.Join(errors.New($text), nil, e)\nshowError(j)\nshowBool(errors.Is(j, io.ErrUnexpectedEOF))\nvar n *strconv.NumError\n_, err := strconv.ParseInt($text, 10, 8)\nshowBool(errors.As(err, &n))\nif n != nil {\n\tshowString(n.Num)\n}\n_, ok := errors.AsType[*strconv.NumError](err)\nshowBool(ok)\nshowError(errors.Unwrap(e))",
	}},
	{"fmt", "Sscan Sscanln Sscanf Fscan Fscanln Fscanf", []string{
		"var v int8\nn, err := fmt.Sscan($text, &v)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))",
		"var v, w string\nn, err := fmt.Sscan($text + \" x\", &v, &w)\nshow(uint64(n))\nshowError(err)\nshowString(v)\nshowString(w)",
		"var v bool\nn, err := fmt.Sscan($text, &v)\nshow(uint64(n))\nshowError(err)\nshowBool(v)",
		"var v uint16\nn, err := fmt.Sscan(\"0\" + $text, &v)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))",
		"var v float64\nn, err := fmt.Sscan(\"1\" + $text, &v)\nshow(uint64(n))\nshowError(err)\nshowFloat(v)",
		"var v []byte\nn, err := fmt.Sscan($text, &v)\nshow(uint64(n))\nshowError(err)\nshowString(string(v))",
		"var v int\nvar w string\nn, err := fmt.Sscanln(\"1\" + $text + \"a\", &v, &w)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))\nshowString(w)",
		"var v int\nvar w rune\nn, err := fmt.Sscanf($text, \"%d%c\", &v, &w)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))\nshow(uint64(w))",
		"var v int\nn, err := fmt.Sscanf(\"7\" + $text, \"%x\", &v)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))",
		"var v string\nn, err := fmt.Sscanf(\"\\\"a\" + $text, \"%q\", &v)\nshow(uint64(n))\nshowError(err)\nshowString(v)",
		"var v string\nn, err := fmt.Sscanf($text + \"b\", \"%2s\", &v)\nshow(uint64(n))\nshowError(err)\nshowString(v)",
		"var v int\nn, err := fmt.Sscanf(\"1\", $text + \"%d\", &v)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))",
		"var v, w int\nn, err := fmt.Fscan(strings.NewReader(\"1\" + $text + \"2\"), &v, &w)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))\nshow(uint64(w))",
		"var v int\nr := strings.NewReader(\"1\" + $text)\nn, err := fmt.Fscanln(r, &v)\nshow(uint64(n))\nshowError(err)\nshow(uint64(v))\nn, err = fmt.Fscanf(r, \"%d\", &v)\nshow(uint64(n))\nshowError(err)",
	}},
	{"fmt", "FormatString", []string{"showString(fmt.Sprintf(\"%+-08.3q|%#x|% d\", formatted($byte), formatted(2), formatted(3)))"}},
	{"text/tabwriter", "NewWriter Writer.Init Writer.Write Writer.Flush", []string{
		"s := new(sink)\nw := tabwriter.NewWriter(s, 4, 8, 1, ' ', 0)\nw.Write([]byte(\"a\" + $text + \"b\\tc\\n\"))\nshowError(w.Flush())\nshowString(s.String())",
		"s := new(sink)\nw := new(tabwriter.Writer).Init(s, 0, 8, 2, '.', tabwriter.AlignRight|tabwriter.Debug)\nw.Write([]byte(\"\\ta\\t\" + $text + \"\\n\"))\nw.Write([]byte($text + \"\\tc\"))\nshowError(w.Flush())\nshowString(s.String())",
		"s := new(sink)\nw := tabwriter.NewWriter(s, 1, 1, 1, '\\t', tabwriter.FilterHTML|tabwriter.StripEscape|tabwriter.DiscardEmptyColumns)\nw.Write([]byte(\"x\\v\" + $text + \"\\v;y\\n\"))\nshowError(w.Flush())\nshowString(s.String())",
	}},
}, formats()...)

// formats returns the programs that print a value of each kind with verbs and flags.
func formats() []writtenProgram {
	values := []struct {
		value string
		verbs []string
	}{
		{"$int8", []string{"%d", "%x", "%#X", "%o", "%b", "%08b", "%+d", "% d", "%-5d|", "%5d", "%05d", "%c", "%q", "%U", "%#U", "%v", "%#v", "%s", "%.3d", "%+.2x", "%t", "%e"}},
		{"$uint16", []string{"%d", "%x", "%#o", "%v", "%#v", "%T %[1]d"}},
		{"$rune", []string{"%c", "%q", "%+q", "%#q", "%U", "%#U", "%x", "%5c|"}},
		{"$bool", []string{"%t", "%v", "%-7t|", "%d"}},
		{"$text", []string{"%s", "%q", "%+q", "%#q", "%x", "% X", "%#x", "%5s|", "%-4s|", "%.1s", "%5.1q", "%v", "%#v", "%d", "%05s"}},
		{"[]byte($text)", []string{"%s", "%q", "%x", "% x", "%v", "%#v", "%d", "%c"}},
		{"[2]bool{$bool, true}", []string{"%v", "%+v", "%t"}},
		{"struct {\n\tA string\n\tb *int\n}{A: $text}", []string{"%v", "%+v", "%#v", "%d"}},
		{"map[string]int8{$text: $int8}", []string{"%v", "%#v"}},
		{"errors.New($text)", []string{"%v", "%s", "%q", "%d"}},
		{"time.Duration($int64)", []string{"%v", "%d", "%s"}},
	}
	program := writtenProgram{pkg: "fmt", functions: "Sprintf"}
	for _, v := range values {
		for _, verb := range v.verbs {
			program.bodies = append(program.bodies, "v := "+v.value+"\nshowString(fmt.Sprintf(\""+verb+"\", v))")
		}
	}
	program.bodies = append(program.bodies,
		"showString(fmt.Sprintf(\"%*d|%-*d\", $small, 7, $small, 8))",
		"showString(fmt.Sprintf(\"%.*f\", $small, 1.25))",
		"showString(fmt.Sprintf(\"%[\" + $text + \"]d\", 1, 2))",
		"showString(fmt.Sprintf(\"%\" + $text + \"s\", \"x\", 3))",
	)
	return []writtenProgram{program}
}
