// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Reads one work request out of a send ring of the ConnectX family. Whatever does not fit the queue pair, the place or the format fails
 * the request with {@link Syndrome#LOCAL_QP_OP_ERR}, and is complained about.
 */
abstract class ConnectxElements {
    private static final Map<Integer, Operation> OPERATIONS = Map.of(
            Codes.OPCODE_RDMA_WRITE, Operation.WRITE,
            Codes.OPCODE_RDMA_WRITE_IMM, Operation.WRITE_IMM,
            Codes.OPCODE_SEND, Operation.SEND,
            Codes.OPCODE_SEND_IMM, Operation.SEND_IMM,
            Codes.OPCODE_RDMA_READ, Operation.READ,
            Codes.OPCODE_ATOMIC_CS, Operation.COMPARE_AND_SWAP,
            Codes.OPCODE_ATOMIC_FA, Operation.FETCH_AND_ADD);

    private final QpSpec spec;
    private final Complaints complaints;
    private ByteBuffer element = ByteBuffer.allocate(0);

    ConnectxElements(QpSpec spec, Complaints complaints) {
        this.spec = spec;
        this.complaints = complaints;
    }

    final QpSpec spec() {
        return spec;
    }

    final Complaints complaints() {
        return complaints;
    }

    /** The work request that is read. */
    final ByteBuffer element() {
        return element;
    }

    /** Reads another work request from now on. */
    final void element(ByteBuffer bytes) {
        element = bytes;
    }

    /** The operation behind {@code code}, which the queue pair must take; not all devices have the {@code others}. */
    final Operation taken(Map<Integer, Operation> others, int counter, int code) throws CardFault {
        Operation operation = OPERATIONS.getOrDefault(code, others.get(code));
        if (operation == null || !isTaken(operation)) {
            throw complaints.fault(spec.qpn(), counter, "the opcode 0x%x", code);
        }
        return operation;
    }

    private boolean isTaken(Operation operation) {
        boolean datagram = operation == Operation.SEND || operation == Operation.SEND_IMM;
        return switch (spec.type()) {
            case QpSpec.RC, QpSpec.XRC_INI -> true;
            case QpSpec.UC ->
                datagram
                        || operation == Operation.WRITE
                        || operation == Operation.WRITE_IMM
                        || operation == Operation.BIND;
            default -> datagram;
        };
    }

    /** The next bytes of the work request. */
    final ByteBuffer next(int bytes, int counter) throws CardFault {
        require(element.remaining() >= bytes, "only %d bytes of segments", counter, element.remaining());
        ByteBuffer part = element.slice(element.position(), bytes);
        element.position(element.position() + bytes);
        return part;
    }

    /** Key and address of the peer's memory; the length is that of the local memory. */
    final Segment remoteStart(int counter, Operation operation) throws CardFault {
        if (!operation.hasRemoteAddress()) {
            return new Segment(0, 0, 0);
        }
        ByteBuffer segment = next(Segment.BYTES, counter);
        int reserved = segment.getInt(12);
        require(reserved == 0, "0x%x behind the remote key", counter, reserved);
        return new Segment(0, segment.getInt(8), segment.getLong(0));
    }

    final void require(boolean holds, String what, int counter, int value) throws CardFault {
        complaints.require(holds, spec.qpn(), counter, what, value);
    }
}
