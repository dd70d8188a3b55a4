// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.support.Background;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A parked thread, as a virtual thread is that waits for a channel. */
@Timeout(120)
class SleepTest {
    @AutoClose
    private Pair pair;

    private StreamSocketChannel server;

    @BeforeEach
    void open() throws IOException {
        pair = Pair.open(new StreamProvider(Rules.parse("a test", "tcp *"), null), Pair.loopback());
        server = (StreamSocketChannel) pair.server();
        assertThat(server.configureBlocking(false)).isSameAs(server);
    }

    private int readParked() throws IOException {
        ByteBuffer target = ByteBuffer.allocate(1);
        int read = server.read(target);
        while (read == 0) {
            Sleep.parked(server.source(), SocketCalls.POLLIN, Sleep.NO_LIMIT, server);
            read = server.read(target);
        }
        return read < 0 ? read : target.get(0);
    }

    @Test
    void bytesWakeAThreadThatIsParked() throws Exception {
        for (int i = 0; i < 50; i++) {
            FutureTask<Integer> reader = Background.start(this::readParked);
            assertThat(pair.client().write(ByteBuffer.wrap(new byte[] {(byte) i})))
                    .isEqualTo(1);
            assertThat(reader.get()).isEqualTo(i);
        }
    }

    @Test
    void twoThreadsAreParkedForTheSameChannelInEitherDirection() throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(1 << 16);
        long written = 0;
        for (int n = server.write(source); n > 0; n = server.write(source.clear())) {
            written += n;
        }
        FutureTask<Integer> reader = Background.start(this::readParked);
        FutureTask<Integer> writer = Background.start(() -> {
            int n = server.write(ByteBuffer.allocate(1));
            while (n == 0) {
                Sleep.parked(server.source(), SocketCalls.POLLOUT, Sleep.NO_LIMIT, server);
                n = server.write(ByteBuffer.allocate(1));
            }
            return n;
        });
        for (long left = written + 1; left > 0; ) {
            left -= pair.client().read(source.clear());
        }
        assertThat(writer.get()).isEqualTo(1);
        assertThat(pair.client().write(Pair.bytes("x"))).isEqualTo(1);
        assertThat(reader.get()).isEqualTo((int) 'x');
    }

    @Test
    void aParkedThreadWakesWhenItsTimeIsOver() throws IOException {
        Sleep.parked(server.source(), SocketCalls.POLLIN, TimeUnit.MILLISECONDS.toNanos(1), server);
        assertThat(server.read(ByteBuffer.allocate(1))).isZero();
    }

    @Test
    void closingTheChannelWakesAParkedThread() throws Exception {
        FutureTask<Boolean> parked = Background.start(() -> {
            while (server.isOpen()) {
                Sleep.parked(server.source(), SocketCalls.POLLIN, Sleep.NO_LIMIT, server);
            }
            return true;
        });
        server.close();
        assertThat(parked.get()).isTrue();
    }

    /** The state was asked before; another thread of the channel processes what comes then. */
    @Test
    void whatAnotherThreadTakesBeforeTheSourceIsArmedEndsTheSleep() throws IOException {
        PolledSource source = new PolledSource(server.provider());
        for (int event : new int[] {SocketCalls.POLLIN, SocketCalls.POLLOUT}) {
            source.takenBeforeArming(event);
            Sleep.until(source, event, Sleep.NO_LIMIT, server);
            source.consume();
            source.takenBeforeArming(event);
            Sleep.parked(source, event, Sleep.NO_LIMIT, server);
            source.consume();
        }
        assertThat(source.asked()).isEqualTo(4);
        source.close();
    }

    @Test
    void millisecondsAreRoundedUp() {
        assertThat(Sleep.millis(Sleep.NO_LIMIT)).isEqualTo(-1);
        assertThat(Sleep.millis(0)).isZero();
        assertThat(Sleep.millis(-5)).isZero();
        assertThat(Sleep.millis(1)).isEqualTo(1);
        assertThat(Sleep.millis(1_000_000)).isEqualTo(1);
        assertThat(Sleep.millis(1_000_001)).isEqualTo(2);
        assertThat(Sleep.millis(Sleep.NO_LIMIT - 1)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aLockIsTakenWithinALimitOrNotWhateverInterruptsCome() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        assertThat(Sleep.lock(lock, Sleep.NO_LIMIT, "late")).isEqualTo(Sleep.NO_LIMIT);
        FutureTask<Boolean> other = Background.start(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> Sleep.lock(lock, 1_000_000, "late"))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("late");
            return Thread.interrupted();
        });
        assertThat(other.get()).isTrue();
        lock.unlock();
        FutureTask<Long> next = Background.start(() -> Sleep.lock(lock, TimeUnit.MINUTES.toNanos(1), "late"));
        assertThat(next.get()).isBetween(1L, TimeUnit.MINUTES.toNanos(1));
        assertThat(lock.isLocked()).isTrue();
    }
}
