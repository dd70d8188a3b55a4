// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The address and the capabilities of subnet administration. The port is read again after a missing answer, because the
 * subnet manager may have moved; the capabilities of a former subnet manager are dropped.
 */
final class SubnetManagerAddress {
    private static final int DEFAULT_PKEY = 0xffff;
    private static final int FULL_MEMBERSHIP = 0x8000;

    /** 1.07 s: InfiniBand's default for an unknown response time, and for the round trip of a packet. */
    private static final Duration DEFAULT_TIME = ClassPortInfo.time(18);

    /**
     * 4.3 s: the longest accepted response time. Subnet administration can state up to 2 hours and 26 minutes, during
     * which a lost request would not be repeated.
     */
    private static final Duration LONGEST_RESPONSE = ClassPortInfo.time(20);

    /** The minimum interval between reads of the port because of an unknown LID. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The time that the repetition of a request waits for a read of the port. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MadTransport transport;
    private final SaClock clock;

    /** Guards changes. The volatile fields are also read without it. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable LocalPort port;
    private boolean stale;

    /** The number of times that the port became stale. A read that began earlier is stale at once. */
    private long doubts;

    /** The number of reads begun, and the number of the newest completed read. */
    private long reads;

    private long newestRead;

    /** The LID of the port that answered a redirected request; 0 for none. */
    private volatile int delegateLid;

    private boolean looked;
    private long lastSuspicion;
    private volatile @Nullable ClassPortInfo info;
    private long forgets;

    SubnetManagerAddress(MadTransport transport, SaClock clock) {
        this.transport = transport;
        this.clock = clock;
    }

    /**
     * The state of the port.
     *
     * @param port the port; null if it could not be read
     * @param address the address of subnet administration; null while the port has no subnet manager
     * @param failure the reason why the port could not be read; null if it was read
     */
    record Look(
            @Nullable LocalPort port,
            @Nullable MadAddress address,
            @Nullable Throwable failure) {}

    /** The port; reads it, without the lock, if the last read is missing or stale. */
    LocalPort port() throws RdmaException {
        long read;
        long doubt;
        lock.lock();
        try {
            LocalPort known = port;
            if (known != null && !stale) {
                return known;
            }
            read = ++reads;
            doubt = doubts;
        } finally {
            lock.unlock();
        }
        LocalPort fresh = transport.port();
        locked(() -> keep(fresh, read, doubt));
        return fresh;
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Stores the result of a read, unless a later read has completed. */
    private void keep(LocalPort fresh, long read, long doubt) {
        if (read < newestRead) {
            return;
        }
        newestRead = read;
        LocalPort known = port;
        if (known != null && (known.smLid() != fresh.smLid() || known.lid() != fresh.lid())) {
            info = null;
            forgets++;
            delegateLid = 0;
        }
        port = fresh;
        stale = doubt != doubts;
    }

    /** The current state of the port, with the address for requests. */
    Look look() {
        try {
            LocalPort current = port();
            if (current.smLid() == 0) {
                suspect();
            }
            return look(current);
        } catch (RdmaException | RuntimeException | Error e) {
            return new Look(null, null, e);
        }
    }

    /** The last known state of the port; does not read it. */
    Look lastLook() {
        LocalPort known = port;
        return known == null ? new Look(null, null, null) : look(known);
    }

    private static Look look(LocalPort port) {
        if (port.smLid() == 0) {
            return new Look(port, null, null);
        }
        MadAddress address = new MadAddress(
                port.smLid(),
                port.smSl(),
                MadAddress.GSI_QPN,
                MadAddress.GSI_QKEY,
                Math.max(0, pkeyIndex(port, DEFAULT_PKEY)),
                Optional.empty());
        return new Look(port, address, null);
    }

    /** True if subnet administration was last known to be at a LID. */
    boolean isAt(int lid) {
        int delegate = delegateLid;
        LocalPort known = port;
        return lid != 0 && (lid == delegate || (known != null && lid == known.smLid()));
    }

    /**
     * True if the subnet manager may have moved to an unknown LID, so that the port must be read again. True at most
     * once a second, because any port of the subnet can send MADs.
     */
    boolean mayHaveMovedTo(int lid) {
        lock.lock();
        try {
            long now = clock.nanoTime();
            if (lid == 0 || (looked && now - lastSuspicion < LOOK_NANOS)) {
                return false;
            }
            looked = true;
            lastSuspicion = now;
        } finally {
            lock.unlock();
        }
        suspect();
        return true;
    }

    /** The index of a partition in the last read table of the port; -1 if the port is not in the partition. */
    int pkeyIndex(int pkey) {
        LocalPort known = port;
        return known == null ? -1 : pkeyIndex(known, pkey);
    }

    /** As in the kernel ({@code ib_find_pkey}), ignores the full membership bit, and prefers a full membership. */
    private static int pkeyIndex(LocalPort port, int pkey) {
        int full = port.pkeys().indexOf(pkey | FULL_MEMBERSHIP);
        return full >= 0 ? full : port.pkeys().indexOf(pkey & ~FULL_MEMBERSHIP);
    }

    /** Records that a LID answered a redirected request; reports may come from that LID, too. */
    void redirectedTo(int lid) {
        delegateLid = lid;
    }

    /** Makes the next use read the port again. */
    void suspect() {
        locked(() -> {
            stale = true;
            doubts++;
        });
    }

    /** Makes the next use read the port again, and drops the capabilities. */
    void forget() {
        locked(() -> {
            stale = true;
            doubts++;
            info = null;
            forgets++;
        });
    }

    /** The number of times that the capabilities were dropped. */
    long forgets() {
        lock.lock();
        try {
            return forgets;
        } finally {
            lock.unlock();
        }
    }

    /** Stores capabilities that were requested at {@code asked}, unless they were dropped later. */
    void learn(ClassPortInfo learned, long asked) {
        locked(() -> {
            if (asked == forgets) {
                info = learned;
            }
        });
    }

    /** The capabilities of subnet administration, if they are known. */
    Optional<ClassPortInfo> info() {
        return Optional.ofNullable(info);
    }

    /** The timeout of the first attempt of a request. */
    Duration firstTimeout() {
        Duration response = info().map(ClassPortInfo::responseTime).orElse(DEFAULT_TIME);
        return (response.compareTo(LONGEST_RESPONSE) < 0 ? response : LONGEST_RESPONSE).plus(DEFAULT_TIME);
    }
}
