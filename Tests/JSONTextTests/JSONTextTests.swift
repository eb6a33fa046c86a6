import JSONText
import Testing

@Suite struct JSONTextTests {
    /// What is read, and how it is written again.
    static let texts: [(text: String, again: String)] = [
        ("null", "null"), ("true", "true"), (" false ", "false"), ("0", "0"), ("-0", "0"), ("-12", "-12"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("1.5", "1.5"), ("2.0", "2"), ("-2.0", "-2"), ("0.0", "0"), ("-0.0", "-0.0"),
        ("1e3", "1000"), ("1e300", "1e+300"), ("5e-324", "5e-324"), ("0.1", "0.1"),
        ("9007199254740992.0", "9007199254740992"), ("1e16", "1e+16"),
        (#""""#, #""""#), (#""é\u00e9\n\t\"\\\/\u0001\ud83d\ude00""#, #""éé\n\t\"\\/\u0001😀""#), (#""a\u0000b""#, #""a\u0000b""#),
        (#""\b\f\r\u001f !~\u007f""#, #""\b\f\r\u001f !~\u007f""#),
        ("[]", "[]"), ("{}", "{}"), ("[1,[2,[]],{}]", "[1,[2,[]],{}]"),
        ("[1.5,2.5,null,null,true,false,\"\",\"\",3,4]", "[1.5,2.5,null,null,true,false,\"\",\"\",3,4]"),
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
            let isNamed = [0x2028, 0x2029, 0xFFF9, 0xFFFA, 0xFFFB].contains(value)
            let isHidden = isNamed || properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
            guard isHidden || [0xA0, 0xA9, 0xE9, 0x3042, 0xFFFC, 0x1F600].contains(value) else { continue }
            let text = "é日" + String(scalar) + "b"
            let written = JSONValue.string(text).text()
            #expect(written.unicodeScalars.dropFirst(3).contains(scalar) != isHidden, "U+\(String(value, radix: 16))")
            let read = try JSONValue(parsing: Array(written.utf8))
            #expect(read == .string(text))
        }
        #expect(JSONValue.string("\u{9B}\u{202E}\u{2028}\u{E0041}\u{7F}é").text() == #""\u009b\u202e\u2028\udb40\udc41\u007fé""#)
    }

    /// Before each value but the first stands one of these; nothing else counts.
    @Test(arguments: [",", "[", ":"]) func aTextOfValuesWithoutNumberIsRefused(separator: Character) throws {
        let tooMany = JSONError(code: .tooMany, line: 1, column: 1, offset: 0, message: "more than 4000000 values")
        for (count, isTooMany) in [(3_999_999, false), (4_000_000, true)] {
            let bytes = Array((" " + String(repeating: separator, count: count)).utf8)
            let error = #expect(throws: JSONError.self) { _ = try JSONValue(parsing: bytes) }
            #expect((error == tooMany) == isTooMany, "\(count)")
        }
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

    /// What is refused, and where: line, column, bytes before it.
    static let faults: [(text: String, place: [Int], what: String)] = [
        ("", [1, 1, 0], "end of file"), ("{", [1, 1, 1], "string or '}'"), ("[1,]", [1, 4, 4], "unexpected"),
        ("[1]\n]", [2, 1, 5], "end of file"), (#"{"a":1,"a":2}"#, [1, 10, 10], "duplicate"),
        ("9223372036854775808", [1, 19, 19], "too big"),
        ("1e999", [1, 5, 5], "overflow"), ("\"\u{1}\"", [1, 1, 1], "control"), ("nul", [1, 3, 3], "invalid token"),
        ("[1\n,\n01]", [3, 1, 6], ""), (#""\ud800""#, [1, 8, 8], "Unicode"), ("'a'", [1, 1, 1], ""), ("NaN", [1, 3, 3], ""),
    ]

    @Test(arguments: faults) func whatIsWrongIsPlaced(text: String, place: [Int], what: String) throws {
        let fault = try #require(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect([fault.line, fault.column, fault.offset] == place)
        #expect(fault.message.contains(what) && !fault.message.contains("\0"), "\(fault)")
    }

    @Test func badBytesAndDeepNestingAreFaults() throws {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0xEF, 0xBB, 0xBF, 0x31], [0]] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: RawSpan()) }
        for (open, close, inner) in [("[", "]", "[]"), (#"{"a":"#, "}", "{}")] {
            let allowed = String(repeating: open, count: 255) + inner + String(repeating: close, count: 255)
            _ = try JSONValue(parsing: Array(allowed.utf8))
            let fault = #expect(throws: JSONError.self) { try JSONValue(parsing: Array((open + allowed + close).utf8)) }
            #expect(fault == JSONError(code: .tooDeep, line: 1, column: 1, offset: 0, message: "nested deeper than 256 levels"))
        }
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
        #expect(JSONValue.null["s"] == nil && value["s"]?.isNull == false)
        #expect(JSONValue.array([.null]).bytes() == Array("[null]".utf8))
        #expect(JSONValue.object([("a", .null)]) != .object([("a", .null), ("b", .null)]))
        #expect(JSONValue.object([("a", .null)]) != .object([("a", .bool(true))]) && JSONValue.null != .bool(false))
        #expect(JSONValue.null == .null && JSONValue.number(1.5) == .number(1.5) && JSONValue.number(1.5) != .number(2.5))
        #expect(JSONValue.bool(true) != .bool(false) && JSONValue.integer(1) != .integer(2) && JSONValue.integer(1) == .integer(1))
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
    }

    @Test func aForgetfulWriterBeginsAnew() {
        var writer = JSONWriter(pretty: true)
        for _ in 1...2 {
            writer.removeAll()
            writer.beginObject()
            writer.key("a")
            writer.beginArray()
            writer.value(true)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\n  \"a\": [\n    true")
    }
}
