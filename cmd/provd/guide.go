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
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("%s has no command %q; did you mean %s?", c.Name(), args[0], strings.Join(near, " or "))
	}
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	return fmt.Errorf("%s has no command %q; it has %s", c.Name(), args[0], strings.Join(known, ", "))
}

// noFlag says which flags there are, where one does not exist.
func noFlag(c *cobra.Command, err error) error {
	got, ok := strings.CutPrefix(err.Error(), "unknown flag: ")
	if !ok {
		return err
	}
	known := flagNames(c)
	return fmt.Errorf("%s has no flag %s; it has %s", c.Name(), got, strings.Join(known, ", "))
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
