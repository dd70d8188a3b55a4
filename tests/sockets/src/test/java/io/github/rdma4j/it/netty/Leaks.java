// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Watches every buffer, and fails a class whose buffers the garbage collector had to find. */
final class Leaks implements BeforeAllCallback, AfterAllCallback {
    /** How often the collector runs: it enqueues what it has found on another thread. */
    private static final int COLLECTIONS = 3;

    private static final Logger LOGGER = Logger.getLogger(ResourceLeakDetector.class.getName());

    private final List<String> found = new CopyOnWriteArrayList<>();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord reported) {
            found.add(reported.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };

    @Override
    public void beforeAll(ExtensionContext test) {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        LOGGER.addHandler(handler);
    }

    @Override
    @SuppressWarnings("DoNotCall") // the collector, on purpose
    public void afterAll(ExtensionContext test) {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            // The detector reports when the next buffer is made.
            boolean unused = UnpooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        LOGGER.removeHandler(handler);
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        assertThat(found).as("buffers that nobody released").isEmpty();
    }
}
