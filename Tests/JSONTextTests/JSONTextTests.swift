import JSONText
import Testing

@Suite struct JSONTextTests {
    /// What is read, and how it is written again.
    static let texts: [(text: String, again: String)] = [
        ("null", "null"), ("true", "true"), (" false ", "false"), ("0", "0"), ("-0", "0"), ("-12", "-12"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("1.5", "1.5"), ("2.0", "2"), ("-0.0", "-0.0"), ("1e3", "1000"), ("1e300", "1e+300"), ("5e-324", "5e-324"), ("0.1", "0.1"),
        ("9007199254740992.0", "9007199254740992"), ("1e16", "1e+16"),
        (#""""#, #""""#), (#""é\u00e9\n\t\"\\\/\u0001\ud83d\ude00""#, #""éé\n\t\"\\/\u0001😀""#), (#""a\u0000b""#, #""a\u0000b""#),
        (#""\b\f\r\u001f\u007f""#, #""\b\f\r\u001f\u007f""#),
        ("[]", "[]"), ("{}", "{}"), ("[1,[2,[]],{}]", "[1,[2,[]],{}]"),
        (#"{"b":1,"a":{"z":[true,null],"y":"x"},"":0}"#, #"{"b":1,"a":{"z":[true,null],"y":"x"},"":0}"#),
    ]

    @Test(arguments: texts) func whatIsReadIsWrittenAgain(text: String, again: String) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(value.text() == again)
        let pretty = try JSONValue(parsing: value.bytes(pretty: true))
        #expect(pretty.text() == again)
    }

    @Test func whatATerminalWouldObeyOrHideIsSpeltOut() throws {
        for value: UInt32 in 0...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            let isLine = value == 0x2028 || value == 0x2029
            let isHidden = isLine || properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
            guard isHidden || value == 0x1F600 || value == 0xE9 || value == 0x3042 else { continue }
            let text = "é日" + String(scalar) + "b"
            let written = JSONValue.string(text).text()
            #expect(written.dropFirst(3).unicodeScalars.contains(scalar) != isHidden, "U+\(String(value, radix: 16))")
            let read = try JSONValue(parsing: Array(written.utf8))
            #expect(read == .string(text))
        }
        #expect(JSONValue.string("\u{9B}\u{202E}\u{2028}\u{E0041}\u{7F}é").text() == #""\u009b\u202e\u2028\udb40\udc41\u007fé""#)
    }

    @Test func aTextOfValuesWithoutNumberIsRefused() throws {
        let error = #expect(throws: JSONError.self) {
            _ = try JSONValue(parsing: [UInt8(ascii: "[")] + [UInt8](repeating: UInt8(ascii: ","), count: JSONValue.maximumValues))
        }
        #expect(error?.code == .tooMany)
    }

    @Test func prettyTextIsIndentedByTwo() throws {
        let value = try JSONValue(parsing: Array(#"{"a":[1,{"b":2}],"c":[],"d":{}}"#.utf8))
        #expect(
            value.text(pretty: true) == """
                {
                  "a": [
                    1,
                    {
                      "b": 2
                    }
                  ],
                  "c": [],
                  "d": {}
                }
                """)
    }

    /// What is refused, and where.
    static let faults: [(text: String, line: Int, what: String)] = [
        ("", 1, "end of file"), ("{", 1, "string or '}'"), ("[1,]", 1, "unexpected"), ("[1]\n]", 2, "end of file"),
        (#"{"a":1,"a":2}"#, 1, "duplicate"), ("9223372036854775808", 1, "too big"), ("1e999", 1, "overflow"), ("\"\u{1}\"", 1, "control"),
        ("nul", 1, "invalid token"), ("[1\n,\n01]", 3, ""), (#""\ud800""#, 1, "Unicode"), ("'a'", 1, ""), ("NaN", 1, ""),
    ]

    @Test(arguments: faults) func whatIsWrongIsPlaced(text: String, line: Int, what: String) {
        let fault = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(fault?.line == line)
        #expect(fault?.message.contains(what) == true, "\(String(describing: fault))")
        #expect((fault?.offset ?? -1) >= 0 && (fault?.offset ?? .max) <= text.utf8.count)
    }

    @Test func badBytesAndDeepNestingAreFaults() throws {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0xEF, 0xBB, 0xBF, 0x31], [0]] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        }
        let deep = JSONValue.maximumDepth
        let allowed = [UInt8](repeating: UInt8(ascii: "["), count: deep) + [UInt8](repeating: UInt8(ascii: "]"), count: deep)
        _ = try JSONValue(parsing: allowed)
        let refused = [UInt8(ascii: "[")] + allowed + [UInt8(ascii: "]")]
        let fault = #expect(throws: JSONError.self) { try JSONValue(parsing: refused) }
        #expect(fault?.code == .tooDeep)
        let unclosed = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: unclosed) }
    }

    @Test func valuesAreAskedForByKind() throws {
        let value = try JSONValue(parsing: Array(#"{"s":"x","i":3,"n":2.5,"b":true,"a":[1],"o":{"k":1},"z":null}"#.utf8))
        #expect(value["s"]?.stringValue == "x")
        #expect(value["i"]?.integerValue == 3)
        #expect(value["i"]?.numberValue == 3)
        #expect(value["n"]?.integerValue == nil)
        #expect(value["n"]?.numberValue == 2.5)
        #expect(value["b"]?.boolValue == true)
        #expect(value["a"]?.arrayValue == [.integer(1)])
        #expect(value["o"]?.objectValue?.count == 1)
        #expect(value["z"]?.isNull == true)
        #expect(value["none"] == nil)
        #expect(JSONValue.null["s"] == nil)
        // Members in another order, or text in another normalisation form, are another text.
        #expect(JSONValue.object([("a", .null), ("b", .null)]) != .object([("b", .null), ("a", .null)]))
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    }

    @Test func aStreamOfValuesHasALineEach() {
        var writer = JSONWriter()
        for index in 1...3 {
            writer.beginObject()
            writer.key("n")
            writer.value(index)
            writer.key("x")
            writer.value(Double.infinity)
            writer.endObject()
            writer.endLine()
        }
        writer.value(UInt64.max)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == """
                {"n":1,"x":null}
                {"n":2,"x":null}
                {"n":3,"x":null}
                18446744073709551615
                """)
        writer.removeAll()
        writer.value(true)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "true")
    }
}
