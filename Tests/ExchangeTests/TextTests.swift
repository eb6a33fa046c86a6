import Testing

@testable import Exchange

private func plain(_ html: String) -> String { HTMLText(Array(html.utf8).span).text }

struct TextTests {
    static let html: [(String, String)] = [
        ("", ""), ("a", "a"), (" a \n b\t", "a b"), ("a&nbsp;&nbsp;b \u{A0}", "a b"), ("a<br>b", "a\nb"), ("a<br/><br />b", "a\n\nb"),
        ("a<br><br><br><br>b", "a\n\nb"), ("<div>a</div><div>b</div>", "a\nb"), ("<div>a<br></div><div>b</div>", "a\nb"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"), ("<p>a</p>\n<p>b</p>", "a\nb"), ("<ul><li>a</li> <li>b</li></ul>", "a\nb"),
        ("x<ul><LI>a<li>b</ul>y", "x\na\nb\ny"), ("<b>bo</b>ld <i> x</i>", "bold x"), ("a<!-- <b>x --> b", "a b"), ("a<!-- open", "a"),
        ("a<script>if (1 < 2) {}</script>b<STYLE>p > q {}</style>c", "abc"), ("a<script>never ends <b>x</b>", "a"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>", "a b\nc"), ("a<hr>b", "a\nb"),
        ("<pre>a\n b</pre>c\nd", "a\nb\nc d"),
        ("&lt;b&gt; &amp;&quot;&apos;&eacute;&Eacute;&alpha;&rarr;&hellip;", "<b> &\"'éÉα→…"), ("&#65;&#x42;&#X43;&#x1F600;", "ABC😀"),
        ("&#0;&#xD800;&#x110000;&#150;&#128;", "\u{FFFD}\u{FFFD}\u{FFFD}–€"),
        ("&unknown; & &; &amp &#; &#x;", "&unknown; & &; &amp &#; &#x;"),
        ("1 < 2 > 1 <3", "1 < 2 > 1 <3"), ("a<b", "a<b"), ("a</", "a</"), ("<", "<"), ("a<!b", "a<!b"), ("<!DOCTYPE html>a<?x y?>b", "ab"),
        ("<img src=\"x y.jpg\">", "[image: x y.jpg]"), ("<img alt='>' src='a&amp;b.png'/>", "[image: a&b.png]"),
        ("a <IMG SRC=x.jpg> b", "a [image: x.jpg] b"),
        ("<img src=\"data:image/png;base64,AAAA\">", "[image]"), ("<img>", "[image]"), ("[sound:a b.mp3]x", "[sound: a b.mp3]x"),
        ("<audio src=a.mp3></audio><video controls src='b.mp4'></video>", "[sound: a.mp3][video: b.mp4]"), ("[sounds]", "[sounds]"),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢[かん]字"), ("<ruby>漢<rt>かん</ruby>", "漢[かん]"),
        ("a<div style=\"color:red; Display: none\">b<div>c</div>d</div>e", "ae"), ("a<span hidden>b</span>c", "ac"),
        ("<p style='x'>a</p>", "a"),
        ("<img hidden src=x.jpg>a", "a"), ("<div style=display:none>a", ""), ("a\u{0}\u{7}b\u{7F}", "ab"), ("<a href=\"x>y\">l</a>", "l"),
        ("a</p>b</x>", "a\nb"),
    ]

    @Test func htmlBecomesPlainText() {
        for (html, text) in Self.html { #expect(plain(html) == text, "\(html)") }
    }

    @Test func hostileHTMLTakesLinearTime() {
        // Each of these is quadratic for a reader that looks for an end again and again: minutes instead of milliseconds.
        for unit in ["<a b=\"", "<!", "<!--", "<script>", "&", "<a ", "[sound:", "<div hidden>", "</", "<ruby><rt>", "<img src='"] {
            let html = String(repeating: unit, count: 30_000)
            #expect(plain(html).utf8.count <= 9 * html.utf8.count)
        }
    }

    @Test func clozesHideAndShow() {
        let text = "{{c1::Столица {{c2::России}}}} — {{c3::Москва::город}} {{c1::да}}"
        let cases: [(String, Int, String, String, String)] = [
            (text, 1, "[...] — Москва [...]", "Столица России — Москва да", "Столица России, да"),
            (text, 2, "Столица [...] — Москва да", "Столица России — Москва да", "России"),
            (text, 3, "Столица России — [город] да", "Столица России — Москва да", "Москва"), (text, 4, "", "", ""),
            ("no cloze", 1, "", "", ""), ("{{c1,2::a}} {{c2::b}}", 1, "[...] b", "a b", "a"),
            ("{{c1,2::a}} {{c2::b}}", 2, "[...] [...]", "a b", "a, b"),
            ("{{c1::a::h::i}}", 1, "[h::i]", "a", "a"), ("{{c1::a}} {{c2::b", 1, "[...] {{c2::b", "a {{c2::b", "a"),
            ("{{c1::a}} {{c2::x::b {{c3::", 1, "[...] {{c2::x::b {{c3::", "a {{c2::x::b {{c3::", "a"), ("{{c1::}}b", 1, "[...]b", "b", ""),
            ("{{C1::a}}{{c::b}}{{c1:c}}{{cx::d}} }}", 1, "", "", ""), ("{{c10::a}}", 1, "", "", ""),
            ("{{c99999999999999999999::a}}", 1, "", "", ""),
        ]
        for (text, number, front, back, answers) in cases {
            let units = Array(text.utf8)
            #expect(String(decoding: ClozeText.render(units, number: number, isRevealed: false), as: UTF8.self) == front, "\(text)")
            #expect(String(decoding: ClozeText.render(units, number: number, isRevealed: true), as: UTF8.self) == back, "\(text)")
            #expect(String(decoding: ClozeText.answers(units, number: number), as: UTF8.self) == answers, "\(text)")
        }
    }

    static let templates: [(front: String, back: String, frontText: String, backText: String)] = [
        ("{{Front}}", "{{FrontSide}}\n\n<hr id=answer>\n\n{{Back}}", "F & f", "B"),
        ("{{Front}}", "{{Front}}<hr id=\"answer\">{{Back}}", "F & f", "B"),
        ("{{Front}}", "{{Back}}<hr id=answer>{{Front}}", "F & f", "B\nF & f"), ("{{Front}}", "{{FrontSide}}<br>{{Back}}", "F & f", "B"),
        ("{{Front}}", "<p>{{FrontSide}}</p>{{Back}}", "F & f", "B"), ("{{ Front }}:{{{Back}}}", "{{FrontSide}}", "F & f:B", ""),
        ("{{#Back}}yes{{/Back}}{{^Back}}no{{/Back}}", "x", "yes", "x"), ("{{#Empty}}yes{{/Empty}}{{^Empty}}no{{/Empty}}", "x", "no", "x"),
        ("a{{#Back}}b{{#Front}}c{{^Empty}}d{{/Empty}}{{/Front}}{{/Back}}e", "x", "abcde", "x"),
        ("{{#Back}}a{{#Front}}b{{/Back}}c", "x", "abc", "x"),
        ("a{{/Back}}b{{#Back}}c", "x", "abc", "x"), ("a{{Unknown}}b{{#Unknown}}c{{/Unknown}}", "x", "ab", "x"), ("a{{b", "x", "a{{b", "x"),
        ("{{}}a{{#}}b{{:}}", "x", "a", "x"), ("a<!-- {{#Empty}} -->b", "x", "ab", "x"), ("{{type:Back}}q", "{{type:Back}}", "q", "B"),
        ("{{hint:Back}}{{hint:Empty}}", "{{hint:Back}}", "[Back]", "B"), ("{{text:Markup}}", "{{Markup}}", "a < b\nc", "a < b\nc"),
        ("{{furigana:Kana}}", "{{kana:Kana}} {{kanji:Kana}}", "日本[にほん]の語[ご] [sound: x.mp3]", "にほんのご [sound: x.mp3] 日本の語 [sound: x.mp3]"),
        ("{{tts en_US voices=x:Front}}{{myfilter:Back}}", "x", "B", "x"),
        ("{{Tags}}|{{Deck}}|{{Subdeck}}|{{Type}}|{{Card}}", "x", "t u|A::B <c>|B <c>|T|K", "x"),
        ("{{#Tags}}t{{/Tags}}{{#c1}}1{{/c1}}{{#c2}}2{{/c2}}", "x", "t2", "x"),
        ("{{cloze:Gap}}", "{{cloze:Gap}}<br>{{Back}}", "a [...]", "a b\nB"),
        ("{{type:cloze:Gap}}q", "{{type:cloze:Gap}}|{{cloze-only:Gap}}", "q", "b|b"), ("{{#Blank}}x{{/Blank}}y", "x", "y", "x"),
    ]

    @Test func templatesRender() {
        let fields = ["Front", "Back", "Empty", "Markup", "Kana", "Gap", "Blank"]
        var content = CardContent()
        let values = [
            "F &amp; f", "B", "", "a &lt; b<br><b>c</b>", "日本[にほん]の 語[ご] [sound:x.mp3]", "{{c1::a}} {{c2::b}}", " <div><br /></div>&nbsp;",
        ]
        unsafe content.setFields(Array(values.joined(separator: "\u{1F}").utf8).span.bytes)
        content.tags = "t u"
        content.deck = "A::B <c>"
        content.noteType = "T"
        content.card = "K"
        content.ordinal = 1
        content.isCloze = true
        for (front, back, frontText, backText) in Self.templates {
            let backTemplate = CardTemplate(back, fields: fields)
            var frontSide = SideRenderer()
            frontSide.render(CardTemplate(front, fields: fields), content, front: nil)
            var backSide = SideRenderer()
            backSide.render(backTemplate, content, front: frontSide.html)
            let frontPlain = HTMLText(frontSide.html.span)
            #expect(frontPlain.text == frontText, "\(front)")
            #expect(
                HTMLText(backSide.html.span).withoutFront(frontPlain, isFrontFirst: backTemplate.beginsWithFrontSide) == backText,
                "\(front) / \(back)")
        }
        #expect(content.field(7).isEmpty && content.field(-1).isEmpty)
    }

    @Test func hostileTemplatesEnd() {
        var content = CardContent()
        unsafe content.setFields([UInt8](repeating: 65, count: 100_000).span.bytes)
        for (unit, count, length) in [
            ("{{#F}}", 50_000, 1), ("{{F}}", 50_000, 31 << 20), ("{{cloze:F}}", 50_000, 1), ("<!--", 50_000, 200_001),
            ("{{/F}}", 50_000, 1),
        ] {
            var side = SideRenderer()
            side.render(CardTemplate(String(repeating: unit, count: count) + "x", fields: ["F"]), content, front: nil)
            #expect(side.html.count >= length || side.isCut, "\(unit)")
            #expect(side.html.count <= SideRenderer.maximumWork, "\(unit)")
        }
    }
}
