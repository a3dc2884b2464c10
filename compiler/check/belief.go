package check

import (
	"math/big"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// one is a weight or a threshold of 1, in millionths.
const one = 1_000_000

// maxClasses bounds a table of evidence.
const maxClasses = 64

// Belief is a belief's settings, each at most once.
type Belief struct {
	Symbol   *resolve.Symbol
	Decl     *ast.Belief
	States   *resolve.Symbol
	Evidence *resolve.Symbol
	Levels   map[string]int64 // commit, flip, retract, in millionths
	Learn    *ast.LearnStmt
	Expires  *ast.ExpiresStmt
	Lessons  map[*ast.Lesson]int // -> state
}

func (c *checker) evidence(d *ast.Evidence) {
	if len(d.Weights) == 0 {
		c.at(d.Name.Span(), diag.MissingPart, "evidence `%s` has no classes", d.Name.Name).
			Help("write a class and its weight, such as `contractual_record 0.50`")
	}
	if len(d.Weights) > maxClasses {
		c.at(d.Weights[maxClasses].Class.Span(), diag.TooMany, "a table of evidence has at most %d classes", maxClasses)
	}
	for _, w := range d.Weights {
		c.Weight(w)
	}
	switch {
	case len(d.HalfLife) == 0:
		c.at(d.Name.Span(), diag.MissingHalfLife, "evidence `%s` has no `half_life`", d.Name.Name).
			Note("evidence that never ages is believed for ever").
			Help("write `half_life 30d`: after that time a piece of evidence weighs half")
	default:
		c.duration(d.HalfLife[0].D, "a half-life")
		for _, h := range d.HalfLife[1:] {
			c.repeated(h, "half_life", d.HalfLife[0])
		}
	}
}

// Weight reads a weight, in millionths, and reports one out of range.
func (c *checker) Weight(w *ast.Weight) (int64, bool) {
	if w.Value == nil {
		return 0, false
	}
	n, ok := Micros(w.Value)
	if !ok || n < 0 || n > one {
		c.at(w.Value.Span(), diag.WeightRange, "the weight of `%s` is not within 0..1: %s", w.Class.Name, w.Value.Text).
			Note("a weight has at most 6 digits after the point; 0 counts for nothing, 1 settles a question alone").
			Help("write a number such as 0.60")
		return 0, false
	}
	return n, true
}

// Micros reads a number in millionths, and whether it has no more digits.
func Micros(n *ast.Number) (int64, bool) {
	v, _, ok := Scaled(n.Text, 6)
	return v, ok
}

func (c *checker) belief(s *resolve.Symbol, d *ast.Belief) {
	b := &Belief{Symbol: s, Decl: d, Levels: make(map[string]int64), Lessons: make(map[*ast.Lesson]int)}
	c.Beliefs[s] = b
	seen := make(map[string]ast.Node)
	level := make(map[string]*ast.ThresholdStmt)
	once := func(key string, n ast.Node) bool {
		if old := seen[key]; old != nil {
			c.repeated(n, key, old)
			return false
		}
		seen[key] = n
		return true
	}
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.NamesStmt:
			known(st.Key, beliefWords)
			if !once(st.Key.Name, st.Key) || len(st.Names) == 0 {
				continue
			}
			if len(st.Names) > 1 {
				c.at(st.Names[1].Span(), diag.RepeatedSetting, "a belief has one `%s`", st.Key.Name).Help("name one")
			}
			if st.Key.Name == "states" {
				b.States = c.pkg.Use(st.Names[0])
			} else {
				b.Evidence = c.pkg.Use(st.Names[0])
			}
		case *ast.ThresholdStmt:
			known(st.Key, beliefWords)
			if once(st.Key.Name, st.Key) {
				if n, ok := c.threshold(st); ok {
					b.Levels[st.Key.Name] = n
					level[st.Key.Name] = st
				}
			}
		case *ast.LearnStmt:
			if once("learn", st) {
				b.Learn = st
			}
		case *ast.ExpiresStmt:
			if once("expires", st) {
				b.Expires = st
			}
		}
	}
	var missing []string
	for _, w := range []string{"states", "evidence", "commit", "flip", "retract"} {
		if seen[w] == nil {
			missing = append(missing, w)
		}
	}
	if len(missing) > 0 {
		c.at(d.Name.Span(), diag.BeliefIncomplete, "belief `%s` has no %s", s.Name, quoteList(missing, "and no")).
			Note("states says what may be believed, evidence what counts for it; commit, flip and retract say how sure is sure enough").
			Help("write `%s ...`", missing[0])
	}
	commit, ok1 := b.Levels["commit"]
	flip, ok2 := b.Levels["flip"]
	if ok1 && ok2 && flip < commit {
		c.at(level["flip"].Value.Span(), diag.FlipBelowCommit, "`flip` is %s, below `commit` with %s", level["flip"].Value.Text, level["commit"].Value.Text).
			See(level["commit"].Value.Span(), "the commit threshold").
			Note("it must not be easier to change a belief than to form one").
			Help("write `flip %s` or more", level["commit"].Value.Text)
	}
	c.reachable(b, level)
	c.learn(b)
	c.expires(b)
}

var beliefWords = []string{"states", "evidence", "commit", "flip", "retract", "learn", "expires"}

func (c *checker) threshold(st *ast.ThresholdStmt) (int64, bool) {
	if st.Value == nil {
		return 0, false
	}
	n, ok := Micros(st.Value)
	if !ok || n <= 0 || n > one {
		c.at(st.Value.Span(), diag.ThresholdRange, "`%s` is above 0 and at most 1, not %s", st.Key.Name, st.Value.Text).
			Note("it is compared with a confidence after rounding to 6 digits")
		return 0, false
	}
	return n, true
}

// reachable finds thresholds that all classes of evidence together, fresh, do
// not reach: 1 - Π(1 - w), in exact arithmetic.
func (c *checker) reachable(b *Belief, level map[string]*ast.ThresholdStmt) {
	if b.Evidence == nil {
		return
	}
	d := b.Evidence.Decl.(*ast.Evidence)
	doubt, full := big.NewInt(1), big.NewInt(1)
	for _, w := range d.Weights {
		if w.Value == nil || len(d.Weights) > maxClasses {
			return
		}
		n, ok := Micros(w.Value)
		if !ok || n < 0 || n > one {
			return
		}
		doubt.Mul(doubt, big.NewInt(one-n))
		full.Mul(full, big.NewInt(one))
	}
	for _, key := range []string{"commit", "flip", "retract"} {
		st := level[key]
		if st == nil {
			continue
		}
		// Unreachable where doubt/full > 1 - level, with half a millionth for rounding.
		left := new(big.Int).Mul(doubt, big.NewInt(2*one))
		right := new(big.Int).Mul(full, big.NewInt(2*(one-b.Levels[key])+1))
		if left.Cmp(right) > 0 {
			c.at(st.Value.Span(), diag.ThresholdUnreachable, "no evidence reaches `%s %s`", key, st.Value.Text).
				See(b.Evidence.Ident.Span(), "all classes of this table together stay below it").
				Note("confidence is 1 - Π(1 - weight) over the classes that are present").
				Help("lower the threshold, or give the evidence more weight")
		}
	}
}

func (c *checker) learn(b *Belief) {
	if b.Learn == nil {
		return
	}
	if len(b.Learn.Lessons) == 0 {
		c.at(b.Learn.Span(), diag.UnknownLesson, "`learn` says nothing").Help("write `confirmed STATE` or `refuted not STATE`")
	}
	seen := make(map[string]*ast.Lesson)
	for _, l := range b.Learn.Lessons {
		switch name := l.Verdict.Name; name {
		case "confirmed", "refuted":
			if old := seen[name]; old != nil {
				c.repeated(l.Verdict, name, old.Verdict)
				continue
			}
			seen[name] = l
		case "inconclusive":
			c.at(l.Verdict.Span(), diag.InconclusiveLearns, "nothing is learned from an `inconclusive` verification").
				Note("it means that nobody knows what happened; a memory that learned from it would be wrong for good").
				Help("remove the entry")
			continue
		default:
			d := c.at(l.Verdict.Span(), diag.UnknownLesson, "`learn` has no entry `%s`", name)
			c.pkg.Suggest(d, name, resolve.Among("confirmed", "refuted"))
			continue
		}
		if b.States == nil || l.State == nil {
			continue
		}
		if v, ok := c.member(l.State, c.Enums[b.States]); ok {
			b.Lessons[l] = int(v.N)
		}
	}
	x, y := seen["confirmed"], seen["refuted"]
	if x != nil && y != nil && x.State != nil && y.State != nil && x.State.Name == y.State.Name && x.Not == y.Not {
		c.at(y.State.Span(), diag.UnknownLesson, "`confirmed` and `refuted` teach the same").
			See(x.State.Span(), "the other entry").
			Help("write `refuted not %s`", x.State.Name)
	}
}

func (c *checker) expires(b *Belief) {
	if b.Expires == nil {
		return
	}
	c.duration(b.Expires.After, "the life of a belief")
	if b.Expires.By == nil {
		return
	}
	var on *ir.Entity
	if e := c.pkg.Use(b.Decl.On); e != nil {
		on = c.Entities[e]
	}
	c.reader(b.Expires.By, on, false, "a belief", diag.ReverifyTool, diag.ReverifyTool)
}

func (c *checker) standing(d *ast.Standing) {
	if d.Count == nil || d.In == nil {
		c.at(d.Span(), diag.MissingPart, "`standing` does not say when it degrades").
			Help("write `degrade after 3 rejections in 24h`")
		return
	}
	c.count(d.Count, "the number of rejections", 1, maxSteps)
	c.duration(d.In, "the time of a standing")
}
