// Package grammar is the vocabulary of .prov: the tokens, the scanner that makes
// them, and grammar.ebnf, the normative grammar over them. The parser stands in
// package parser; a test there holds it equal to the grammar's text.
package grammar

import _ "embed"

// Text is the normative grammar. docs/SPEC.md quotes it word for word.
//
//go:embed grammar.ebnf
var Text string

// Kind of a token.
type Kind uint8

const (
	EOF Kind = iota
	Newline
	Name
	String
	Pattern
	Number
	Duration
	Range
	Doc
	// Bad is a piece of text that is no token. It has been reported by the
	// scanner; whoever meets it stays silent.
	Bad

	LBrace
	RBrace
	LParen
	RParen
	Comma
	Dot
	Arrow
	Assign
	Eq
	Ne
	Lt
	Le
	Gt
	Ge

	And
	Or
	Not
	In
	Matches
	Else
	When
	True
	False

	kinds int = iota
)

// names of the kinds as the grammar writes them: a class in capitals, or the
// token itself.
var names = [kinds]string{
	EOF: "EOF", Newline: "NEWLINE", Name: "NAME", String: "STRING", Pattern: "PATTERN",
	Number: "NUMBER", Duration: "DURATION", Range: "RANGE", Doc: "DOC", Bad: "BAD",
	LBrace: "{", RBrace: "}", LParen: "(", RParen: ")", Comma: ",", Dot: ".", Arrow: "->", Assign: "=",
	Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
	And: "and", Or: "or", Not: "not", In: "in", Matches: "matches", Else: "else", When: "when",
	True: "true", False: "false",
}

func (k Kind) String() string {
	if int(k) < len(names) {
		return names[k]
	}
	return "invalid"
}

// Reserved returns the nine words that can never be a name. Every other word is
// a keyword only where its statement stands.
func Reserved() []string {
	var out []string
	for k := And; k <= False; k++ {
		out = append(out, names[k])
	}
	return out
}

// IsReserved says whether tokens of kind k are reserved words.
func (k Kind) IsReserved() bool { return k >= And && k <= False }

// IsCompare says whether k is one of == != < <= > >=.
func (k Kind) IsCompare() bool { return k >= Eq && k <= Ge }

// reserved looks a word up without hashing: the scanner asks it for each word.
func reserved(s string) Kind {
	switch s {
	case "and":
		return And
	case "or":
		return Or
	case "not":
		return Not
	case "in":
		return In
	case "matches":
		return Matches
	case "else":
		return Else
	case "when":
		return When
	case "true":
		return True
	case "false":
		return False
	}
	return Name
}

// goesOn says whether a line that ends in a token of kind k continues on the
// next. Many more tokens cannot end a statement, an operator for one; but a line
// that ends in one is a line that somebody forgot to finish, and taking the next
// one in would put the fault into the wrong place, or hide it.
func (k Kind) goesOn() bool {
	switch k {
	case LBrace, LParen, Comma, And, Or, Doc:
		return true
	}
	return false
}

// takesUp says whether a line that begins with a token of kind k continues the
// one before: no statement begins with such a token.
func (k Kind) takesUp() bool {
	switch k {
	case RBrace, RParen, And, Or, Else, EOF:
		return true
	}
	return false
}

// Token is bytes [Start, End) of a file. Sources are capped far below what an
// int32 holds.
type Token struct {
	Kind       Kind
	First      bool // first on its line
	Column1    bool // at the very beginning of its line
	Start, End int32
}
