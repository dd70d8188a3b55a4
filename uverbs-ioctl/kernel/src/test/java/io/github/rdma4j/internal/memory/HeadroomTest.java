// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.NotEmulated;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** In a JVM of its own, whose heap is full for a while. */
class HeadroomTest {
    private static final int ENOUGH = 1 << 20;

    /** The size of an empty array. */
    private static final int SMALLEST = 16;

    /** Plain fields: an atomic object's first use needs memory. */
    private static volatile boolean full;

    private static volatile boolean emptied;

    @Test
    @NotEmulated
    void aFullHeapIsWaitedForAndAnInterruptIsKept() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeadroomTest.class.getName())
                .redirectErrorStream(true)
                .start();

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output.trim()).isEqualTo("waited, interrupted");
    }

    @Test
    void aStepIsRepeatedUntilThereIsMemoryForIt() {
        AtomicInteger attempts = new AtomicInteger();
        Headroom.insist(() -> {
            if (attempts.incrementAndGet() < 3) {
                throw new OutOfMemoryError("of the test");
            }
        });
        assertThat(attempts).hasValue(3);
    }

    @Test
    void whatAStepReturnsIsObtainedWhenThereIsMemoryForIt() {
        AtomicInteger attempts = new AtomicInteger();
        int obtained = Headroom.obtain(() -> {
            if (attempts.incrementAndGet() < 3) {
                throw new OutOfMemoryError("of the test");
            }
            return 7;
        });
        assertThat(obtained).isEqualTo(7);
        assertThat(attempts).hasValue(3);
    }

    @Test
    void aStepThatFailsForAnotherReasonIsNotRepeated() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> Headroom.insist(() -> {
                    attempts.incrementAndGet();
                    throw new IllegalStateException("of the test");
                }))
                .hasMessage("of the test");
        assertThat(attempts).hasValue(1);
    }

    /** The program of that JVM. */
    public static void main(String[] arguments) throws InterruptedException {
        Headroom.await(); // a class is not loaded without memory
        Thread hunger = new Thread(HeadroomTest::eat);
        hunger.start();
        while (!full) {
            Thread.onSpinWait(); // any other wait needs memory
        }
        Thread.currentThread().interrupt();
        Headroom.await();
        boolean waited = emptied;
        boolean interrupted = Thread.interrupted();
        hunger.join();
        System.out.println((waited ? "waited" : "did not wait") + (interrupted ? ", interrupted" : ""));
    }

    private static void eat() {
        Object[] eaten = new Object[ENOUGH];
        int count = 0;
        for (int bite = 64 * 1024; bite >= SMALLEST; bite /= 4) {
            try {
                while (count < ENOUGH) {
                    eaten[count] = new byte[bite];
                    count++;
                }
            } catch (OutOfMemoryError next) {
                // The smaller bite may still fit.
            }
        }
        full = true;
        try {
            Thread.sleep(200); // for the other thread to wait; it passes at once if it does not wait at all
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        emptied = true; // the heap is empty when this method has returned
    }
}
