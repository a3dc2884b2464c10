package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// noCommand refuses what is left where a command should stand, and names the
// nearest.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	return fmt.Errorf("%s has no command %q%s", c.Name(), args[0], suggestion(args[0], known))
}

// noFlag adds the nearest flag to an error of one that does not exist.
func noFlag(c *cobra.Command, err error) error {
	got, ok := strings.CutPrefix(err.Error(), "unknown flag: ")
	if !ok {
		return err
	}
	known := flagNames(c)
	return fmt.Errorf("%s has no flag %s%s", c.Name(), got, suggestion(got, known))
}

// flagNames reads the flags off the usage text, which has one on a line.
func flagNames(c *cobra.Command) []string {
	var names []string
	for line := range strings.Lines(c.Flags().FlagUsages()) {
		for _, word := range strings.Fields(line) {
			if strings.HasPrefix(word, "--") {
				names = append(names, word)
				break
			}
		}
	}
	return names
}
