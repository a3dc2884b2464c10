package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/model"
)

func TestScript(t *testing.T) {
	last := func(reason, outcome, verdict string) *model.Last {
		return &model.Last{Reason: reason, Outcome: outcome, Verdict: verdict}
	}
	s, err := model.ParseScript("s", []byte(strings.Join([]string{
		`{"step": 3, "say": "third"}`,
		`{"after": "REFUTED", "propose": {"tool": "b"}, "usage": {"tokens": 9, "cost_micros": 2}}`,
		``,
		`{"propose": {"tool":  "a"}, "note": "kept as it stands"}`,
		`{"after": "malformed", "done": true}`,
		`{"repeat": true, "usage": {"tokens": 1}}`,
	}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	type reply struct {
		Text  string
		Done  bool
		Usage model.Usage
	}
	var got []reply
	m := s.Model()
	for _, turn := range []*model.Turn{
		{Step: 1},
		{Step: 2, Last: last("allowed", "done", "REFUTED")},
		{Step: 3, Last: last("allowed", "done", "REFUTED")},
		{Step: 4, Last: last("allowed", "done", "REFUTED")},
		{Step: 5, Last: last("malformed", "", "")},
		{Step: 6},
	} {
		a, err := m.Ask(t.Context(), turn)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, reply{string(a.Reply), a.Done, a.Usage})
	}
	want := []reply{
		{Text: `{"tool":  "a"}`},
		{Text: `{"tool": "b"}`, Usage: model.Usage{Tokens: 9, CostMicros: 2}},
		{Text: `third`},
		{Text: `third`, Usage: model.Usage{Tokens: 1}},
		{Done: true},
		{Done: true, Usage: model.Usage{Tokens: 1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
	// A model is one run's: the next one begins at the beginning.
	if a, err := s.Model().Ask(t.Context(), &model.Turn{Step: 1}); err != nil || string(a.Reply) != `{"tool":  "a"}` {
		t.Errorf("a fresh model says %q, %v", a.Reply, err)
	}
}

func TestScriptRunsOut(t *testing.T) {
	s, err := model.ParseScript("s.jsonl", []byte(`{"done": true}`))
	if err != nil {
		t.Fatal(err)
	}
	m := s.Model()
	if _, err := m.Ask(t.Context(), &model.Turn{Step: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Ask(t.Context(), &model.Turn{Step: 2}); !errors.Is(err, model.ErrExhausted) || !strings.HasPrefix(err.Error(), "s.jsonl: step 2: ") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Model().Ask(ctx, &model.Turn{Step: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: got %v", err)
	}
}

func TestParseScriptRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "\n\n", "s: a script without a line"},
		{"not JSON", `{"done": true`, "s:1: column"},
		{"the second line", "{\"done\": true}\n\n{\"dne\": true}", "s:3: dne:"},
		{"no reply", `{"step": 1}`, "s:1: a line has exactly one of propose, say, done, repeat; this one has 0"},
		{"two replies", `{"done": true, "say": "x"}`, "this one has 2"},
		{"done that is false", `{"done": false}`, "done can only be true"},
		{"step 0", `{"step": 0, "done": true}`, "step counts from 1"},
		{"a step in words", `{"step": "one", "done": true}`, "s:1: step: a JSON string does not fit here"},
		{"something that cannot happen", `{"after": "refuted", "done": true}`, `after: "refuted" is not one of done, failed`},
		{"a meter that runs backwards", `{"done": true, "usage": {"tokens": -1}}`, "a meter does not run backwards"},
		{"a usage nobody knows", `{"done": true, "usage": {"confidence": 1}}`, "usage/confidence"},
		{"repeat before anything", `{"repeat": true}`, "repeat stands before"},
		{"a proposal with a member twice, which is what say is for", `{"propose": {"tool": "a", "tool": "b"}}`, "s:1: column"},
		{"two values", `{"done": true} {"done": true}`, "s:1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := model.ParseScript("s", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

func FuzzParseScript(f *testing.F) {
	f.Add([]byte(`{"step": 1, "propose": {"tool": "a"}}`))
	f.Add([]byte("{\"after\": \"REFUTED\", \"say\": \"x\"}\n{\"repeat\": true}"))
	f.Add([]byte(`{"done": true, "usage": {"tokens": 1, "cost_micros": 2}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := model.ParseScript("s", data)
		if err != nil {
			return
		}
		m := s.Model()
		for i := range 4 {
			if a, err := m.Ask(t.Context(), &model.Turn{Step: i + 1}); err == nil && a.Done && a.Reply != nil {
				t.Errorf("done, with the reply %q", a.Reply)
			}
		}
	})
}
