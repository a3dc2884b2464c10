package ledger

import (
	"context"
	"fmt"

	"github.com/provlang/prov/runtime/store"
)

// eraseAtOnce bounds how many exhibits go in one commit.
const eraseAtOnce = 256

// Erase destroys what lies beside a run: its exhibits, and then its key. What
// the ledger says of the run stands, and can be read and checked; what was in
// the exhibits can be neither read nor guessed at by trying. An erasure that was
// cut short can be done again; of a run that is erased it gives ErrNoRun. Nothing
// can be appended with an exhibit to it any more, nor can it be opened.
func (l *Ledger) Erase(ctx context.Context, tenant, run string) error {
	if _, err := l.runKey(ctx, tenant, run); err != nil {
		return fmt.Errorf("erase run %q: %w", run, err)
	}
	for {
		b, more, err := l.eraseBatch(ctx, tenant, run)
		if err != nil {
			return fmt.Errorf("erase run %q: %w", run, err)
		}
		if err := l.store.Submit(b).Wait(ctx); err != nil {
			return fmt.Errorf("erase run %q: %w", run, err)
		}
		if !more {
			return nil
		}
	}
}

// eraseBatch deletes the first exhibits of a run, and the run's key with the
// last ones: as long as there is an exhibit, the run can be found by its key.
func (l *Ledger) eraseBatch(ctx context.Context, tenant, run string) (b *store.Batch, more bool, err error) {
	b = &store.Batch{}
	for item, err := range l.store.Scan(ctx, store.Range{Prefix: exhibitPrefix(tenant, run)}) {
		if err != nil {
			return nil, false, err
		}
		if len(b.Do) == eraseAtOnce {
			return b, true, nil
		}
		b.Delete(item.Key)
	}
	b.Delete(runKeyKey(tenant, run))
	return b, false, nil
}
