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
    private static final int FULL_DEFAULT_PKEY = 0xffff;
    private static final int LIMITED_DEFAULT_PKEY = 0x7fff;

    /** 1.07 s: InfiniBand's default for an unknown response time, and for the round trip of a packet. */
    private static final Duration DEFAULT_TIME = ClassPortInfo.time(18);

    /** The shortest interval between two reads of the port because of an unknown LID. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MadTransport transport;
    private final SaClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable LocalPort port;
    private boolean stale;

    /** The LID of the port that answered a redirected request; 0 for none. */
    private int delegateLid;

    private boolean looked;
    private long lastLook;
    private @Nullable ClassPortInfo info;

    SubnetManagerAddress(MadTransport transport, SaClock clock) {
        this.transport = transport;
        this.clock = clock;
    }

    /** The port; reads it if the last state is unknown or stale. */
    LocalPort port() throws RdmaException {
        lock.lock();
        try {
            LocalPort known = port;
            if (known == null || stale) {
                LocalPort fresh = transport.port();
                if (known != null && (known.smLid() != fresh.smLid() || known.lid() != fresh.lid())) {
                    info = null;
                    delegateLid = 0;
                }
                port = fresh;
                stale = false;
                return fresh;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** The address for requests; empty while the port has no subnet manager. */
    Optional<MadAddress> address() throws RdmaException {
        LocalPort current = port();
        if (current.smLid() == 0) {
            suspect();
            return Optional.empty();
        }
        return Optional.of(new MadAddress(
                current.smLid(),
                current.smSl(),
                MadAddress.GSI_QPN,
                MadAddress.GSI_QKEY,
                defaultPkeyIndex(current),
                Optional.empty()));
    }

    /**
     * True when subnet administration is at a LID. The subnet manager may have moved, so an unknown LID makes this read
     * the port again, at most once a second, because every port of the subnet can send MADs.
     */
    boolean isAt(int lid) {
        lock.lock();
        try {
            LocalPort known = port;
            if (lid != 0 && (lid == delegateLid || (known != null && lid == known.smLid()))) {
                return true;
            }
            long now = clock.nanoTime();
            if (lid == 0 || (looked && now - lastLook < LOOK_NANOS)) {
                return false;
            }
            looked = true;
            lastLook = now;
            stale = true;
            return port().smLid() == lid;
        } catch (RdmaException unknown) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Records that a redirected request was answered from a LID; reports may come from there, too. */
    void redirectedTo(int lid) {
        lock.lock();
        try {
            delegateLid = lid;
        } finally {
            lock.unlock();
        }
    }

    private static int defaultPkeyIndex(LocalPort port) {
        int full = port.pkeys().indexOf(FULL_DEFAULT_PKEY);
        return Math.max(0, full >= 0 ? full : port.pkeys().indexOf(LIMITED_DEFAULT_PKEY));
    }

    /** Makes the next use read the port again. */
    void suspect() {
        lock.lock();
        try {
            stale = true;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the next use read the port again, and drops the capabilities. */
    void forget() {
        lock.lock();
        try {
            stale = true;
            info = null;
        } finally {
            lock.unlock();
        }
    }

    void learn(ClassPortInfo learned) {
        lock.lock();
        try {
            info = learned;
        } finally {
            lock.unlock();
        }
    }

    /** The capabilities of subnet administration, if they are known. */
    Optional<ClassPortInfo> info() {
        lock.lock();
        try {
            return Optional.ofNullable(info);
        } finally {
            lock.unlock();
        }
    }

    /** The timeout of the first attempt of a request. */
    Duration firstTimeout() {
        return info().map(ClassPortInfo::responseTime).orElse(DEFAULT_TIME).plus(DEFAULT_TIME);
    }
}
