// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;

/** A test class that closes what a test has opened, the last first. */
public abstract class Closing {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Closes a resource after the test. */
    protected final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    @AfterEach
    final void closeAll() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }
}
