// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads that wait at plain sockets. */
@Timeout(120)
public abstract class PlainVirtualScenarios extends PlainPairScenarios {
    protected PlainVirtualScenarios(Kind kind, InetAddress host) {
        super(kind, host);
    }

    /** A virtual thread that does something. */
    private record Virtual<T>(FutureTask<T> task, Thread thread) {
        static <T> Virtual<T> start(Callable<T> work) throws ReflectiveOperationException {
            FutureTask<T> task = new FutureTask<>(work);
            Thread thread = (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
            return new Virtual<>(task, thread);
        }

        Virtual<T> waits() {
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                assertThat(task.isDone()).isFalse();
                Thread.onSpinWait();
            }
            return this;
        }

        Throwable failure() throws InterruptedException {
            try {
                throw new AssertionError("returned " + task.get());
            } catch (ExecutionException e) {
                return Objects.requireNonNull(e.getCause());
            }
        }

        void isClosedByInterrupt() throws InterruptedException {
            thread.interrupt();
            assertThat(failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
        }
    }

    @Test
    void anInterruptEndsAReadAndClosesTheSocket() throws Exception {
        Virtual.start(() -> client.getInputStream().read()).waits().isClosedByInterrupt();
        assertThat(client.isClosed()).isTrue();
        assertThat(server.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void anInterruptEndsAReadWithALimitAndClosesTheSocket() throws Exception {
        client.setSoTimeout(LONG);
        Virtual.start(() -> client.getInputStream().read()).waits().isClosedByInterrupt();
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void anInterruptEndsAWriteAndClosesTheSocket() throws Exception {
        Virtual.start(() -> {
                    while (true) {
                        client.getOutputStream().write(new byte[1 << 20]);
                    }
                })
                .waits()
                .isClosedByInterrupt();
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void anInterruptEndsAnAcceptAndClosesTheListener() throws Exception {
        Virtual.start(listener::accept).waits().isClosedByInterrupt();
        assertThat(listener.isClosed()).isTrue();
    }

    /** Such a thread can say good-bye. */
    @Test
    void anInterruptDoesNothingToWhatNeedNotWait() throws Exception {
        server.getOutputStream().write(3);
        while (client.getInputStream().available() == 0) {
            Thread.onSpinWait();
        }
        Virtual<Integer> thread = Virtual.start(() -> {
            Thread.currentThread().interrupt();
            client.getOutputStream().write(4);
            return client.getInputStream().read();
        });
        assertThat(thread.task().get()).isEqualTo(3);
        assertThat(server.getInputStream().read()).isEqualTo(4);
        assertThat(client.isClosed()).isFalse();
    }

    @Test
    void closingEndsAReadOfAnotherThread() throws Exception {
        Virtual<Integer> reader =
                Virtual.start(() -> client.getInputStream().read()).waits();
        client.close();
        assertThat(reader.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
    }

    @Test
    void threadsWaitWithoutBeingPinned(@TempDir Path directory) throws Exception {
        Path dump = directory.resolve("pinned.jfr");
        try (Recording recording = new Recording()) {
            exchange(1); // loading a class pins, and is not what is looked for
            recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ofMillis(200));
            recording.start();
            exchange(20);
            recording.stop();
            recording.dump(dump);
        }
        assertThat(RecordingFile.readAllEvents(dump)).isEmpty();
    }

    /** Each thread connects, is accepted by another, and waits for a byte that comes when all wait. */
    private void exchange(int count) throws Exception {
        List<Virtual<Socket>> accepting = new ArrayList<>();
        List<Virtual<Integer>> reading = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            accepting.add(Virtual.start(listener::accept));
            reading.add(Virtual.start(this::connectAndRead));
        }
        List<Socket> accepted = new ArrayList<>();
        for (Virtual<Socket> thread : accepting) {
            accepted.add(thread.task().get());
        }
        for (Socket socket : accepted) {
            socket.getOutputStream().write(9);
            socket.close();
        }
        for (Virtual<Integer> thread : reading) {
            assertThat(thread.task().get()).isEqualTo(9);
        }
    }

    private int connectAndRead() throws IOException {
        try (Socket socket = socket()) {
            socket.connect(listener.getLocalSocketAddress(), LONG);
            return socket.getInputStream().read();
        }
    }
}
