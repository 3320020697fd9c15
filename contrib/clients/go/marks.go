package entitld

// The daemon's file of marks, which docs/shared-answers.md lays out: how new the newest change of each
// group of users is.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
	"unsafe"
)

const (
	marksMagic      = "ENTMARK1"
	markHeaderBytes = 64
	wordBytes       = 8
	// The daemon has 262,144; more than this is no file of its.
	groupsMax = 1 << 24
)

// Where a word is in the file.
const (
	wordOfCount      = 1
	wordOfGeneration = 2
	wordOfCatalog    = 3
	wordOfGroups     = markHeaderBytes / wordBytes
)

// A file of marks in this process's memory. It is unmapped when nobody can reach it any more, so that no
// reader is left with memory that has gone.
type marks struct {
	info   os.FileInfo
	mapped []byte
	groups uint64
}

// Maps the file at path, unless it is none of the daemon's.
func openMarks(path string) (*marks, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|openWithoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the mapping stays
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "map", Path: path, Err: errors.New("it is no plain file")}
	}
	groups, err := groupsOf(file, info.Size())
	if err != nil {
		return nil, err
	}
	mapped, err := mapFile(file, int(info.Size()))
	if err != nil {
		return nil, err
	}
	made := &marks{info: info, mapped: mapped, groups: groups}
	runtime.SetFinalizer(made, func(gone *marks) { unmapFile(gone.mapped) })
	return made, nil
}

// How many groups there are. What lies beyond a file's end must not be read: it would end the process.
func groupsOf(file io.ReaderAt, size int64) (uint64, error) {
	var header [markHeaderBytes / wordBytes]uint64
	text := (*[markHeaderBytes]byte)(unsafe.Pointer(&header))[:]
	if _, err := file.ReadAt(text, 0); err != nil {
		return 0, err
	}
	if string(text[:len(marksMagic)]) != marksMagic {
		return 0, errors.New("entitld: no file of marks")
	}
	groups := header[wordOfCount]
	if groups == 0 || groups > groupsMax || size != int64(markHeaderBytes+wordBytes*groups) {
		return 0, fmt.Errorf("entitld: a file of %d bytes cannot have %d marks", size, groups)
	}
	return groups, nil
}

func (m *marks) word(index uint64) uint64 {
	value := atomic.LoadUint64((*uint64)(unsafe.Pointer(&m.mapped[wordBytes*index])))
	runtime.KeepAlive(m) // or the finalizer might run before the load
	return value
}

// Another number in each life of the daemon.
func (m *marks) generation() uint64 { return m.word(wordOfGeneration) }

// The group of the user with this id.
func (m *marks) groupOf(user string) uint64 {
	hash := uint64(0xcbf29ce484222325)
	for index := 0; index < len(user); index++ {
		hash = (hash ^ uint64(user[index])) * 0x100000001b3
	}
	return (hash ^ hash>>32) % m.groups
}

// Whether what was answered as of seq still is what the daemon would answer, but for the time. The order is
// that of the rule: a daemon that starts writes the generation before it clears the marks.
func (m *marks) hold(group, seq, generation uint64) bool {
	return m.word(wordOfGroups+group) <= seq && m.word(wordOfCatalog) < seq && m.generation() == generation
}

// Whether this is the file that is at path now.
func (m *marks) isAt(path string) bool {
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, m.info)
}
