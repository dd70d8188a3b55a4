// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.rdma4j.testbed.junit.SoftRoce;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Tests that fail in ways that are hard to tell another JVM about. */
final class FailureSamples {
    private FailureSamples() {}

    private static void runForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // Whoever calls this wants no end.
            return;
        }
    }

    @SoftRoce
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Unwritable {
        static final int FEWER_CAUSES = 1_500;
        static final int MORE_CAUSES = 20_000;

        /** Has a field of a class that is not there. */
        static final class Unlinked implements Serializable {
            private static final long serialVersionUID = 1L;

            @SuppressWarnings("UnusedVariable")
            private void writeObject(ObjectOutputStream out) {
                throw new NoClassDefFoundError("org/optional/Thing");
            }
        }

        /** Can neither be serialized nor be asked for its message. */
        @SuppressWarnings("serial")
        static final class Silent extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private final Thread thread = Thread.currentThread();

            Thread thread() {
                return thread;
            }

            @Override
            public String getMessage() {
                throw new StackOverflowError("in getMessage");
            }
        }

        private static RuntimeException withCauses(int causes) {
            RuntimeException outermost = new RuntimeException("the first");
            for (int i = 1; i <= causes; i++) {
                outermost = new RuntimeException("attempt " + i, outermost);
            }
            return outermost;
        }

        @Test
        void fewerCauses() {
            throw withCauses(FEWER_CAUSES);
        }

        @Test
        void manyCauses() {
            throw withCauses(MORE_CAUSES);
        }

        @Test
        void silent() {
            throw new Silent();
        }

        @Test
        void unlinked() {
            assertEquals(new Unlinked(), new Unlinked());
        }

        @Test
        void zLast() {}
    }

    /** The platform passes this error on to whoever has started the tests. */
    @SoftRoce
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class OutOfMemory {
        @Test
        void a() {}

        @Test
        void b() {
            Thread other = new Thread(FailureSamples::runForEver, "no daemon");
            other.setDaemon(false);
            other.start();
            throw new OutOfMemoryError("Java heap space");
        }

        @Test
        void c() {}
    }

    @SoftRoce
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Hanging {
        @Test
        void canBeInterrupted() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Test
        void cannotBeInterrupted() {
            while (true) {
                runForEver();
            }
        }

        @Test
        void passes() {
            assertFalse(Thread.currentThread().isInterrupted());
        }
    }

    /** Has a limit of its own. */
    @SoftRoce
    static class Limited {
        @Test
        @Timeout(60)
        void waitsForLonger() throws InterruptedException {
            Thread.sleep(Duration.ofSeconds(4).toMillis());
        }
    }

    @SoftRoce
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Exiting {
        @Test
        void exits() {
            System.exit(7);
        }

        @Test
        void failsNext() {
            fail("as it should");
        }
    }
}
