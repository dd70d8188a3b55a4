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
 * Where subnet administration is and what is known of it. The port is read again when an answer failed to come, for the
 * subnet manager may have moved; what was known of another subnet manager is forgotten.
 */
final class SubnetManagerAddress {
    private static final int FULL_DEFAULT_PKEY = 0xffff;
    private static final int LIMITED_DEFAULT_PKEY = 0x7fff;

    /** 1.07 s: what InfiniBand assumes of a node that does not say, and of a packet's way there and back. */
    private static final Duration DEFAULT_TIME = ClassPortInfo.time(18);

    /** How often a LID that is not known makes the port be read. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MadTransport transport;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable LocalPort port;
    private boolean stale;

    /** Where subnet administration redirected a request to that was answered there; 0 for nowhere. */
    private int delegateLid;

    private boolean looked;
    private long lastLook;
    private @Nullable ClassPortInfo info;

    SubnetManagerAddress(MadTransport transport) {
        this.transport = transport;
    }

    /** The port as last read. */
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

    /** Where requests go; empty while the port has no subnet manager. */
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
     * Whether what comes from a LID comes from subnet administration. The subnet manager may have moved, so the port is read
     * again for another LID than the known one; at most once in a second, for anybody can send something.
     */
    boolean isAt(int lid) {
        lock.lock();
        try {
            LocalPort known = port;
            if (lid != 0 && (lid == delegateLid || (known != null && lid == known.smLid()))) {
                return true;
            }
            long now = System.nanoTime();
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

    /** A request was answered there after a redirection: what subnet administration sends of itself may come from there. */
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

    /** The next use reads the port again. */
    void suspect() {
        lock.lock();
        try {
            stale = true;
        } finally {
            lock.unlock();
        }
    }

    /** The next use reads the port again, and nothing is known of the subnet manager any more. */
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

    /** What subnet administration said it can do. */
    Optional<ClassPortInfo> info() {
        lock.lock();
        try {
            return Optional.ofNullable(info);
        } finally {
            lock.unlock();
        }
    }

    /** How long the first attempt of a request waits for its answer. */
    Duration firstTimeout() {
        return info().map(ClassPortInfo::responseTime).orElse(DEFAULT_TIME).plus(DEFAULT_TIME);
    }
}
