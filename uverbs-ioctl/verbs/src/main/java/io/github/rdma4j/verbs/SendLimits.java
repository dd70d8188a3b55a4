// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair takes as a send work request: a request that fails in the device would break the queue pair. What the
 * request names must be open: its number may be another's by now.
 */
final class SendLimits {
    private static final int OPERATIONS = Integer.SIZE;

    private final QueuePair qp;
    private final DeviceContext context;

    /** Null for a queue pair that sends nothing. */
    private final @Nullable ProtectionDomain pd;

    private final long maxMessage;
    private final int maxPieces;
    private final int maxInline;
    private final boolean datagram;
    private final boolean initiator;

    /** A bit for each operation that the type of the queue pair has. */
    private final int carried;

    /** {@code maxMessage} in bytes. */
    SendLimits(QueuePair qp, DeviceContext context, @Nullable ProtectionDomain pd, QpCap cap, long maxMessage) {
        this.qp = qp;
        this.context = context;
        this.pd = pd;
        this.maxMessage = maxMessage;
        this.maxPieces = cap.maxSendSge();
        this.maxInline = cap.maxInline();
        this.datagram = qp.type().isDatagram();
        this.initiator = qp.type() == QueuePairType.XRC_INI;
        this.carried = IntStream.range(0, OPERATIONS)
                .filter(opcode -> SendOperations.carries(qp.type(), opcode))
                .map(opcode -> 1 << opcode)
                .sum();
    }

    /** Throws for a request that must not be posted; allocates nothing for one that may. */
    void check(SendWorkRequest request) {
        qp.ensureOpen();
        if (qp.state().code() < QpState.RTS.code()) {
            throw new IllegalStateException(qp + " cannot send before it is in RTS: connect it first");
        }
        SendView view = request.view();
        int opcode = view.opcode();
        if ((carried >>> opcode & 1) == 0) {
            throw new IllegalArgumentException(
                    qp + " is of the type " + qp.type() + ", which has no " + SendOperations.name(opcode));
        }
        if (opcode >= WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV) {
            checkLessCommon(request, view);
        } else if (view.isAtomic()) {
            checkAtomic(view);
        }
        checkDestination(request, view);
        checkMemory(view);
        if (view.totalLength() > maxMessage) {
            throw new IllegalArgumentException("a message of " + view.totalLength() + " bytes; "
                    + (datagram ? "a datagram has to fit into one packet, which takes " : "the port takes ")
                    + maxMessage + " at most");
        }
        request.pieces().ensureUsable();
    }

    private void checkDestination(SendWorkRequest request, SendView view) {
        if (view.remoteSrqn() >= 0 != initiator) {
            throw wrongSharedQueue();
        }
        AddressHandle ah = request.address();
        if (!datagram) {
            if (ah != null) {
                throw new IllegalArgumentException(qp + " sends to the peer it is connected to, not to " + ah);
            }
        } else if (ah == null) {
            throw new IllegalArgumentException("a datagram needs an address: call to(ah, qpn, qkey)");
        } else if (ah.pd() != pd) {
            throw new IllegalArgumentException(ah + " is of another protection domain than " + qp);
        } else {
            ah.ensureOpen();
        }
    }

    private IllegalArgumentException wrongSharedQueue() {
        return new IllegalArgumentException(
                initiator
                        ? "a request of " + qp + " needs the peer's shared receive queue: call toSrq(number)"
                        : qp + " is of the type " + qp.type() + ", whose requests name no shared receive queue");
    }

    /** What concerns memory windows, and what not every device has. */
    private void checkLessCommon(SendWorkRequest request, SendView view) {
        int opcode = view.opcode();
        MemoryWindow window = request.window();
        if (window != null && window.pd() != pd) {
            throw new IllegalArgumentException(window + " is of another protection domain than " + qp);
        }
        if (SendOperations.hasNoMemory(opcode) && (view.numSge() != 0 || view.inlineData() != null)) {
            throw new IllegalArgumentException(
                    "a " + SendOperations.name(opcode) + " has no memory of its own: call clear()");
        }
        if (opcode == SendOperations.ATOMIC_WRITE) {
            context.require(DeviceAttr.Capability.ATOMIC_WRITE);
        } else if (opcode == SendOperations.FLUSH) {
            context.require(
                    view.flushTypes() == SendWorkRequest.FlushPlacement.GLOBAL.code()
                            ? DeviceAttr.Capability.FLUSH_GLOBAL
                            : DeviceAttr.Capability.FLUSH_PERSISTENT);
        }
        request.ensureWindowUsable();
    }

    private void checkMemory(SendView request) {
        ByteBuffer inline = request.inlineData();
        if (inline != null) {
            checkInline(request, inline);
        } else if (request.numSge() > maxPieces) {
            throw new IllegalArgumentException(request.numSge() + " pieces of memory where the send queue of " + qp
                    + " takes " + maxPieces + ": raise maxSendSge");
        }
    }

    private void checkAtomic(SendView request) {
        if (request.inlineData() != null
                || request.numSge() != 1
                || request.totalLength() != SendWorkRequest.ATOMIC_BYTES) {
            throw new IllegalArgumentException("an atomic operation needs one piece of memory, of "
                    + SendWorkRequest.ATOMIC_BYTES + " bytes, for what was there before");
        }
    }

    private void checkInline(SendView request, ByteBuffer inline) {
        if (inline.remaining() > maxInline) {
            throw new IllegalArgumentException(inline.remaining() + " bytes of inline data where " + qp + " takes "
                    + maxInline + ": raise maxInline");
        }
        if (request.opcode() == WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ) {
            throw new IllegalArgumentException("an RDMA read has nothing to send inline");
        }
    }
}
