// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What benches do with the processes that they measure. */
final class Processes {
    private static final long POLL_MILLIS = 50;

    private Processes() {}

    /** Writes a line to the standard input of a program that was started by {@link PeerProcess#startTalking}. */
    static void say(PeerProcess program, String line) throws RdmaException {
        try {
            OutputStream input = program.process().getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            throw new RdmaException(program + " has ended:\n" + program.output(), e);
        }
    }

    /** Waits for the end of a program, or until its peer has failed, because the program may then never end. */
    static int await(PeerProcess program, PeerProcess peer, Duration limit) throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        Process other = peer.process();
        while (!program.process().waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (!other.isAlive() && other.exitValue() != 0) {
                throw new RdmaException(peer + " ended with status " + other.exitValue() + ":\n" + peer.output());
            }
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new RdmaException(
                        program + " did not end within " + limit.toSeconds() + " s:\n" + program.output());
            }
        }
        return program.process().exitValue();
    }
}
