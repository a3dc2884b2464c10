package store

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"sync"
)

// Memory is a store that lasts as long as the process. It is the reference that
// other engines are tested against.
type Memory struct {
	mu     sync.RWMutex
	keys   []string // sorted
	values map[string][]byte
	stats  Stats
	closed bool
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{values: map[string][]byte{}} }

// Submit decides a batch at once.
func (m *Memory) Submit(b *Batch) *Pending {
	if err := b.Check(); err != nil {
		return Resolved(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return Resolved(ErrClosed)
	}
	for _, c := range b.If {
		v, ok := m.values[string(c.Key)]
		if err := c.holds(v, ok); err != nil {
			m.stats.Refused++
			return Resolved(err)
		}
	}
	for _, c := range b.Do {
		m.change(c)
	}
	if len(b.Do) > 0 {
		m.stats.Batches++
		m.stats.Commits++
	}
	return Resolved(nil)
}

func (m *Memory) change(c Change) {
	key := string(c.Key)
	_, present := m.values[key]
	if c.Delete {
		if present {
			delete(m.values, key)
			i, _ := slices.BinarySearch(m.keys, key)
			m.keys = slices.Delete(m.keys, i, i+1)
		}
		return
	}
	m.values[key] = bytes.Clone(c.Value)
	if !present {
		i, _ := slices.BinarySearch(m.keys, key)
		m.keys = slices.Insert(m.keys, i, key)
	}
}

// Apply submits a batch and waits for its answer.
func (m *Memory) Apply(ctx context.Context, b *Batch) error { return m.Submit(b).Wait(ctx) }

// Settle returns when everything that was submitted before it is decided.
func (m *Memory) Settle(ctx context.Context) error { return ctx.Err() }

// Get returns the value of key, and whether there is one.
func (m *Memory) Get(ctx context.Context, key []byte) ([]byte, bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if err := checkKey(key); err != nil {
		return nil, false, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, false, ErrClosed
	}
	v, ok := m.values[string(key)]
	return bytes.Clone(v), ok, nil
}

// Scan reads a range as it was when the iteration began.
func (m *Memory) Scan(ctx context.Context, r Range) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		items, err := m.collect(r)
		if err != nil {
			yield(Item{}, err)
			return
		}
		if r.Reverse {
			slices.Reverse(items)
		}
		for _, it := range items {
			if err := ctx.Err(); err != nil {
				yield(Item{}, err)
				return
			}
			if !yield(Item{Key: bytes.Clone(it.Key), Value: bytes.Clone(it.Value)}, nil) {
				return
			}
		}
	}
}

func (m *Memory) collect(r Range) ([]Item, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	lower, upper := r.bounds()
	i, _ := slices.BinarySearch(m.keys, string(lower))
	var items []Item
	for ; i < len(m.keys) && (upper == nil || m.keys[i] < string(upper)); i++ {
		items = append(items, Item{Key: []byte(m.keys[i]), Value: m.values[m.keys[i]]})
	}
	return items, nil
}

// Stats counts what was done since NewMemory.
func (m *Memory) Stats() Stats {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.stats
}

// Close ends the store; what it held is gone.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
