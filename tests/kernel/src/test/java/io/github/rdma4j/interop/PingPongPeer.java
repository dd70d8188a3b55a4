// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.Pvrdma;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * What the pingpong programs of libibverbs tell each other over TCP: {@code lid:qpn:psn:gid} in hexadecimal, as a string with
 * its end.
 *
 * @param qpn the queue pair number
 * @param psn the first packet sequence number that is sent
 * @param gid the GID
 * @param gidIndex its index at the owner, which the string does not tell
 */
record PingPongPeer(int qpn, int psn, Gid gid, int gidIndex) {
    private static final int TEXT_BYTES = "0000:000000:000000:00000000000000000000000000000000".length() + 1;
    private static final int PSN = 0x123456;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    static PingPongPeer of(DeviceContext context, QueuePair qp) throws RdmaException {
        GidEntry own = Pvrdma.gid(context);
        return new PingPongPeer(qp.qpn(), PSN, own.gid(), own.gidIndex());
    }

    ByteBuffer encode() {
        String text =
                String.format(Locale.ROOT, "%04x:%06x:%06x:%016x%016x\0", 0, qpn, psn, gid.prefix(), gid.interfaceId());
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    static PingPongPeer read(ReadableByteChannel control) throws IOException {
        String[] parts = text(control, TEXT_BYTES).split(":", -1);
        return new PingPongPeer(
                Integer.parseInt(parts[1], 16),
                Integer.parseInt(parts[2], 16),
                new Gid(
                        Long.parseUnsignedLong(parts[3].substring(0, 16), 16),
                        Long.parseUnsignedLong(parts[3].substring(16, 32), 16)),
                0);
    }

    /** What the client says when its queue pair is ready. */
    static ByteBuffer done() {
        return ByteBuffer.wrap(DONE.clone());
    }

    static void readDone(ReadableByteChannel control) throws IOException {
        text(control, DONE.length);
    }

    private static String text(ReadableByteChannel control, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (control.read(buffer) < 0) {
                throw new EOFException("the peer says " + buffer.position() + " of " + bytes + " bytes");
            }
        }
        return new String(buffer.array(), StandardCharsets.US_ASCII);
    }

    /** Brings a queue pair of this side to RTS, connected to {@code peer}. */
    void connect(QueuePair qp, PingPongPeer peer) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.RTR)
                .ahAttr(AhAttr.to(peer.gid(), gidIndex, 1))
                .pathMtu(PathMtu.MTU_1024)
                .destQpNum(peer.qpn())
                .rqPsn(peer.psn())
                .maxDestRdAtomic(1)
                .minRnrTimer(12)
                .build());
        qp.modify(QpAttr.builder()
                .state(QpState.RTS)
                .sqPsn(psn)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1)
                .build());
    }

    /** INIT, in which receives can be posted. */
    static void prepare(QueuePair qp) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(1)
                .access(Set.of())
                .build());
    }
}
