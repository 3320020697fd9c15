// Command conform runs the cases of proto/vectors/conformance through the Go client, against the daemon
// that the environment names, as Tests/Conformance/run.py sets it. It prints a line for each failure, and
// how many there were.
package main

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"

	"entitld"
)

const filesAtOnce = 8

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: conform VECTORS_DIR, or conform --storm")
		os.Exit(2)
	}
	if os.Args[1] == "--storm" {
		if err := stormed(); err != nil {
			fmt.Fprintln(os.Stderr, "conform:", err)
			os.Exit(1)
		}
		return
	}
	count, failed, err := conform(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "conform:", err)
		os.Exit(1)
	}
	fmt.Printf("%d cases, %d failed\n", count, failed)
	if failed > 0 || count == 0 {
		os.Exit(1)
	}
}

func stormed() error {
	run, err := newRun()
	if err != nil {
		return err
	}
	defer run.close()
	return run.storm()
}

func conform(directory string) (count, failed int, err error) {
	paths, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil {
		return 0, 0, err
	}
	sort.Strings(paths)
	run, err := newRun()
	if err != nil {
		return 0, 0, err
	}
	defer run.close()
	var lock sync.Mutex
	var running sync.WaitGroup
	places := make(chan struct{}, filesAtOnce)
	for _, path := range paths {
		running.Add(1)
		go func(path string) {
			defer running.Done()
			places <- struct{}{}
			defer func() { <-places }()
			cases, failures := run.file(path)
			lock.Lock()
			defer lock.Unlock()
			count += cases
			failed += len(failures)
			for _, failure := range failures {
				fmt.Println("FAIL " + failure)
			}
		}(path)
	}
	running.Wait()
	return count, failed, nil
}

// What all cases of one run share.
type run struct {
	transport string // socket or https
	prefix    string
	tested    *entitld.Client
	admin     *entitld.Client

	lock      sync.Mutex
	documents map[string][]string // not used yet
}

func newRun() (*run, error) {
	made := &run{transport: "socket", prefix: os.Getenv("ENTITLD_CONFORM_PREFIX")}
	if path := os.Getenv("ENTITLD_CONFORM_DOCUMENTS"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &made.documents); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	patient := entitld.Options{ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second, PastTimeout: 30 * time.Second}
	options := patient
	if url := os.Getenv("ENTITLD_URL"); url != "" {
		made.transport = "https"
		options.URL, options.Token = url, os.Getenv("ENTITLD_TOKEN")
		roots, err := rootsIn(os.Getenv("ENTITLD_CA"))
		if err != nil {
			return nil, err
		}
		options.RootCAs = roots
	}
	tested, err := entitld.New(options)
	if err != nil {
		return nil, err
	}
	patient.SocketPath = os.Getenv("ENTITLD_ADMIN_SOCKET")
	admin, err := entitld.New(patient)
	if err != nil {
		return nil, err
	}
	made.tested, made.admin = tested, admin
	return made, nil
}

// The certificates in a file; nil, those of the system, where none is named.
func rootsIn(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate", path)
	}
	return roots, nil
}

func (r *run) close() {
	r.tested.Close()
	r.admin.Close()
}

// The next document of a kind, for one case alone.
func (r *run) document(kind string) (string, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	left := r.documents[kind]
	if len(left) == 0 {
		return "", fmt.Errorf("the run has no more documents %q", kind)
	}
	r.documents[kind] = left[1:]
	return left[0], nil
}
