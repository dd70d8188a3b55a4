// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that has as many threads as it may have. It is told so, what it had goes on, and nothing of what it did not get is left.
 */
@RequiresKernel
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitsKernelIT {
    private static final int MOST_THREADS = 100;

    /** For a user without the privilege to have more; it may read the class path and open the device. */
    private static final List<String> FEW_THREADS = List.of(
            "prlimit",
            "--nproc=" + MOST_THREADS,
            "setpriv",
            "--reuid=65534",
            "--clear-groups",
            "--inh-caps=-all,+dac_override",
            "--ambient-caps=-all,+dac_override");

    /** The process. */
    static final class Limited {
        private Limited() {}

        public static void main(String[] arguments) throws Exception {
            try (DeviceContext context = DeviceContext.open(Rxe.DEVICE)) {
                int before = OpenResources.now().size();
                switch (arguments[0]) {
                    case "loops" -> meetTheLimitOfThreads(CmEventLoop::open);
                    default -> meetTheLimitOfThreads(() -> CompletionDispatcher.open(context));
                }
                System.out.println("left open: " + (OpenResources.now().size() - before));
            }
        }

        private interface Opening<T> {
            T open() throws RdmaException;
        }

        /** The kernel counts a thread for a moment longer than Java does. */
        private static <T> T openWhenAThreadHasGone(Opening<T> opening) throws RdmaException {
            while (true) {
                try {
                    return opening.open();
                } catch (OutOfMemoryError stillCounted) {
                    Thread.onSpinWait(); // a hang ends with the time limit of the test
                }
            }
        }

        private static <T extends AutoCloseable> void meetTheLimitOfThreads(Opening<T> opening) throws Exception {
            List<T> open = new ArrayList<>();
            try {
                while (open.size() <= MOST_THREADS) {
                    open.add(opening.open());
                }
                throw new AssertionError("no limit");
            } catch (OutOfMemoryError e) {
                System.out.println("refused: " + e.getMessage());
            }
            open.remove(0).close();
            open.add(openWhenAThreadHasGone(opening));
            for (T each : open) {
                if (each instanceof CmEventLoop loop) {
                    CompletableFuture<Void> runs = new CompletableFuture<>();
                    loop.execute(() -> runs.complete(null));
                    runs.get(60, TimeUnit.SECONDS);
                }
                each.close();
            }
            System.out.println("went on");
        }
    }

    private static String meet(String limit) throws InterruptedException {
        List<String> command = new ArrayList<>(FEW_THREADS);
        command.addAll(Program.java(Limited.class, limit));
        try (Program program = Program.start(command)) {
            String said = program.success();
            assertThat(said).contains("went on", "left open: 0");
            return said;
        }
    }

    @Test
    void ofThreadsLeavesTheLoopsThatThereAre() throws Exception {
        assertThat(meet("loops")).contains("refused: unable to create native thread");
    }

    @Nightly
    @Test
    void ofThreadsLeavesTheDispatchersThatThereAre() throws Exception {
        assertThat(meet("dispatchers")).contains("refused: unable to create native thread");
    }
}
