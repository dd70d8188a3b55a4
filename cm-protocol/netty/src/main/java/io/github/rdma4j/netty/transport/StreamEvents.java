// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.fd.Epoll;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.WakeUp;
import io.github.rdma4j.internal.rsocket.StreamLife;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import java.util.function.LongConsumer;

/** The events of many streams, and a signal that ends the wait for them. One thread waits; any thread may signal. */
final class StreamEvents {
    /** What comes with the signal. */
    private static final long SIGNAL = -1;

    private final Epoll epoll;
    private final WakeUp wakeUp;

    private StreamEvents(Epoll epoll, WakeUp wakeUp) {
        this.epoll = epoll;
        this.wakeUp = wakeUp;
    }

    static StreamEvents open() throws ErrnoException {
        Epoll epoll = Epoll.open(Kernel.running());
        boolean done = false;
        try {
            WakeUp wakeUp = WakeUp.open(Kernel.running());
            wakeUp.enter();
            epoll.addReadable(wakeUp.number(), SIGNAL);
            done = true;
            return new StreamEvents(epoll, wakeUp);
        } finally {
            if (!done) {
                epoll.close();
            }
        }
    }

    /** Watches a stream; its events come with {@code data}. The kernel forgets a stream that is closed. */
    void add(StreamLife stream, long data) throws ErrnoException {
        KernelFd descriptor = KernelFd.of(stream.descriptor());
        if (descriptor.tryEnter()) {
            try {
                epoll.addReadable(descriptor.number(), data);
            } finally {
                descriptor.leave();
            }
        }
    }

    void remove(StreamLife stream) {
        KernelFd descriptor = KernelFd.of(stream.descriptor());
        if (descriptor.tryEnter()) {
            try {
                epoll.remove(descriptor.number());
            } finally {
                descriptor.leave();
            }
        }
    }

    /** Waits at most {@code millis}, -1 for no limit, and gives the data of the streams with an event to {@code ready}. */
    void await(int millis, LongConsumer ready) throws ErrnoException {
        int count = epoll.await(millis);
        for (int i = 0; i < count; i++) {
            long data = epoll.data(i);
            if (data == SIGNAL) {
                wakeUp.drain();
            } else {
                ready.accept(data);
            }
        }
    }

    /** Ends the wait under way, or the next. */
    void signal() {
        wakeUp.signal();
    }

    void close() {
        epoll.close();
        wakeUp.leave();
        wakeUp.close();
    }
}
