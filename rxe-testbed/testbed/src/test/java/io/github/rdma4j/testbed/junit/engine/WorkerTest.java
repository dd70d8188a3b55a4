// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order of what a guest says and of what it writes to its standard error. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkerTest {
    private final ByteArrayOutputStream input = new ByteArrayOutputStream();
    private final PipedInputStream output = new PipedInputStream(8192);
    private final PipedInputStream error = new PipedInputStream(8192);
    private final PipedOutputStream toOutput;
    private final PipedOutputStream toError;
    private final Worker worker;

    WorkerTest() throws Exception {
        toOutput = new PipedOutputStream(output);
        toError = new PipedOutputStream(error);
        worker = Worker.start(
                (spec, command) -> new Silent(),
                new GuestSpec("", 1, 0, Testbed.Device.RXE, 1, Backend.VM),
                JvmCommand.ofThisProcess());
    }

    private final class Silent implements WorkerPlace.Running {
        @Override
        public WorkerPlace.Streams streams() {
            return new WorkerPlace.Streams(input, output, error);
        }

        @Override
        public WorkerPlace.End awaitEnd() {
            return new WorkerPlace.End("over", List.of());
        }

        @Override
        public void kill() {}
    }

    @AfterEach
    void end() throws IOException {
        toOutput.close();
        toError.close();
    }

    private void say(Message.Kind kind, String text) throws IOException {
        toOutput.write(new Message(kind, text).encoded());
        toOutput.flush();
    }

    private void write(byte[] bytes) throws IOException {
        toError.write(bytes);
        toError.flush();
    }

    private void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    private String next() throws InterruptedException {
        Message frame = Objects.requireNonNull(worker.next(Duration.ofMinutes(1)));
        return frame.kind() == Message.Kind.RAW ? new String(frame.bytes(0), StandardCharsets.UTF_8) : frame.text(0);
    }

    @Test
    void oneMarkThatIsLateDisturbsOneTestOnly() throws Exception {
        worker.markLimit = Duration.ofMillis(1);
        say(Message.Kind.SYNC, "");
        say(Message.Kind.FINISHED, "first");
        assertThat(next()).isEqualTo("first");
        write("late");
        write(Message.MARK);
        write("after the mark");
        assertThat(next()).isEqualTo("late");
        assertThat(next()).as("the mark has come").isEqualTo("after the mark");

        worker.markLimit = Duration.ofMinutes(1);

        say(Message.Kind.SYNC, "");
        say(Message.Kind.FINISHED, "second");
        write("of the second");
        write(Message.MARK);
        assertThat(next()).isEqualTo("of the second");
        assertThat(next()).isEqualTo("second");
    }
}
