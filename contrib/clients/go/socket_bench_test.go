package entitld

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// A check of one user after the other, at the daemon whose socket ENTITLD_BENCH_SOCKET names.
func BenchmarkCanRenderSocket(b *testing.B) {
	path := os.Getenv("ENTITLD_BENCH_SOCKET")
	if path == "" {
		b.Skip("ENTITLD_BENCH_SOCKET is not set")
	}
	for _, isShared := range []bool{false, true} {
		b.Run(fmt.Sprintf("shared=%t", isShared), func(b *testing.B) {
			client, err := New(Options{SocketPath: path, SharedAnswers: isShared, ReadTimeout: 10 * time.Second})
			if err != nil {
				b.Fatal(err)
			}
			defer client.Close()
			params := make([]CanRenderParams, 1_000)
			for index := range params {
				params[index].UserID = fmt.Sprintf("user-%06d", index)
				if _, err := client.CanRender(context.Background(), params[index]); err != nil {
					b.Fatal(err)
				}
			}
			b.ResetTimer()
			for index := 0; index < b.N; index++ {
				if _, err := client.CanRender(context.Background(), params[index%len(params)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
