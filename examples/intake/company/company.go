// Package company is a simulated company for the intake example: documents that
// really move from state to state. Their texts are files in data/, written by
// whoever sent them, and are read for what they say and never for what they want.
package company

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"sync"

	"github.com/provlang/prov/examples/intake"
	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Company keeps the documents. It is safe for use by several runs at once.
type Company struct {
	folder   fs.FS
	registry *registry.Registry

	mu       sync.Mutex
	done     map[string]bool                         // by idempotency key
	proposed map[string]intake.ProposeExtractionArgs // what a person will be shown, by document
	approved []string
}

// Deployment is the example as a program links it.
func Deployment() host.Deployment {
	return host.Deployment{
		Policies: []func() (*policy.Policy, error){intake.OpenAcme, intake.OpenTriage},
		Company: func(folder fs.FS, r *registry.Registry) (host.Company, error) {
			c := New(folder, r)
			return host.Company{Tools: c.Tools(), Extract: c.Extract}, nil
		},
	}
}

// New is a company whose documents lie in the example's folder.
func New(folder fs.FS, r *registry.Registry) *Company {
	return &Company{folder: folder, registry: r, done: map[string]bool{}, proposed: map[string]intake.ProposeExtractionArgs{}}
}

// Tools of the company, by the names of their contracts.
func (c *Company) Tools() map[string]loop.Tool {
	return map[string]loop.Tool{
		"classify_document":  c.classify,
		"propose_extraction": c.propose,
		"approve_document":   c.approve,
	}
}

// Approved lists the documents that were approved: none, as long as only agents
// are at work.
func (c *Company) Approved() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.approved...)
}

// Proposed is the extraction that waits for a person, of one document.
func (c *Company) Proposed(document string) (intake.ProposeExtractionArgs, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	args, ok := c.proposed[document]
	return args, ok
}

var isInvoice = regexp.MustCompile(`(?im)^invoice id:`)

// classify looks for the one mark of an invoice.
func (c *Company) classify(_ context.Context, call *loop.Call) ([]byte, error) {
	text, err := c.read(call.Target)
	if err != nil {
		return nil, err
	}
	if !isInvoice.Match(text) {
		return nil, errors.New("not an invoice")
	}
	return nil, c.move(call, "extracted")
}

// propose puts an extraction before a person.
func (c *Company) propose(_ context.Context, call *loop.Call) ([]byte, error) {
	if err := c.move(call, "needs_review"); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.proposed[call.Target] = intake.ReadProposeExtractionArgs(&call.Args)
	return nil, nil
}

// approve is what only a person may have done.
func (c *Company) approve(_ context.Context, call *loop.Call) ([]byte, error) {
	if err := c.move(call, "approved"); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.approved = append(c.approved, call.Target)
	return nil, nil
}

// move takes the document as it was decided on to another state, once for each
// key.
func (c *Company) move(call *loop.Call, state string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done[call.Key] {
		return nil
	}
	change, err := json.Marshal(map[string]string{"state": state})
	if err != nil {
		return err
	}
	if _, err := c.registry.Update(call.Tenant, "document", call.Target, call.Version, change); err != nil {
		return err
	}
	c.done[call.Key] = true
	return nil
}

// read a document's text. An id is not a path: it names a file of this folder or
// nothing.
func (c *Company) read(id string) ([]byte, error) {
	name := "data/" + id + ".txt"
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("no document %q", id)
	}
	return fs.ReadFile(c.folder, name)
}

var (
	invoiceID = regexp.MustCompile(`(?im)^invoice id:\s*(INV-[0-9]{4,12})\s*$`)
	amount    = regexp.MustCompile(`(?im)^amount:\s*([0-9]{1,12}\.[0-9]{2})\s*$`)
	currency  = regexp.MustCompile(`(?im)^currency:\s*([A-Z]{3})\s*$`)
)

// Extract is the way without a model: what the patterns find, and nothing where
// they find nothing.
func (c *Company) Extract(_ context.Context, call *loop.Call) ([]byte, error) {
	text, err := c.read(call.Target)
	if err != nil {
		return nil, err
	}
	args := map[string]string{}
	for name, pattern := range map[string]*regexp.Regexp{"invoice_id": invoiceID, "amount": amount, "currency": currency} {
		if m := pattern.FindSubmatch(text); m != nil {
			args[name] = string(m[1])
		}
	}
	return json.Marshal(args)
}
