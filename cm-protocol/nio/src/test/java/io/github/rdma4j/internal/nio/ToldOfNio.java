// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged of the ways of channels until this is closed. */
final class ToldOfNio extends Handler implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("io.github.rdma4j.nio");

    private final List<String> lines = new ArrayList<>();

    ToldOfNio() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(this);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord logged) {
        lines.add(logged.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setUseParentHandlers(true);
    }
}
