// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.fd.KernelFd;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.LibraryLoader;

/** Takes events when they have arrived, so that how long they take has no part in what is counted. */
final class Arrived {
    private static final int POLLFD_BYTES = 8;
    private static final int EVENTS = 4;
    private static final short POLLIN = 1;
    private static final int LIMIT_MILLIS = 60_000;

    /** Of the C library itself, which nobody counts. */
    private static final Libc LIBC = LibraryLoader.create(Libc.class).load("libc.so.6");

    private Arrived() {}

    /** Public for JNR. */
    public interface Libc {
        int poll(ByteBuffer pollfds, long number, int millis);
    }

    static CmEvent event(EventChannel channel, CmEventType type) throws Exception {
        ByteBuffer pollfd = ByteBuffer.allocateDirect(POLLFD_BYTES).order(ByteOrder.nativeOrder());
        KernelFd.of(channel).use(number -> {
            pollfd.putInt(0, number).putShort(EVENTS, POLLIN);
            return LIBC.poll(pollfd, 1, LIMIT_MILLIS);
        });
        try (CmEvent event = channel.awaitEvent()) {
            if (event.type() != type) {
                throw new AssertionError("expected " + type + ", got " + event);
            }
            return event;
        }
    }
}
