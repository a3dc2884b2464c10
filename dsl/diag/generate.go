package diag

//go:generate go run ./internal/errorsdoc ../../docs/ERRORS.md
