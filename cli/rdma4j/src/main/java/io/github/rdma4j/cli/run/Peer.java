// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;

/** One end of an exchange that runs, with its output. Closing this object ends it. */
public interface Peer extends AutoCloseable {
    /** The output so far. */
    String output();

    /** Waits until it ends; returns the exit status. */
    int await(Duration limit) throws RdmaException, InterruptedException;

    /** Waits until it has printed {@code text}. */
    void awaitOutput(String text, Duration limit) throws RdmaException, InterruptedException;

    @Override
    void close();
}
