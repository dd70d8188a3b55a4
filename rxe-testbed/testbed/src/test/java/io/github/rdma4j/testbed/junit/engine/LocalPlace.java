// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts the JVM on this machine, as if this machine were a guest. */
final class LocalPlace implements WorkerPlace {
    private final AtomicInteger starts = new AtomicInteger();

    /** How many JVMs were started. */
    int starts() {
        return starts.get();
    }

    @Override
    public Running start(GuestSpec spec, JvmCommand command) throws TestbedException {
        starts.incrementAndGet();
        ProcessBuilder builder =
                new ProcessBuilder(command.words(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")));
        builder.environment().put("RDMA4J_GUEST", "1");
        try {
            return new Local(builder.start());
        } catch (IOException e) {
            throw new TestbedException("cannot start a JVM", e);
        }
    }

    private record Local(Process process) implements Running {
        @Override
        public Streams streams() {
            return new Streams(process.getOutputStream(), process.getInputStream(), process.getErrorStream());
        }

        @Override
        public End awaitEnd() throws InterruptedException {
            return End.ofJvm(process.waitFor(), List.of());
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }
    }
}
