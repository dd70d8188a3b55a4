// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** The locks of a channel of datagrams, in the order in which they are taken. */
final class UdpLocks {
    private final ReentrantLock readers = new ReentrantLock();
    private final ReentrantLock writers = new ReentrantLock();

    /** For addresses, options and groups. */
    private final ReentrantLock state = new ReentrantLock();

    /** Does something to the state. */
    @FunctionalInterface
    interface Change {
        void make() throws IOException;
    }

    ReentrantLock ofReaders() {
        return readers;
    }

    ReentrantLock ofWriters() {
        return writers;
    }

    ReentrantLock ofState() {
        return state;
    }

    void change(Change change) throws IOException {
        state.lock();
        try {
            change.make();
        } finally {
            state.unlock();
        }
    }

    /** Changes what no thread may use meanwhile that reads or writes. */
    void changeAlone(Change change) throws IOException {
        readers.lock();
        writers.lock();
        try {
            change(change);
        } finally {
            writers.unlock();
            readers.unlock();
        }
    }
}
