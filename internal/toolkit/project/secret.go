package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// CreateEnv writes a new .env, readable by its owner only, with one variable.
func CreateEnv(dir, name, value string) error {
	if strings.ContainsAny(value, "\r\n") {
		return fmt.Errorf("write %s: the value of %s holds a line end", EnvFile, name)
	}
	if strings.TrimSpace(value) != value || strings.ContainsAny(value, " '\"`$#\\") {
		value = "'" + value + "'"
	}
	f, err := os.OpenFile(filepath.Join(dir, EnvFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", EnvFile, err)
	}
	_, err = f.WriteString(name + "=" + value + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", EnvFile, err)
	}
	return nil
}
