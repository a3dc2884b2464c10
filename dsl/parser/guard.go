package parser

import (
	"strings"
	"unicode/utf8"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
	"github.com/provlang/prov/dsl/source"
)

// guard looks at the text as bytes, before anything is made of it. Each fault
// here is one diagnostic and ends the file: what follows would be noise.
func guard(f *source.File, r *diag.Report) bool {
	text := f.Text()
	if len(text) > MaxBytes {
		r.At(f.Span(0, 0), diag.FileTooLarge, "the file is larger than %d bytes", MaxBytes).
			Note("it has %d bytes", len(text)).
			Help("split it: several files make a package")
		return false
	}
	if strings.HasPrefix(text, "\ufeff") {
		r.At(f.Span(0, 3), diag.ByteOrderMark, "the file begins with a byte-order mark").
			Note("a .prov file is UTF-8 and needs no mark; two files that look the same are then the same").
			Help("save it as \"UTF-8\" rather than \"UTF-8 with BOM\"")
		return false
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		d := r.At(f.Span(i, i+1), diag.NulByte, "the file contains a NUL byte")
		if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			d.Note("it looks like UTF-16").Help("save it as UTF-8")
		} else {
			d.Note("it is probably no text file").Help("remove it; in a string nothing can stand for it")
		}
		return false
	}
	for i := 0; i < len(text); {
		// Almost everything is ASCII, and almost all of that is visible.
		if c := text[i]; c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		if text[i] == '\r' {
			if i+1 < len(text) && text[i+1] == '\n' {
				i += 2
				continue
			}
			r.At(f.Span(i, i+1), diag.LoneReturn, "a carriage return stands here without a line feed").
				Note("some programs end the line here and others do not, so what looks like the rest of a comment might be policy").
				Help("end lines with LF or CRLF; in a string it is written `\\r`")
			return false
		}
		c, n := utf8.DecodeRuneInString(text[i:])
		if c == utf8.RuneError && n == 1 {
			r.At(f.Span(i, i+1), diag.InvalidUTF8, "the byte 0x%02x is not valid UTF-8", text[i]).
				Help("save the file as UTF-8")
			return false
		}
		if grammar.Hidden(c) && c != '\u2028' && c != '\u2029' && c != '\u0085' && c != '\v' && c != '\f' {
			r.At(f.Span(i, i+n), diag.HiddenCharacter, "a character that cannot be seen stands here (U+%04X)", c).
				Note("a reader of the policy would see something else than what is compiled").
				Help("remove it; in a string it is written `\\u{%X}`", c)
			return false
		}
		i += n
	}
	return true
}
