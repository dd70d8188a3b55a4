// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.internal.ioctl.ControlPaths;
import java.util.concurrent.Callable;

/** Choosing how the commands of contexts that are opened from now on reach the kernel. */
public final class Transport {
    private Transport() {}

    /** Runs {@code work} with {@code transport} for every context that it opens. */
    public static <T> T with(String transport, Callable<T> work) throws Exception {
        use(transport);
        try {
            return work.call();
        } finally {
            use("");
        }
    }

    /** {@code ioctl} or {@code write}; empty for the library's own choice. */
    static void use(String transport) {
        if (transport.isEmpty()) {
            System.clearProperty(ControlPaths.TRANSPORT_PROPERTY);
        } else {
            System.setProperty(ControlPaths.TRANSPORT_PROPERTY, transport);
        }
    }
}
