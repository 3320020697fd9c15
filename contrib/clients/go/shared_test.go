//go:build unix

package entitld

// Kept answers beside a played daemon, and marks that the test writes.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

const testGroups = 1 << 18

// A file of marks as the daemon makes it, which the test writes to through a mapping of its own.
type marksFile struct {
	path   string
	mapped []byte
}

func newMarksFile(t testing.TB, socket string) *marksFile {
	t.Helper()
	made := &marksFile{path: socket + ".marks"}
	made.put(t)
	t.Cleanup(func() { syscall.Munmap(made.mapped) })
	return made
}

// Puts a new file at the path, with another inode where there was one, and the same generation.
func (f *marksFile) put(t testing.TB) {
	t.Helper()
	next := f.path + ".next"
	size := markHeaderBytes + wordBytes*testGroups
	fine(t, os.WriteFile(next, make([]byte, size), 0o644))
	file, err := os.OpenFile(next, os.O_RDWR, 0)
	fine(t, err)
	defer file.Close()
	mapped, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	fine(t, err)
	if f.mapped != nil {
		fine(t, syscall.Munmap(f.mapped))
	}
	f.mapped = mapped
	f.set(wordOfGeneration, 77)
	f.set(wordOfCount, testGroups)
	copy(mapped, marksMagic)
	fine(t, os.Rename(next, f.path))
}

func (f *marksFile) set(word int, value uint64) {
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&f.mapped[wordBytes*word])), value)
}

func (f *marksFile) mark(user string, seq uint64) {
	f.set(wordOfGroups+int((&marks{groups: testGroups}).groupOf(user)), seq)
}

var yes = RenderAnswer{CanRender: true, Via: pointer("credits"), State: "free_with_credits", Seq: 10}

// A played daemon that answers as of seq 10, its client, and the clock that it reads.
type sharing struct {
	t      *testing.T
	daemon *fake
	client *Client
	now    *moment
	answer RenderAnswer
}

func share(t *testing.T) *sharing {
	t.Helper()
	s := &sharing{t: t, now: &moment{wall: time.Now().UnixMicro()}, answer: yes}
	s.daemon = play(t, func(asked) act { return result(s.answer) })
	s.client = clientOf(t, s.daemon, func(options *Options) { options.SharedAnswers = true })
	s.client.shared.clock = func() moment { return *s.now }
	return s
}

func (s *sharing) pass(span time.Duration) {
	s.now.wall += span.Microseconds()
	s.now.steady += span
}

func (s *sharing) ask(user string) *RenderAnswer {
	s.t.Helper()
	answer, err := s.client.CanRender(background, CanRenderParams{UserID: user})
	fine(s.t, err)
	return answer
}

// Asks for alice, and checks how often the daemon has heard of anything.
func (s *sharing) hears(count int) {
	s.t.Helper()
	answer := s.ask("alice")
	equal(s.t, answer, s.answer)
	equal(s.t, len(s.daemon.heard()), count)
}

func TestAKeptAnswerIsNotAskedForAgain(t *testing.T) {
	s := share(t)
	marks := newMarksFile(t, s.daemon.path)
	marks.mark("alice", 10) // the newest change is in the answer
	s.hears(1)
	for times := 0; times < 100; times++ {
		s.hears(1)
	}
	s.ask("bob")
	equal(t, len(s.daemon.heard()), 2)
}

func TestAMarkAboveTheAnswerEndsItsGroupAlone(t *testing.T) {
	s := share(t)
	marks := newMarksFile(t, s.daemon.path)
	s.ask("bob")
	s.hears(2)
	marks.mark("alice", 11)
	s.ask("bob")
	s.answer = RenderAnswer{State: "free_no_credits", Reason: pointer("credits_exhausted"), Seq: 11}
	s.hears(3)
	s.hears(3)
	s.ask("bob")
	equal(t, len(s.daemon.heard()), 3)
}

func TestAnAnswerThatIsBehindItsMarkIsNotKept(t *testing.T) {
	s := share(t)
	newMarksFile(t, s.daemon.path).mark("alice", 11)
	s.hears(1)
	s.hears(2)
}

func TestANewGenerationEndsEverything(t *testing.T) {
	s := share(t)
	marks := newMarksFile(t, s.daemon.path)
	s.ask("bob")
	s.hears(2)
	marks.set(wordOfGeneration, 78)
	s.hears(3)
	s.hears(3)
	s.ask("bob")
	equal(t, len(s.daemon.heard()), 4)
}

func TestAGenerationThatBeginsWhileItIsAskedIsNotTheAnswers(t *testing.T) {
	s := share(t)
	marks := newMarksFile(t, s.daemon.path)
	s.daemon.script = func(asked) act { marks.set(wordOfGeneration, 78); return result(s.answer) }
	s.hears(1)
	s.hears(2)
	s.hears(2)
}

func TestACatalogAtTheAnswersPositionEndsIt(t *testing.T) {
	s := share(t)
	marks := newMarksFile(t, s.daemon.path)
	marks.set(wordOfCatalog, 9)
	s.hears(1)
	s.hears(1)
	marks.set(wordOfCatalog, 10)
	s.hears(2)
	s.hears(3)
}

func TestAnAnswerEndsWhenItChanges(t *testing.T) {
	changes := func(s *sharing, span time.Duration) {
		at := time.UnixMicro(s.now.wall).Add(span).UTC().Truncate(time.Millisecond)
		s.answer.NextChangeAt = pointer(at.Format("2006-01-02T15:04:05.000Z"))
	}
	for name, pass := range map[string]func(*sharing, time.Duration){
		"both clocks": (*sharing).pass,
		"wall":        func(s *sharing, span time.Duration) { s.now.wall += span.Microseconds() },
		"steady":      func(s *sharing, span time.Duration) { s.now.steady += span },
	} {
		t.Run(name, func(t *testing.T) {
			s := share(t)
			newMarksFile(t, s.daemon.path)
			changes(s, 3*time.Second)
			s.hears(1)
			pass(s, 2900*time.Millisecond)
			s.hears(1)
			pass(s, 100*time.Millisecond)
			s.hears(2)
		})
	}
	s := share(t)
	newMarksFile(t, s.daemon.path)
	changes(s, -time.Second)
	s.hears(1)
	s.hears(2)
	s.answer.NextChangeAt = pointer("soon")
	s.hears(3)
	s.hears(4)
	s.answer.NextChangeAt = pointer("9999-12-31T23:59:59.999Z")
	s.hears(5)
	s.hears(5)
}

func TestAnAnswerIsKeptForTenSeconds(t *testing.T) {
	s := share(t)
	newMarksFile(t, s.daemon.path)
	s.hears(1)
	s.pass(9_999 * time.Millisecond)
	s.hears(1)
	s.now.wall -= time.Hour.Microseconds() // setting it back makes nothing younger
	s.pass(time.Millisecond)
	s.hears(2)
	s.hears(2)
}

func TestAnotherCostAndAPositionAlwaysAsk(t *testing.T) {
	s := share(t)
	newMarksFile(t, s.daemon.path)
	s.hears(1)
	count := 1
	for _, params := range []CanRenderParams{
		{UserID: "alice", Cost: pointer(int64(2))}, {UserID: "alice", MinSeq: pointer(int64(1))},
	} {
		for times := 0; times < 2; times++ {
			_, err := s.client.CanRender(background, params)
			fine(t, err)
			count++
			equal(t, len(s.daemon.heard()), count)
		}
	}
	_, err := s.client.CanRender(background, CanRenderParams{UserID: "alice", Cost: pointer(int64(1))})
	fine(t, err)
	_, err = s.client.Can(background, CanParams{UserID: "alice", Feature: "render"})
	fine(t, err)
	equal(t, len(s.daemon.heard()), count+1)
	s.hears(count + 1)
}

func TestWithoutAFileEverythingIsAsked(t *testing.T) {
	s := share(t)
	s.hears(1)
	s.hears(2)
	newMarksFile(t, s.daemon.path)
	s.pass(999 * time.Millisecond)
	s.hears(3) // not looked for yet
	s.hears(4)
	s.pass(time.Millisecond)
	s.hears(5)
	s.hears(5)
}

func TestWithoutTheOptionEverythingIsAsked(t *testing.T) {
	s := share(t)
	newMarksFile(t, s.daemon.path)
	s.client = clientOf(t, s.daemon)
	s.hears(1)
	s.hears(2)
}

func TestAnotherFileEndsWhatWasKept(t *testing.T) {
	s := share(t)
	marks := newMarksFile(t, s.daemon.path)
	s.hears(1)
	marks.put(t)
	s.hears(1) // seen within a second
	s.pass(time.Second)
	s.hears(2)
	s.hears(2)
	marks.mark("alice", 11) // and it is the new one that is read
	s.answer.Seq = 11
	s.hears(3)
	s.hears(3)
	fine(t, os.Remove(marks.path))
	s.pass(time.Second)
	s.hears(4)
	s.hears(5)
}

func TestAFileThatIsNoneIsNotMapped(t *testing.T) {
	header := func(count uint64) []byte {
		words := [markHeaderBytes / wordBytes]uint64{wordOfCount: count}
		text := append([]byte(nil), (*[markHeaderBytes]byte)(unsafe.Pointer(&words))[:]...)
		copy(text, marksMagic)
		return text
	}
	other := append(header(1), make([]byte, 8)...)
	copy(other, "ENTMARK2")
	path := t.TempDir() + "/marks"
	for name, content := range map[string][]byte{
		"empty": {}, "short": header(1)[:63], "no groups": header(0), "too short": append(header(2), make([]byte, 8)...),
		"too long": append(header(1), make([]byte, 16)...), "overflow": header(1 << 61), "magic": other,
	} {
		fine(t, os.WriteFile(path, content, 0o644))
		if _, err := openMarks(path); err == nil {
			t.Errorf("%s is mapped", name)
		}
	}
	fine(t, os.WriteFile(path, append(header(1), make([]byte, 8)...), 0o644))
	_, err := openMarks(path)
	fine(t, err)
	fine(t, os.Remove(path))
	fine(t, syscall.Mkfifo(path, 0o644))
	if _, err := openMarks(path); err == nil {
		t.Error("a pipe is mapped")
	}
}

func TestTheGroupOfAUser(t *testing.T) {
	file := &marks{groups: testGroups}
	// FNV-1a of these: cbf29ce484222325, af63dc4c8601ec8c, 85944171f73967e8.
	equal(t, []uint64{file.groupOf(""), file.groupOf("a"), file.groupOf("foobar")}, []uint64{
		(0xcbf29ce484222325 ^ 0xcbf29ce4) % testGroups, (0xaf63dc4c8601ec8c ^ 0xaf63dc4c) % testGroups,
		(0x85944171f73967e8 ^ 0x85944171) % testGroups,
	})
}

func TestWhatACallerWritesIsItsOwn(t *testing.T) {
	s := share(t)
	newMarksFile(t, s.daemon.path)
	for times := 0; times < 3; times++ {
		answer := s.ask("alice")
		equal(t, answer, s.answer)
		answer.CanRender, answer.State, *answer.Via = false, "?", "?"
	}
	equal(t, len(s.daemon.heard()), 1)
}

func TestACallThatHasEndedFailsThoughItsAnswerIsKept(t *testing.T) {
	s := share(t)
	newMarksFile(t, s.daemon.path)
	s.hears(1)
	ctx, cancel := context.WithCancel(background)
	cancel()
	_, err := s.client.CanRender(ctx, CanRenderParams{UserID: "alice"})
	wants(t, err, "unavailable", "cancelled")
	fine(t, s.client.Close())
	_, err = s.client.CanRender(background, CanRenderParams{UserID: "alice"})
	wants(t, err, "unavailable", "closed")
}

func TestAnErrorIsNotKept(t *testing.T) {
	s := share(t)
	newMarksFile(t, s.daemon.path)
	s.daemon.script = func(asked) act { return refusal(failed(-32029, "overloaded", true)) }
	for times := 1; times <= 2; times++ {
		_, err := s.client.CanRender(background, CanRenderParams{UserID: "alice"})
		wants(t, err, "error", "overloaded")
		equal(t, len(s.daemon.heard()), times)
	}
}

func TestWhatIsKeptHasABound(t *testing.T) {
	path := t.TempDir() + "/s"
	file := newMarksFile(t, path)
	mapped, err := openMarks(file.path)
	fine(t, err)
	kept := newKeptAnswers(mapped)
	find := func(user string) bool {
		return kept.find(user, mapped.groupOf(user), moment{}, new(RenderAnswer))
	}
	for number := 0; number < 3*keptUsersMax; number++ {
		user := fmt.Sprint("user ", number)
		kept.keep(user, mapped.groupOf(user), 77, moment{}, &RenderAnswer{Seq: 1})
		if !find(user) {
			t.Fatalf("%s is not kept", user)
		}
	}
	count, users := 0, 0
	for number := 0; number < 3*keptUsersMax; number++ {
		if find(fmt.Sprint("user ", number)) {
			count++
		}
	}
	for index := range kept.shards {
		users += len(kept.shards[index].users)
	}
	equal(t, []int{count, users}, []int{keptUsersMax, keptUsersMax})
}

// Readers while files come and go, and at last the client: for the race detector, and for memory that has
// gone.
func TestManyAskWhileFilesAreReplaced(t *testing.T) {
	s := share(t)
	var steady atomic.Int64
	s.client.shared.clock = func() moment { return moment{steady: time.Duration(steady.Load())} }
	file := newMarksFile(t, s.daemon.path)
	var running sync.WaitGroup
	for number := 0; number < 8; number++ {
		user := fmt.Sprint("user ", number/2)
		running.Add(1)
		go func() {
			defer running.Done()
			for {
				_, err := s.client.CanRender(background, CanRenderParams{UserID: user})
				if err != nil {
					var missing *Unavailable
					if !errors.As(err, &missing) || missing.Name != "closed" {
						t.Error(err)
					}
					return
				}
			}
		}()
	}
	for times := 0; times < 50; times++ {
		file.put(t)
		file.mark("user 1", 10)
		steady.Add(int64(lookEvery))
		runtime.GC()
		time.Sleep(2 * time.Millisecond)
	}
	fine(t, s.client.Close())
	runtime.GC()
	running.Wait()
}

// What a check costs: CanRender as a caller sees it, alone and by many, and the marks' part of it.
func BenchmarkCanRenderShared(b *testing.B) {
	client, names := benchmarked(b)
	b.Run("CanRender", func(b *testing.B) {
		b.ReportAllocs()
		for times := 0; times < b.N; times++ {
			if _, err := client.CanRender(background, CanRenderParams{UserID: names[times%len(names)]}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(next *testing.PB) {
			for times := 0; next.Next(); times++ {
				client.CanRender(background, CanRenderParams{UserID: names[times%len(names)]})
			}
		})
	})
	b.Run("Hold", func(b *testing.B) {
		b.ReportAllocs()
		file := client.shared.current.Load().marks
		for times := 0; times < b.N; times++ {
			if !file.hold(file.groupOf(names[times%len(names)]), 10, 77) {
				b.Fatal("it does not hold")
			}
		}
	})
}

// A client that has kept the answers of 1,000 users, by the usual clock: they are asked for once in 10 s.
func benchmarked(b *testing.B) (*Client, []string) {
	daemon := play(b, func(asked) act { return result(yes) })
	newMarksFile(b, daemon.path)
	client := clientOf(b, daemon, func(options *Options) { options.SharedAnswers = true })
	names := make([]string, 1000)
	for number := range names {
		names[number] = fmt.Sprintf("3f2b8c1e-6d4a-4b7e-9c05-%012d", number)
		_, err := client.CanRender(background, CanRenderParams{UserID: names[number]})
		fine(b, err)
	}
	return client, names
}
