package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/store"
)

func (a *app) ledger() *cobra.Command {
	c := &cobra.Command{
		Use:   "ledger",
		Short: "read the ledger of what was decided",
		Args:  noCommand,
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
			if f.Tail < 1 && c.Flags().Changed("tail") {
				return fmt.Errorf("--tail %d picks nothing: say how many of the last entries, from 1 on, or leave it out for all", f.Tail)
			}
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
	switch there, err := a.hasStore(); {
	case err != nil:
		return err
	case !there:
		return fmt.Errorf("there is no store in %s; run something first, or say --data", a.data)
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		lines, some := peek(l.Select(ctx, f))
		switch {
		case !some:
			fmt.Fprintf(a.err, "provd: no entries%s in the ledger of %s\n", filterWords(f), a.data)
			return errNotFine
		case a.json:
			return ledger.ShowJSON(a.out, lines)
		}
		return ledger.Show(a.out, lines)
	})
}

// peek says whether a sequence has anything, an error included. The sequence that
// it gives back is to be read once.
func peek(seq iter.Seq2[ledger.Line, error]) (iter.Seq2[ledger.Line, error], bool) {
	next, stop := iter.Pull2(seq)
	line, err, some := next()
	if !some {
		stop()
		return nil, false
	}
	return func(yield func(ledger.Line, error) bool) {
		defer stop()
		for some && yield(line, err) {
			line, err, some = next()
		}
	}, true
}

// filterWords says what was asked for.
func filterWords(f ledger.Filter) string {
	var words strings.Builder
	for _, part := range []struct{ name, value string }{
		{"kind", string(f.Kind)}, {"run", f.Run}, {"tenant", f.Tenant},
	} {
		if part.value != "" {
			fmt.Fprintf(&words, " of %s %q", part.name, part.value)
		}
	}
	if f.From > 0 {
		fmt.Fprintf(&words, " from number %d on", f.From)
	}
	return words.String()
}

// hasStore says whether the store's folder holds anything yet. A folder of
// somebody else's files is refused: a store is not mixed into it.
func (a *app) hasStore() (bool, error) {
	if a.data == "" {
		return false, errors.New("--data is empty; it names the folder of the store, such as --data .prov")
	}
	entries, err := os.ReadDir(a.data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read the folder of the store: %w", err)
	case len(entries) == 0:
		return false, nil
	}
	for _, e := range entries {
		if slices.Contains([]string{"LOCK", "db", "db.new", "anchor"}, e.Name()) {
			return true, nil
		}
	}
	return false, fmt.Errorf("%s holds files and no store; name an empty folder, or one that does not exist yet, with --data", a.data)
}

// withLedger opens the store and its ledger for the time of one call.
func (a *app) withLedger(ctx context.Context, use func(*ledger.Ledger) error) (err error) {
	if _, err := a.hasStore(); err != nil {
		return err
	}
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
