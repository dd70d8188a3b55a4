// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;

/** A running end of an exchange, with its output. Closing this object ends it. */
public interface Peer extends AutoCloseable {
    String output();

    /** Waits for the end; returns the exit status. */
    int await(Duration limit) throws RdmaException, InterruptedException;

    /** Waits until the output contains {@code text}. */
    void awaitOutput(String text, Duration limit) throws RdmaException, InterruptedException;

    @Override
    void close();
}
