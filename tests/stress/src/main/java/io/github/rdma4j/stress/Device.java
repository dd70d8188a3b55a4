// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.instant.InstantKernel;
import io.github.rdma4j.providers.instant.SharedRing;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.RegistrationCache;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The device that all tests of this JVM share, and the objects that each trial makes on it. */
final class Device {
    private static final int CAPACITY = 3;

    private static final InstantKernel KERNEL = new InstantKernel(CAPACITY);
    private static final ReentrantLock MAKING = new ReentrantLock();
    private static final DeviceContext CONTEXT;
    private static final ProtectionDomain PD;
    private static final CompletionQueue CQ;
    private static final SharedReceiveQueue SRQ;

    static {
        try {
            CONTEXT = KERNEL.openDevice();
            PD = CONTEXT.allocatePd();
            CQ = CONTEXT.createCq(CAPACITY);
            SRQ = PD.createSrq(SharedReceiveQueueOptions.DEFAULT);
        } catch (RdmaException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Device() {}

    /** Closes without a checked exception, which jcstress does not expect of an actor. */
    static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A completion queue and its ring. */
    record Completions(CompletionQueue cq, SharedRing ring) {}

    static Completions completions() {
        return making((context, pd) -> new Completions(context.createCq(CAPACITY), KERNEL.lastRing()));
    }

    /** Something that is made of the context and the protection domain of this JVM. */
    interface Making<T> {
        T of(DeviceContext context, ProtectionDomain pd) throws RdmaException;
    }

    /** Makes it while no other thread makes anything. */
    static <T> T making(Making<T> making) {
        MAKING.lock();
        try {
            return making.of(CONTEXT, PD);
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        } finally {
            MAKING.unlock();
        }
    }

    /** A queue pair that sends and reports to {@code cq}. */
    static QueuePair sending(ProtectionDomain pd, CompletionQueue cq) throws RdmaException {
        return ready(pd.createQp(QueuePairOptions.builder().cq(cq).build()));
    }

    /** A queue pair that only sends, so that {@code cq} has room for all that it may have in flight. */
    static QueuePair onlySending(ProtectionDomain pd, CompletionQueue cq) throws RdmaException {
        return ready(pd.createQp(QueuePairOptions.builder().cq(cq).srq(SRQ).build()));
    }

    private static QueuePair ready(QueuePair qp) throws RdmaException {
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        return qp;
    }

    static RegistrationCache cache() {
        return RegistrationCache.open(PD, Set.of(), 1 << 20);
    }

    /** A queue pair that sends, and its send ring. */
    record Sends(QueuePair qp, SharedRing ring) {}

    static Sends sends() {
        return making((context, pd) -> new Sends(sending(pd, CQ), KERNEL.sendRing(KERNEL.lastQueuePair())));
    }

    /** Posts a message without data; false when the queue pair is closed. */
    static boolean post(QueuePair qp, long wrId) {
        try {
            return qp.tryPostSend(new SendWorkRequest(0).wrId(wrId).send().signaled());
        } catch (IllegalStateException closed) {
            return false;
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }
}
