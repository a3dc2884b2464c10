package diag

import (
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/provlang/prov/dsl/source"
)

// Tool says in a SARIF log which program made it.
type Tool struct {
	Name    string
	Version string // "" where it is not known
}

// The part of SARIF 2.1.0 that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string       `json:"id"`
		Name          string       `json:"name"`
		Short         sarifText    `json:"shortDescription"`
		Full          *sarifText   `json:"fullDescription,omitempty"`
		DefaultConfig sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// WriteSARIF writes findings as a SARIF 2.1.0 log with one run, in the order
// given. File names become relative URIs; columns are code points, and the log
// says so. Rules are those of the findings, sorted by code.
func WriteSARIF(w io.Writer, list []*Diagnostic, tool Tool) error {
	var codes []Code
	for _, d := range list {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)

	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: tool.Name, Version: tool.Version, Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	for _, c := range codes {
		in := Lookup(c)
		rule := sarifRule{
			ID: c.String(), Name: in.Name, Short: sarifText{in.Title},
			DefaultConfig: sarifDefault{in.Severity.String()},
		}
		if in.Page != "" {
			rule.Full = &sarifText{in.Page}
		}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, d := range list {
		index, _ := slices.BinarySearch(codes, d.Code)
		run.Results = append(run.Results, sarifFinding(d, index))
	}
	return writeIndented(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func sarifFinding(d *Diagnostic, rule int) sarifResult {
	text := []string{d.Message}
	for _, n := range d.Notes {
		text = append(text, "note: "+n)
	}
	for _, h := range d.Helps {
		text = append(text, "help: "+h)
	}
	r := sarifResult{
		RuleID: d.Code.String(), RuleIndex: rule, Level: d.Severity().String(),
		Message: sarifText{strings.Join(text, "\n")}, Locations: []sarifLocation{},
	}
	if d.Span.Valid() {
		r.Locations = append(r.Locations, sarifLocation{Physical: sarifPlace(d.Span)})
	}
	for _, l := range d.Related {
		if l.Span.Valid() {
			r.Related = append(r.Related, sarifLocation{sarifPlace(l.Span), &sarifText{l.Text}})
		}
	}
	if d.Edit != nil && d.Edit.Span.Valid() {
		p := sarifPlace(d.Edit.Span)
		description := "remove it"
		if d.Edit.New != "" {
			description = "write `" + d.Edit.New + "`"
		}
		r.Fixes = []sarifFix{{
			Description: sarifText{description},
			Changes:     []sarifChange{{p.Artifact, []sarifReplacement{{p.Region, sarifText{d.Edit.New}}}}},
		}}
	}
	return r
}

func sarifPlace(s source.Span) sarifPhysical {
	start, end := s.Positions()
	return sarifPhysical{
		Artifact: sarifArtifact{relativeURI(s.File.Name())},
		Region:   sarifRegion{start.Line, start.Column, end.Line, end.Column},
	}
}

// relativeURI escapes a slash-separated path for use as a URI reference. A first
// segment with a colon would read as a scheme, so it is kept from being one.
func relativeURI(name string) string {
	return (&url.URL{Path: name}).String()
}
