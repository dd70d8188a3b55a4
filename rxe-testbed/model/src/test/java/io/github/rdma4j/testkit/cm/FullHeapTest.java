// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An event loop that meets its first failure when the heap is full, in a JVM of its own, which has not yet loaded the classes for it. */
class FullHeapTest {
    /** The program of that JVM. */
    @SuppressWarnings("UnusedVariable") // what the handler allocates
    static final class FirstFailure {
        private static final Object[] EATEN = new Object[1 << 20];

        private static volatile boolean isExecuting;
        private static volatile @Nullable Thread loopThread;
        private static volatile @Nullable Object handled;

        private FirstFailure() {}

        public static void main(String[] arguments) throws Exception {
            // First calls need memory, because they load classes.
            System.out.print(isBusy(new Thread()) ? "?" : "");
            Thread.onSpinWait();
            Arrays.fill(EATEN, null);
            ModelRdmaCm model = new ModelRdmaCm();
            LoopOptions options = LoopOptions.builder()
                    .kernel(model.kernel())
                    .uncaught((thread, e) -> handled = new byte[1 << 20])
                    .build();
            try (CmEventLoop loop = CmEventLoop.open(options)) {
                Error made = new Error("of the test"); // before there is no memory for it
                loop.execute(() -> eatAndFail(made));
                isExecuting = true;
                while (isBusy(loopThread)) {
                    Thread.onSpinWait(); // any other wait needs memory
                }
                Arrays.fill(EATEN, null);
                CountDownLatch goesOn = new CountDownLatch(1);
                loop.execute(goesOn::countDown);
                System.out.println(goesOn.await(30, TimeUnit.SECONDS) ? "goes on" : "has ended");
            }
        }

        /** Until the thread has dealt with the failure, and waits or has ended. */
        private static boolean isBusy(@Nullable Thread thread) {
            try {
                return thread == null || thread.getState() == Thread.State.RUNNABLE;
            } catch (OutOfMemoryError forTheQuestion) {
                return true;
            }
        }

        private static void eatAndFail(Error made) {
            while (!isExecuting) {
                Thread.onSpinWait(); // this thread may be here before the other has left execute, which needs memory
            }
            int count = 0;
            for (int bite = 64 * 1024; bite >= 16; bite /= 4) {
                try {
                    while (count < EATEN.length) {
                        EATEN[count] = new byte[bite];
                        count++;
                    }
                } catch (OutOfMemoryError next) {
                    // The smaller bite may still fit.
                }
            }
            loopThread = Thread.currentThread();
            throw made;
        }
    }

    @Test
    void doesNotEndTheLoop() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        FirstFailure.class.getName())
                .redirectErrorStream(true)
                .start();

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        // JDK 24 and later warn of native access first.
        assertThat(output.trim()).endsWith("goes on");
    }
}
