// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks send work requests, because a request that fails in the device breaks the queue pair. The objects that a
 * request names must be open, because the kernel may have reused their numbers.
 */
final class SendLimits {
    private static final int OPERATIONS = Integer.SIZE;

    private final VerbsObject qp;
    private final QueuePairType type;
    private final QueuePairState state;
    private final Consumer<DeviceAttr.Capability> capabilities;

    /** Null for a queue pair that sends nothing. */
    private final @Nullable VerbsObject pd;

    private final long maxMessage;
    private final int maxSge;
    private final int maxInline;
    private final boolean datagram;
    private final boolean initiator;

    /** One bit for each operation that the type of the queue pair supports. */
    private final int carried;

    /**
     * The parts of the queue pair that checks of its requests use.
     *
     * @param qp the queue pair, for messages, and to check that it is open
     * @param state the state, which determines whether the queue pair sends
     * @param capabilities throws if the device lacks a capability
     * @param pd the owner of the objects in requests; null for a queue pair that sends nothing
     */
    record Sender(
            VerbsObject qp,
            QueuePairType type,
            QueuePairState state,
            Consumer<DeviceAttr.Capability> capabilities,
            @Nullable VerbsObject pd) {}

    /** Creates the limits of a queue pair for messages of at most {@code maxMessage} bytes. */
    SendLimits(Sender sender, QpCap cap, long maxMessage) {
        this.qp = sender.qp;
        this.type = sender.type;
        this.state = sender.state;
        this.capabilities = sender.capabilities;
        this.pd = sender.pd;
        this.maxMessage = maxMessage;
        this.maxSge = cap.maxSendSge();
        this.maxInline = cap.maxInline();
        this.datagram = type.isDatagram();
        this.initiator = type == QueuePairType.XRC_INI;
        this.carried = IntStream.range(0, OPERATIONS)
                .filter(opcode -> SendOperations.carries(type, opcode))
                .map(opcode -> 1 << opcode)
                .sum();
    }

    /** Throws if the queue pair accepts no requests. */
    void checkState() {
        qp.ensureOpen();
        if (state.get().code() < QpState.RTS.code()) {
            throw new IllegalStateException(qp + " cannot send before it reaches RTS: connect it first");
        }
    }

    /** Throws if the request must not be posted. Allocates nothing otherwise. */
    void check(SendWorkRequest request) {
        ScatterGatherList pieces = request.pieces();
        if (!pieces.isAcceptedBy(this)) {
            checkAll(request);
        }
        pieces.ensureUsable();
    }

    /** Checks a request completely; an accepted request need not be checked again until it changes. */
    private void checkAll(SendWorkRequest request) {
        SendView view = request.view();
        int opcode = view.opcode();
        if ((carried >>> opcode & 1) == 0) {
            throw new IllegalArgumentException(qp + " has type " + type + ", which does not support this operation: "
                    + SendOperations.name(opcode));
        }
        if (opcode >= WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV) {
            checkLessCommon(request, view);
        } else if (view.isAtomic()) {
            checkAtomic(view);
        }
        checkDestination(request, view);
        checkMemory(view);
        if (view.totalLength() > maxMessage) {
            throw new IllegalArgumentException("a message of " + view.totalLength() + " bytes; the maximum "
                    + (datagram ? "of one packet, which must hold a datagram, is " : "of the port is ") + maxMessage);
        }
        // objects that can be closed, and bytes in a buffer of the program, change without the request
        if (!datagram && opcode < WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV && view.inlineData() == null) {
            request.pieces().accepted(this);
        }
    }

    private void checkDestination(SendWorkRequest request, SendView view) {
        if (view.remoteSrqn() >= 0 != initiator) {
            throw wrongSharedQueue();
        }
        AddressHandle ah = request.address();
        if (!datagram) {
            if (ah != null) {
                throw new IllegalArgumentException(qp + " sends to its connected peer only; it cannot send to " + ah);
            }
        } else if (ah == null) {
            throw new IllegalArgumentException("a datagram needs a destination: call to(ah, qpn, qkey)");
        } else if (ah.pd() != pd) {
            throw new IllegalArgumentException(ah + " belongs to another protection domain than " + qp);
        } else {
            ah.ensureOpen();
        }
    }

    private IllegalArgumentException wrongSharedQueue() {
        return new IllegalArgumentException(
                initiator
                        ? "a request of " + qp + " needs a shared receive queue of the peer: call toSrq(number)"
                        : qp + " has type " + type + ", which does not support toSrq: omit the call");
    }

    /** Checks operations with memory windows, and operations that few devices support. */
    private void checkLessCommon(SendWorkRequest request, SendView view) {
        int opcode = view.opcode();
        MemoryWindow window = request.window();
        if (window != null && window.pd() != pd) {
            throw new IllegalArgumentException(window + " belongs to another protection domain than " + qp);
        }
        if (SendOperations.hasNoMemory(opcode) && (view.numSge() != 0 || view.inlineData() != null)) {
            throw new IllegalArgumentException(
                    SendOperations.name(opcode) + " takes no scatter-gather entries and no inline data: call clear()");
        }
        if (opcode == SendOperations.ATOMIC_WRITE) {
            capabilities.accept(DeviceAttr.Capability.ATOMIC_WRITE);
        } else if (opcode == SendOperations.FLUSH) {
            capabilities.accept(
                    view.flushTypes() == SendWorkRequest.FlushPlacement.GLOBAL.code()
                            ? DeviceAttr.Capability.FLUSH_GLOBAL
                            : DeviceAttr.Capability.FLUSH_PERSISTENT);
        }
        request.ensureWindowUsable();
    }

    private void checkMemory(SendView request) {
        if ((request.flags() & SendFlags.IBV_SEND_INLINE) != 0) {
            checkInline(request);
        } else if (request.numSge() > maxSge) {
            throw new IllegalArgumentException(request.numSge() + " scatter-gather entries; the send queue of " + qp
                    + " accepts at most " + maxSge + ": raise maxSendSge");
        }
    }

    private void checkAtomic(SendView request) {
        if ((request.flags() & SendFlags.IBV_SEND_INLINE) != 0
                || request.numSge() != 1
                || request.totalLength() != SendOperations.ATOMIC_BYTES) {
            throw new IllegalArgumentException("an atomic operation needs one scatter-gather entry of "
                    + SendOperations.ATOMIC_BYTES + " bytes, for the previous value");
        }
    }

    private void checkInline(SendView request) {
        if (request.totalLength() > maxInline) {
            throw new IllegalArgumentException(request.totalLength() + " bytes of inline data; " + qp
                    + " accepts at most " + maxInline + ": raise maxInline");
        }
        if (request.opcode() == WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ) {
            throw new IllegalArgumentException("an RDMA read takes no inline data: call clear() and add()");
        }
    }
}
