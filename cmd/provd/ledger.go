package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/store"
)

func (a *app) ledger() *cobra.Command {
	c := &cobra.Command{
		Use:   "ledger",
		Short: "read the ledger of what was decided",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.ledgerShow())
	return c
}

func (a *app) ledgerShow() *cobra.Command {
	var f ledger.Filter
	var kind string
	c := &cobra.Command{
		Use:   "show",
		Short: "print entries of the ledger",
		Long: `show prints the entries of the ledger, oldest first: what was decided at which rung and
why, what was done, and how it was verified. An entry holds identifiers, digests, enums
and numbers, never an argument's value.

With --json each line is an entry's canonical bytes, as they are stored.`,
		Example: `  provd ledger show --tail 20
  provd ledger show --run run-000002
  provd ledger show --kind decision --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.Kind = ledger.Kind(kind)
			if err := f.Check(); err != nil {
				return err
			}
			return a.showLedger(c.Context(), f)
		},
	}
	c.Flags().StringVar(&f.Run, "run", "", "only this run")
	c.Flags().StringVar(&f.Tenant, "tenant", "", "only this tenant; otherwise the whole store")
	c.Flags().StringVar(&kind, "kind", "", "only entries of this kind")
	c.Flags().Uint64Var(&f.From, "from", 0, "from this number on")
	c.Flags().IntVar(&f.Tail, "tail", 0, "only the last so many")
	return c
}

func (a *app) showLedger(ctx context.Context, f ledger.Filter) error {
	// Reading must not make a store where there is none.
	if _, err := os.Stat(a.data); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no store in %s; run something first, or say --data", a.data)
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		if a.json {
			return ledger.ShowJSON(a.out, l.Select(ctx, f))
		}
		return ledger.Show(a.out, l.Select(ctx, f))
	})
}

// withLedger opens the store and its ledger for the time of one call.
func (a *app) withLedger(ctx context.Context, use func(*ledger.Ledger) error) (err error) {
	s, err := store.Open(a.data, store.Options{Log: a.err})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l, err := ledger.Open(ctx, s, rand.Reader)
	if err != nil {
		return err
	}
	return use(l)
}
