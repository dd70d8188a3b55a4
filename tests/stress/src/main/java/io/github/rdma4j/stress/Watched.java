// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.providers.instant.InstantKernel;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A readiness set and a source, whose event its descriptor does not tell of. */
final class Watched {
    private static final InstantKernel CALLS = new InstantKernel(1);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final ReadinessSet set;
    private final int number = CALLS.eventfd();
    private final KernelFd descriptor = KernelFd.adopt(CALLS.kernel(), number, "source");
    private final AtomicBoolean event = new AtomicBoolean();
    private final Source source = new Source();

    private Watched(ReadinessSet set) {
        this.set = set;
    }

    private final class Source implements Pollable {
        @Override
        public KernelFd descriptor() {
            return descriptor;
        }

        @Override
        public boolean hasEvent() {
            return event.get();
        }
    }

    /** A set without the source. */
    static Watched apart() {
        try {
            return new Watched(ReadinessSet.open(CALLS.kernel()));
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A set with the source. */
    static Watched added() {
        Watched made = apart();
        made.add();
        return made;
    }

    /** 1 if the source was added, -1 if the set or the source is closed. */
    int add() {
        try {
            set.add(source);
            return 1;
        } catch (IllegalStateException closed) {
            return -1;
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** 1 if the source was in the set. */
    int remove() {
        return set.remove(source) ? 1 : 0;
    }

    /** How many sources have an event now; -1 if the set is closed. */
    int ready() {
        return await(Duration.ZERO);
    }

    /** The same, when there is one. */
    int awaitReady() {
        return await(LIMIT);
    }

    private int await(Duration limit) {
        try {
            return set.await(limit).size();
        } catch (IllegalStateException closed) {
            return -1;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (RdmaException e) { // ClosedWhileWaitingException
            return -1;
        }
    }

    void tell() {
        event.set(true);
        descriptor.wakeWaiters();
    }

    void closeSource() {
        descriptor.close();
    }

    void closeSet() {
        set.close();
    }

    int size() {
        return set.size();
    }

    /** 1 if the kernel has the source's descriptor. */
    int isOpen() {
        return CALLS.isOpen(number) ? 1 : 0;
    }
}
