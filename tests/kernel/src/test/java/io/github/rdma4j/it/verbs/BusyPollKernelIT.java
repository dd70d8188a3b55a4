// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What polling and posting cost: no system call, and no memory. */
@RequiresKernel
class BusyPollKernelIT {
    private static final int POLLS = 100_000;
    private static final int WARM_UP = 2_000;
    private static final int ROUNDS = 2_000;

    @TempDir
    private Path work;

    @Test
    void makesNoSystemCallToPoll() throws Exception {
        Path log = work.resolve("strace");
        try (DeviceContext context = DeviceContext.open(Rxe.DEVICE);
                CompletionQueue cq = context.createCq(16);
                Program strace = Program.start("strace", "-o", log.toString(), "-p", threadId())) {
            strace.awaitOutput("attached");
            mark("first, so that its classes are there");
            int found = poll(cq); // so that most of the JVM's work on the loop is done
            mark("begin");
            found += poll(cq);
            mark("end");
            strace.terminate();
            strace.status();
            assertThat(found).isZero();
        }
        List<String> calls = Files.readAllLines(log);
        List<String> between = calls.subList(indexOf(calls, "begin") + 1, indexOf(calls, "end"));
        // What the JVM does to bring its threads to a safepoint is not the poller's, and there is little of it. It
        // reads
        // the clock, which is a system call in User Mode Linux.
        assertThat(between)
                .hasSizeLessThan(POLLS / 100)
                .allSatisfy(
                        call -> assertThat(call)
                                .matches(
                                        "(futex|clock_gettime|gettid|sched_yield|mprotect|madvise|rt_sig\\w+|getrusage|---).*"));
    }

    private static int poll(CompletionQueue cq) {
        WorkCompletion[] into = WorkCompletion.array(4);
        int found = 0;
        for (int i = 0; i < POLLS; i++) {
            found += cq.poll(into);
        }
        return found;
    }

    /** The number by which the kernel knows this thread. */
    private static String threadId() throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/thread-self"))
                .getFileName()
                .toString();
    }

    /** A system call with the text in it. */
    private void mark(String text) {
        if (Files.exists(work.resolve("rdma4j-" + text))) {
            throw new AssertionError(text);
        }
    }

    private static int indexOf(List<String> calls, String mark) {
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).contains("rdma4j-" + mark)) {
                return i;
            }
        }
        throw new AssertionError("strace has not seen the mark " + mark + " in " + calls.size() + " calls");
    }

    @Test
    void allocatesNothingToSendAndToReceive() throws Exception {
        try (Loopback loopback = Loopback.connected()) {
            PingPong pingPong = new PingPong(loopback);
            pingPong.run(WARM_UP);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            pingPong.run(ROUNDS);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated / ROUNDS).as("bytes a round trip").isZero();
        }
    }

    /** Both sides in one thread. */
    private static final class PingPong {
        private final Loopback.Side client;
        private final Loopback.Side server;
        private final ReceiveWorkRequest clientReceive;
        private final ReceiveWorkRequest serverReceive;
        private final SendWorkRequest clientSend;
        private final SendWorkRequest serverSend;
        private final WorkCompletion[] into = WorkCompletion.array(4);

        PingPong(Loopback loopback) {
            client = loopback.client();
            server = loopback.server();
            clientReceive = new ReceiveWorkRequest(1).add(client.region(), 0, 64);
            serverReceive = new ReceiveWorkRequest(1).add(server.region(), 0, 64);
            clientSend =
                    new SendWorkRequest(1).send().add(client.region(), 64, 64).signaled();
            serverSend =
                    new SendWorkRequest(1).send().add(server.region(), 64, 64).signaled();
        }

        void run(int rounds) throws Exception {
            for (int i = 0; i < rounds; i++) {
                server.qp().postReceive(serverReceive);
                client.qp().postReceive(clientReceive);
                client.qp().postSend(clientSend);
                take(server, 1);
                server.qp().postSend(serverSend);
                take(client, 2);
                take(server, 1);
            }
        }

        private void take(Loopback.Side side, int completions) {
            int taken = 0;
            while (taken < completions) {
                int polled = side.cq().poll(into);
                for (int i = 0; i < polled; i++) {
                    if (!into[i].isSuccess()) {
                        throw new AssertionError(into[i]);
                    }
                }
                taken += polled;
            }
        }
    }
}
