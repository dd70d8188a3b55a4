// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;

/** What becomes of a program whose peer does what it likes: it serves the next one, or ends with a line that says why. */
final class Outcome {
    private static final int FAILURE = 1;
    private static final int MOST_CLIENTS = 50;

    private Outcome() {}

    /** Nothing of what it said is the message of a mistake of ours. */
    static void assertClean(RunningCommand program) {
        assertThat(program.output() + program.complaint())
                .doesNotContain("Exception", "\tat ", "Cannot invoke", "out of bounds", "null");
    }

    /** Waits for its end: a success, or a failure with one line. */
    static void assertEnded(RunningCommand program) throws Exception {
        assertThat(program.status()).as("%s", program).isIn(0, FAILURE);
        if (program.status() == FAILURE) {
            assertThat(program.complaint()).as("%s", program).hasLineCount(1);
        }
        assertClean(program);
    }

    /**
     * A server of one client ends. When it still waits, a good client is served, and the server ends well; that client may have to
     * try again, as long as the place of the peer is taken.
     */
    static void assertServesOrHasEnded(RunningCommand server, Callable<RunningCommand> good) throws Exception {
        for (int i = 0; i < MOST_CLIENTS && server.isRunning(); i++) {
            try (RunningCommand client = good.call()) {
                if (client.status() == 0) {
                    assertThat(server.status())
                            .as("%s after %s", server, client)
                            .isZero();
                }
                assertEnded(client);
            }
        }
        assertEnded(server);
    }
}
