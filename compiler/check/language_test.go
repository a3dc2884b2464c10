package check

import (
	"testing"

	"github.com/provlang/prov/compiler/pattern"
)

func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		pattern      string
		phrase, host bool
	}{
		// Vocabularies: texts that can be counted.
		{`start|stop|status`, false, false},
		{`(start|stop) (all|one)`, false, false},
		{`[A-Z]{3}`, false, false},
		// Single words without number.
		{`[a-z]+`, false, true},
		{`[a-z0-9_.-]+`, false, true},
		// Phrases.
		{`SELECT .*`, true, true},
		{`(kubectl|git) .*`, true, true},
		{`.*`, true, true},
		{`\pL+`, true, true},
		{`[a-z]+;?`, true, true},
		{`a("b")*`, true, true},
		// Hosts.
		{`https:\/\/api\.desk\.test\/.*`, true, false},
		{`https?:\/\/(a|b)\.test(\/[a-z]+)+`, true, false},
		{`https?:\/\/[a-z]+(\.[a-z]+)+\/.+\.json`, true, true},
		{`https:\/\/.*\.(org|io)\/.*`, true, true},
		{`https:\/\/api\.desk\.test.*`, true, true}, // .evil.test
		{`https:\/\/api\.desk\.test@?[a-z]*\/x`, true, true},
		{`ftp:.*`, true, true},
		{`(https:\/\/a\.test\/|x).*`, true, true},
		{`http.*`, true, true},
	} {
		p, err := pattern.Compile(c.pattern)
		if err != nil {
			t.Fatalf("%s: %v", c.pattern, err)
		}
		l := newLanguage(p)
		if got := l.openPhrase(); got != c.phrase {
			t.Errorf("%s: phrase %v, want %v", c.pattern, got, c.phrase)
		}
		if got := l.openHost(); got != c.host {
			t.Errorf("%s: host %v, want %v", c.pattern, got, c.host)
		}
	}
}
