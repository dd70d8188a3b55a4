// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak;

/** By how much a measurement may exceed the baseline without anything having leaked. */
final class Tolerance {
    private static final long MIB = 1 << 20;

    /** Eventfds of waiting threads are kept for the next ones; a flood has many threads wait at once. */
    private static final long EVENTFDS = 96;

    /**
     * Collected, but not compacted to the byte: classes, caches of the JDK and what the last clients left in thread-local
     * buffers. A leak of 4 KiB for each of a thousand connections is found.
     */
    private static final long HEAP = 4 * MIB;

    /** Thread-local buffers of the JDK's channels. */
    private static final long DIRECT = MIB / 4;

    /** Stacks of JVM threads that are about to end, code cache segments, large blocks of the C library: none is RDMA's. */
    private static final long MAPS = 96;

    /** One that is about to end. */
    private static final long FILES = 2;

    private Tolerance() {}

    static long of(String what) {
        return switch (what) {
            case "heap" -> HEAP;
            case "direct" -> DIRECT;
            case "maps" -> MAPS;
            case "fd.anon_inode:[eventfd]" -> EVENTFDS;
            case "fd.file", "fd.socket:[N]", "fd.pipe:[N]" -> FILES;
            default -> 0;
        };
    }
}
