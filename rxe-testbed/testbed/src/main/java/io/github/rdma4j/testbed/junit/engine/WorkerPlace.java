// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.guest.CrashReport;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Starts the JVM for tests in a guest; on this machine for tests of the engine itself. */
interface WorkerPlace {
    /** Starts the JVM; returns before it has booted. */
    Running start(GuestSpec spec, JvmCommand command) throws TestbedException, InterruptedException;

    /** A JVM that runs or boots. */
    interface Running {
        /** The standard streams of the JVM. */
        Streams streams();

        /** Waits for the end and returns the reason. */
        End awaitEnd() throws InterruptedException;

        /** Ends the JVM and its guest at once. */
        void kill();
    }

    /** The standard streams of a JVM, from outside. */
    record Streams(OutputStream input, InputStream output, InputStream error) {}

    /**
     * The end of a JVM and its guest.
     *
     * @param reason a sentence
     * @param kernelLines the last lines of the guest's kernel if the guest failed
     */
    record End(String reason, List<String> kernelLines) {
        private static final int FIRST_SIGNAL = 128;

        /** The end of a JVM by itself, or by a signal. */
        static End ofJvm(int status, List<CrashReport> crashReports) {
            String question = status < FIRST_SIGNAL ? ": did a test call System.exit?" : "";
            StringBuilder reason = new StringBuilder("the JVM in the guest ended with status " + status + question);
            crashReports.forEach(report -> reason.append("; ").append(report));
            return new End(reason.toString(), List.of());
        }
    }
}
