// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import io.github.rdma4j.instant.InstantKernel;
import io.github.rdma4j.instant.SharedRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QpAttr;
import io.github.rdma4j.verbs.QpState;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.VerbsObject;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;

/** The device that all tests of this JVM share, and the objects that each trial makes on it. */
final class Device {
    private static final int CAPACITY = 3;

    private static final InstantKernel KERNEL = new InstantKernel(CAPACITY);
    private static final ReentrantLock MAKING = new ReentrantLock();
    private static final DeviceContext CONTEXT;
    private static final ProtectionDomain PD;
    private static final CompletionQueue CQ;

    static {
        try {
            CONTEXT = KERNEL.openDevice();
            PD = CONTEXT.allocatePd();
            CQ = CONTEXT.createCq(CAPACITY);
        } catch (RdmaException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Device() {}

    /** Closes without a checked exception, which jcstress does not expect of an actor. */
    static void close(VerbsObject object) {
        try {
            object.close();
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A completion queue and its ring. */
    record Completions(CompletionQueue cq, SharedRing ring) {}

    static Completions completions() {
        MAKING.lock();
        try {
            CompletionQueue cq = CONTEXT.createCq(CAPACITY);
            return new Completions(cq, KERNEL.lastRing());
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        } finally {
            MAKING.unlock();
        }
    }

    /** A queue pair that sends, and its send ring. */
    record Sends(QueuePair qp, SharedRing ring) {}

    static Sends sends() {
        MAKING.lock();
        try {
            QueuePair qp = PD.createQp(QueuePairOptions.builder().cq(CQ).build());
            qp.modify(QpAttr.builder().state(QpState.RTS).build());
            return new Sends(qp, KERNEL.sendRing(KERNEL.lastQueuePair()));
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        } finally {
            MAKING.unlock();
        }
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
