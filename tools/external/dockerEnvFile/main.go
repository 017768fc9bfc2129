// Prints the variables of a file as JSON, as `docker run --env-file` reads it.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/docker/cli/pkg/kvfile"
)

func main() {
	variables, err := kvfile.Parse(os.Args[1], os.LookupEnv)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(variables); err != nil {
		log.Fatal(err)
	}
}
