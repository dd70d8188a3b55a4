// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * The port of a client of a {@link LyingManager}. The thread that moves the clock gives each MAD to the receiving thread
 * of the client and waits until that has processed it, so that a seed repeats a run.
 */
final class LyingPort implements MadTransport {
    static final Gid GID = new Gid(0xfe80_0000_0000_0000L, 0x0002_c903_00a0_0004L);

    /** The LID of the port to which requests are redirected; it serves the same records. */
    static final int DELEGATE = 77;

    private static final long PATIENCE_SECONDS = 60;
    private static final ReceivedMad END =
            new ReceivedMad(-1, MadAddress.generalServices(0, 0), ByteBuffer.allocate(0));

    private final VirtualClock clock;
    private final LyingManager manager;
    private final SynchronousQueue<ReceivedMad> handed = new SynchronousQueue<>();
    private final Semaphore idle = new Semaphore(0);
    private volatile boolean closed;
    private volatile int managerLid = 7;
    private volatile boolean active = true;

    LyingPort(VirtualClock clock, Random random) {
        this.clock = clock;
        this.manager = new LyingManager(this, clock, random);
    }

    LyingManager manager() {
        return manager;
    }

    int managerLid() {
        return managerLid;
    }

    /** The subnet manager is elsewhere from now on. */
    void managerMoves(int lid) {
        managerLid = lid;
    }

    /** The link comes or goes; while it is away nothing arrives anywhere. */
    void active(boolean now) {
        active = now;
    }

    @Override
    public LocalPort port() {
        PortAttr.State state = active ? PortAttr.State.ACTIVE : PortAttr.State.DOWN;
        return new LocalPort(
                "lying0", 1, state.code(), LinkLayer.INFINIBAND, 4, 0, managerLid, 0, GID, List.of(0xffff, 0x0001));
    }

    @Override
    public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
        if (closed) {
            throw new IllegalStateException("lying0 is closed");
        }
        if (active) {
            ByteBuffer copy = ByteBuffer.allocate(mad.remaining()).put(mad.duplicate());
            manager.receive(to.lid(), copy.flip(), timeout.toNanos());
        }
    }

    void deliverLater(int from, ByteBuffer mad, long delayNanos) {
        clock.later(delayNanos, () -> {
            if (active && !closed) {
                hand(new ReceivedMad(0, MadAddress.generalServices(from, 0), mad));
            }
        });
    }

    private void hand(ReceivedMad mad) {
        boolean interrupted = Thread.interrupted();
        try {
            if (!idle.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the receiving thread is stuck");
            }
            handed.put(mad);
            if (!mad.equals(END)) {
                idle.acquire();
                idle.release();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws RdmaException, InterruptedException {
        idle.release();
        ReceivedMad mad = Objects.requireNonNull(handed.take());
        if (closed) {
            throw new ClosedWhileWaitingException("lying0");
        }
        return Optional.of(mad);
    }

    @Override
    public boolean reassembles() {
        return false;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            hand(END);
        }
    }
}
