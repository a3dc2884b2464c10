package diag

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/provlang/prov/dsl/source"
)

// JSONSchema names the shape that WriteJSON writes. Members may be added under
// this name; nothing is renamed, removed or given another meaning.
const JSONSchema = "prov.diagnostics/1"

type (
	jsonReport struct {
		Schema      string           `json:"schema"`
		Errors      int              `json:"errors"`
		Warnings    int              `json:"warnings"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
	}
	jsonDiagnostic struct {
		Code     string      `json:"code"`     // "P123"
		Name     string      `json:"name"`     // "UnexpectedToken"
		Severity string      `json:"severity"` // "error" or "warning"
		Message  string      `json:"message"`
		Place    *jsonPlace  `json:"place"` // null where there is none
		Label    string      `json:"label,omitempty"`
		Related  []jsonLabel `json:"related"`
		Notes    []string    `json:"notes"`
		Helps    []string    `json:"helps"`
		Edit     *jsonEdit   `json:"edit"` // null where there is none
	}
	// jsonPlace is [start, end) of a file. The end is the position behind the
	// last character.
	jsonPlace struct {
		File  string       `json:"file"`
		Start jsonPosition `json:"start"`
		End   jsonPosition `json:"end"`
	}
	jsonPosition struct {
		Line   int `json:"line"`   // from 1
		Column int `json:"column"` // from 1, in code points
		Offset int `json:"offset"` // from 0, in bytes
	}
	jsonLabel struct {
		Place *jsonPlace `json:"place"`
		Text  string     `json:"text"`
	}
	jsonEdit struct {
		Place *jsonPlace `json:"place"`
		New   string     `json:"new"` // stands in the place afterwards
	}
)

// WriteJSON writes findings as one JSON object, in the order given. Lists are
// never null. The shape is documented at the types above and named by JSONSchema.
func WriteJSON(w io.Writer, list []*Diagnostic) error {
	out := jsonReport{Schema: JSONSchema, Diagnostics: make([]jsonDiagnostic, 0, len(list))}
	for _, d := range list {
		if d.Severity() == Warning {
			out.Warnings++
		} else {
			out.Errors++
		}
		j := jsonDiagnostic{
			Code: d.Code.String(), Name: Lookup(d.Code).Name, Severity: d.Severity().String(),
			Message: d.Message, Place: jsonSpan(d.Span), Label: d.Label,
			Related: []jsonLabel{}, Notes: append([]string{}, d.Notes...), Helps: append([]string{}, d.Helps...),
		}
		for _, l := range d.Related {
			j.Related = append(j.Related, jsonLabel{jsonSpan(l.Span), l.Text})
		}
		if d.Edit != nil {
			j.Edit = &jsonEdit{jsonSpan(d.Edit.Span), d.Edit.New}
		}
		out.Diagnostics = append(out.Diagnostics, j)
	}
	return writeIndented(w, out)
}

func jsonSpan(s source.Span) *jsonPlace {
	if !s.Valid() {
		return nil
	}
	start, end := s.Positions()
	return &jsonPlace{
		File:  s.File.Name(),
		Start: jsonPosition{start.Line, start.Column, s.Start},
		End:   jsonPosition{end.Line, end.Column, s.End},
	}
}

// writeIndented writes v as JSON that a person can read too. Nothing is
// escaped for the sake of HTML.
func writeIndented(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
