// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that {@link ContainerBackendIT} runs in containers. */
final class ContainedSamples {
    static final String PROPERTY = "rdma4j.contained";

    private ContainedSamples() {}

    @SoftRoce(memory = 1024, backend = Backend.CONTAINER)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Ordinary {
        @Test
        void aTheDeviceIsActive() throws IOException {
            Path state = Path.of("/sys/class/infiniband/rxe0/ports/1/state");
            assertEquals("4: ACTIVE", Files.readString(state).strip());
            assertEquals("1", System.getenv("RDMA4J_GUEST"));
        }

        @Test
        void bSeesWhatTheCallerSees() {
            System.out.println("kernel " + System.getProperty("os.version"));
            System.out.println("home " + System.getenv("HOME"));
            System.out.println("cache " + System.getenv("RDMA4J_CACHE"));
            System.out.println("property " + System.getProperty(PROPERTY));
            System.out.println("directory " + Path.of("").toAbsolutePath());
            System.out.println("processors " + Runtime.getRuntime().availableProcessors());
            System.err.println("to standard error: ä€");
        }

        @ParameterizedTest(name = "value {0}")
        @ValueSource(ints = {1, 2})
        void cIsParameterised(int value) {
            assertEquals(1, value);
        }

        @Test
        void dOutputOfAChildArrives() throws IOException, InterruptedException {
            new ProcessBuilder("sh", "-c", "echo from a child")
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }

    /** The second test is over only when somebody ends the container. */
    @SoftRoce(memory = 1024, backend = Backend.CONTAINER)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Interrupted {
        @Test
        void a() {}

        @Test
        void b() throws InterruptedException {
            Thread.sleep(Long.MAX_VALUE);
        }

        @Test
        void c() {}
    }

    @SoftRoce(memory = 1024, backend = Backend.CONTAINER)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Panicking {
        @Test
        void a() throws IOException, InterruptedException {
            Files.writeString(Path.of("/proc/sysrq-trigger"), "c");
            Thread.sleep(Long.MAX_VALUE);
        }

        @Test
        void b() {}
    }
}
