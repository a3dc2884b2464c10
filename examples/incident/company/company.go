// Package company is a simulated company for the incident example: services that
// really change when they are rolled back, and a supplier whose certificates are
// really no longer checked. What runs where is in the registry, as it would be
// with a system of record; what is really wrong with a service, which no registry
// knows, is in data/services.json.
package company

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/provlang/prov/examples/incident"
	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Company runs the services. It is safe for use by several runs at once.
type Company struct {
	registry *registry.Registry
	truth    map[string]Truth

	mu   sync.Mutex
	done map[string]bool // by idempotency key
	dark map[string]bool // services whose metrics were lost
}

// Deployment is the example as a program links it.
func Deployment() host.Deployment {
	return host.Deployment{
		Policies: []func() (*policy.Policy, error){incident.OpenFirstResponse},
		Company: func(folder fs.FS, r *registry.Registry) (host.Company, error) {
			c, err := New(folder, r)
			if err != nil {
				return host.Company{}, err
			}
			return host.Company{Tools: c.Tools()}, nil
		},
	}
}

// Truth is what is really wrong with a service.
type Truth struct {
	// Fault is "configuration", which a rollback mends, or "elsewhere".
	Fault string `json:"fault"`
	// Healthy is the error rate without the fault, with four digits.
	Healthy string `json:"healthy_error_rate"`
	// MetricsLost says that a rollback takes the metrics with it.
	MetricsLost bool `json:"metrics_lost_on_rollback"`
}

// New reads the truth from the example's folder.
func New(folder fs.FS, r *registry.Registry) (*Company, error) {
	data, err := fs.ReadFile(folder, "data/services.json")
	if err != nil {
		return nil, fmt.Errorf("company: %w", err)
	}
	c := &Company{registry: r, done: map[string]bool{}, dark: map[string]bool{}}
	if err := json.Unmarshal(data, &c.truth); err != nil {
		return nil, fmt.Errorf("company: data/services.json: %w", err)
	}
	for id, t := range c.truth {
		if t.Fault != "configuration" && t.Fault != "elsewhere" {
			return nil, fmt.Errorf("company: data/services.json: %s: fault %q", id, t.Fault)
		}
	}
	return c, nil
}

// Tools of the company, by the names of their contracts.
func (c *Company) Tools() map[string]loop.Tool {
	return map[string]loop.Tool{
		"rollback_config":           c.rollBack,
		"read_service":              c.readService,
		"disable_compliance_checks": c.disableChecks,
	}
}

// rollBack puts a service on its last good configuration. Called again with the
// same key it does nothing again.
func (c *Company) rollBack(_ context.Context, call *loop.Call) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done[call.Key] {
		return nil, nil
	}
	good, ok := c.registry.Get(call.Tenant, "service", call.Target, "last_good")
	if !ok {
		return nil, fmt.Errorf("no service %q", call.Target)
	}
	change := map[string]string{"deployed": good}
	truth := c.truth[call.Target]
	if truth.Fault == "configuration" {
		change["error_rate"] = truth.Healthy
	}
	if err := c.update(call, "service", change); err != nil {
		return nil, err
	}
	c.dark[call.Target] = truth.MetricsLost
	c.done[call.Key] = true
	return nil, nil
}

// readService tells what runs, and how well.
func (c *Company) readService(_ context.Context, call *loop.Call) ([]byte, error) {
	c.mu.Lock()
	dark := c.dark[call.Target]
	c.mu.Unlock()
	if dark {
		return nil, errors.New("the metrics of this service are gone")
	}
	deployed, ok := c.registry.Get(call.Tenant, "service", call.Target, "deployed")
	if !ok {
		return nil, fmt.Errorf("no service %q", call.Target)
	}
	rate, _ := c.registry.Get(call.Tenant, "service", call.Target, "error_rate")
	return json.Marshal(map[string]string{"deployed": deployed, "error_rate": rate})
}

// disableChecks is what must not happen without a person.
func (c *Company) disableChecks(_ context.Context, call *loop.Call) ([]byte, error) {
	return nil, c.update(call, "supplier", map[string]bool{"certified": false})
}

// update changes the target as it was decided on: if it has moved since, nothing
// is changed.
func (c *Company) update(call *loop.Call, kind string, change any) error {
	data, err := json.Marshal(change)
	if err != nil {
		return err
	}
	if found := c.registry.Lookup(call.Tenant, c.registry.Kind(kind), call.Target); found.Status != policy.SubjectFound {
		return fmt.Errorf("no %s %q", kind, call.Target)
	}
	_, err = c.registry.Update(call.Tenant, kind, call.Target, call.Version, data)
	return err
}
