package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "say which provc this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := buildVersion()
			if a.json {
				return a.printJSON(struct {
					Version string `json:"version"`
					Go      string `json:"go"`
				}{v, runtime.Version()})
			}
			_, err := fmt.Fprintf(a.out, "provc %s %s\n", v, runtime.Version())
			return err
		},
	}
}

// buildVersion is the module's version as the go command wrote it into the binary.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
