// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * What epoll waits for, and what has happened.
 *
 * <pre>{@code
 * struct epoll_event {   // sys/epoll.h; packed on x86-64, and only there
 *     uint32_t events;   //  0
 *     epoll_data_t data; //  4 on x86-64, 8 elsewhere: what the caller wants back
 * };                     // 12 on x86-64, 16 elsewhere
 * }</pre>
 */
@KernelStruct(value = "struct epoll_event", header = "sys/epoll.h")
public final class EpollEvent {
    private static final boolean PACKED = System.getProperty("os.arch", "").equals("amd64");

    private EpollEvent() {}

    public static final class Layout {
        public static final int EVENTS = 0;
        public static final int DATA = PACKED ? 4 : 8;
        public static final int BYTES = PACKED ? 12 : 16;

        private Layout() {}
    }
}
