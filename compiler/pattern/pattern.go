// Package pattern turns the RE2 pattern of a string type into a deterministic
// automaton over code points. The automaton is what travels: the reference
// evaluator has the pattern's source, the generated Go has only the table, so a
// text is matched in one pass, without a stack and without a regular expression
// engine in a server.
//
// A pattern stands for the whole text. Anchors at its ends say nothing new and
// are taken away; every other assertion of a place (`\b`, `(?m)^`, an anchor in
// the middle) is refused, because a table over code points has no place for it.
//
// The result is a function of the source alone: classes and states are numbered
// by first appearance, so the same source gives the same table everywhere.
package pattern

import (
	"errors"
	"fmt"
	"regexp/syntax"

	"github.com/provlang/prov/compiler/ir"
)

// Limits of what Compile accepts. They bound the table that ends up in generated
// Go, and the work that a hostile source can cause.
const (
	MaxSource  = 1000 // bytes of the pattern's text
	MaxStates  = 2000 // of the minimal automaton
	MaxClasses = 255  // of code points that the pattern tells apart
	MaxRepeat  = 1000 // of a counted repetition, nested ones multiplied

	maxPositions = 20_000     // places in the written-out pattern
	maxSubsets   = 10_000     // states before they are minimised
	maxWork      = 30_000_000 // steps of the subset construction
	maxCodePoint = 0x10FFFF
	asciiCodes   = 128
	noState      = -1
)

// Fault is why a pattern was refused: a closed list.
type Fault uint8

const (
	Syntax         Fault = iota + 1 // not RE2
	TooLong                         // the text is over MaxSource bytes
	TooManyRepeats                  // a repetition is over MaxRepeat
	TooManyStates                   // the automaton is over MaxStates, or too costly to build
	TooManyClasses                  // more than MaxClasses classes of code points
	Assertion                       // asserts a place other than the two ends
	MatchesNothing                  // no text at all matches
)

var faultNames = [...]string{
	Syntax:         "syntax",
	TooLong:        "too_long",
	TooManyRepeats: "too_many_repeats",
	TooManyStates:  "too_many_states",
	TooManyClasses: "too_many_classes",
	Assertion:      "assertion",
	MatchesNothing: "matches_nothing",
}

func (f Fault) String() string {
	if f == 0 || int(f) >= len(faultNames) {
		return "invalid"
	}
	return faultNames[f]
}

// Error says why a pattern was refused, and which part of it where one part is
// at fault. Its text follows the wording of diagnostics: lower case, no full stop.
type Error struct {
	Fault Fault
	Part  string // a piece of the source, "" where the whole is meant
	text  string
}

func (e *Error) Error() string { return e.text }

func fail(fault Fault, part, format string, args ...any) *Error {
	return &Error{Fault: fault, Part: part, text: fmt.Sprintf(format, args...)}
}

// Compile builds the automaton of a pattern, anchored at both ends. Every error
// is an *Error.
func Compile(src string) (*ir.Pattern, error) {
	if len(src) > MaxSource {
		return nil, fail(TooLong, "", "the pattern has %d bytes, more than %d", len(src), MaxSource)
	}
	tree, err := syntax.Parse(src, syntax.Perl)
	if err != nil {
		return nil, syntaxError(err)
	}
	if tree, err = stripAnchors(tree, true, true); err != nil {
		return nil, err
	}
	if n := positions(tree); n > maxPositions {
		return nil, fail(TooManyStates, "", "the pattern, written out, has more than %d places", maxPositions)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, fail(Syntax, "", "%v", err)
	}
	table, err := determinise(prog)
	if err != nil {
		return nil, err
	}
	return table.minimise().pattern(src)
}

// Match says whether the whole of s matches, by walking the automaton. It is the
// slow, obvious reading of the table; a runtime has its own.
func Match(p *ir.Pattern, s string) bool {
	state := uint16(0)
	for _, r := range s {
		state = p.Next[int(state)*p.Classes+int(class(p, r))]
		if state == ir.Dead {
			return false
		}
	}
	return p.Accept[state]
}

// class of a code point.
func class(p *ir.Pattern, r rune) uint8 {
	if r < asciiCodes {
		return p.ASCII[r]
	}
	for _, g := range p.Ranges {
		if g.Lo <= r && r <= g.Hi {
			return g.Class
		}
	}
	return 0
}

func syntaxError(err error) *Error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return fail(Syntax, "", "%v", err)
	}
	switch e.Code {
	case syntax.ErrInvalidRepeatSize:
		return fail(TooManyRepeats, e.Expr, "the repetition `%s` is over %d", e.Expr, MaxRepeat)
	case syntax.ErrLarge:
		return fail(TooManyStates, "", "the pattern is too large")
	case syntax.ErrInvalidPerlOp:
		return fail(Syntax, e.Expr, "`%s` is not in RE2: it has no look-around and no back-references", e.Expr)
	}
	return fail(Syntax, e.Expr, "%s: `%s`", e.Code, e.Expr)
}

// stripAnchors removes the anchors that say what holds anyway. start and end say
// whether the node stands at that end of the text whatever else matches.
func stripAnchors(re *syntax.Regexp, start, end bool) (*syntax.Regexp, error) {
	empty := &syntax.Regexp{Op: syntax.OpEmptyMatch, Flags: re.Flags}
	switch re.Op {
	case syntax.OpBeginText:
		if !start {
			return nil, fail(Assertion, "^", "an anchor for the start of the text can only stand at the start of a pattern")
		}
		return empty, nil
	case syntax.OpEndText:
		if !end {
			return nil, fail(Assertion, "$", "an anchor for the end of the text can only stand at the end of a pattern")
		}
		return empty, nil
	case syntax.OpBeginLine, syntax.OpEndLine:
		return nil, fail(Assertion, "(?m)", "a pattern cannot assert the start or the end of a line")
	case syntax.OpWordBoundary:
		return nil, fail(Assertion, `\b`, "a pattern cannot assert a word boundary")
	case syntax.OpNoWordBoundary:
		return nil, fail(Assertion, `\B`, "a pattern cannot assert that there is no word boundary")

	case syntax.OpConcat:
		return stripConcat(re, start, end)
	case syntax.OpCapture, syntax.OpAlternate:
		return mapSubs(re, func(sub *syntax.Regexp) (*syntax.Regexp, error) {
			return stripAnchors(sub, start, end)
		})
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		// What is repeated stands at an end only the first or the last time.
		return mapSubs(re, func(sub *syntax.Regexp) (*syntax.Regexp, error) {
			return stripAnchors(sub, false, false)
		})
	}
	return re, nil
}

// stripConcat: only anchors may stand between an end of the text and a part that
// is still at that end.
func stripConcat(re *syntax.Regexp, start, end bool) (*syntax.Regexp, error) {
	first, last := 0, len(re.Sub)-1
	for first < len(re.Sub) && re.Sub[first].Op == syntax.OpBeginText {
		first++
	}
	for last >= 0 && re.Sub[last].Op == syntax.OpEndText {
		last--
	}
	i := -1
	return mapSubs(re, func(sub *syntax.Regexp) (*syntax.Regexp, error) {
		i++
		return stripAnchors(sub, start && i <= first, end && i >= last)
	})
}

// mapSubs copies a node with its children replaced; the parser's nodes may be shared.
func mapSubs(re *syntax.Regexp, f func(*syntax.Regexp) (*syntax.Regexp, error)) (*syntax.Regexp, error) {
	out := *re
	out.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		mapped, err := f(sub)
		if err != nil {
			return nil, err
		}
		out.Sub[i] = mapped
	}
	return &out, nil
}

// positions is the number of places at which a code point can be read once every
// counted repetition is written out; it saturates above maxPositions.
func positions(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = 1
	}
	for _, sub := range re.Sub {
		n += positions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, maxPositions+1)
}
