// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.docker;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** The last bytes of a stream, as text. */
final class Tail {
    /** More than the kernel's lines that a failed guest leaves. */
    static final int MOST = 65536;

    private final ReentrantLock lock = new ReentrantLock();
    private byte[] last = {};

    void add(byte[] bytes) {
        lock.lock();
        try {
            byte[] all = Arrays.copyOf(last, last.length + bytes.length);
            System.arraycopy(bytes, 0, all, last.length, bytes.length);
            last = Arrays.copyOfRange(all, Math.max(0, all.length - MOST), all.length);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return new String(last, StandardCharsets.UTF_8);
        } finally {
            lock.unlock();
        }
    }
}
