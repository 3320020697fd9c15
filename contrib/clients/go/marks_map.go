//go:build !(windows || plan9 || js || solaris || illumos || aix)

package entitld

import (
	"os"
	"syscall"
)

// What is no plain file must not hold the caller up.
const openWithoutWaiting = syscall.O_NONBLOCK

func mapFile(file *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(mapped []byte) { syscall.Munmap(mapped) }
