// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A queue pair of the test, and its memory: a part that it sends from and reads into, and a part for the peer. */
final class TestLink {
    private final TestBed bed;
    final int index;
    final CmId id;
    final QueuePair qp;
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
    private ByteBuffer[] inlined = {};
    PeerEntry peer = PeerEntry.NONE;
    private @Nullable AddressHandle ah;
    private int datagramQpn;
    private int datagramQkey;
    private int posted;

    TestLink(TestBed bed, int index, CmId id, QueuePair qp) {
        this.bed = bed;
        this.index = index;
        this.id = id;
        this.qp = qp;
    }

    void aim(AddressHandle to, int qpn, int qkey) {
        ah = to;
        datagramQpn = qpn;
        datagramQkey = qkey;
    }

    /** Prepares for messages of the bed's current size. */
    void begin() throws RdmaException {
        posted = 0;
        if (bed.options.inlined() > 0) {
            inlined = new ByteBuffer[bed.spread.places()];
            Arrays.setAll(
                    inlined,
                    place -> bed.memory.slice(bed.sendOffset(index) + bed.spread.offset(place), bed.options.size()));
        } else {
            inlined = new ByteBuffer[0];
        }
        for (int i = 0; i < bed.options.receiveDepth(); i++) {
            postReceive();
        }
    }

    /** Posts another receive, unless enough are posted for all remaining messages. */
    void postReceive() throws RdmaException {
        if (bed.options.isTimed() || posted < bed.options.iterations()) {
            postReceive(bed.options.size(), posted);
            posted++;
        }
    }

    /** Posts a receive for a message of {@code size} bytes, which follow the route header in a datagram. */
    void postReceive(int size, int number) throws RdmaException {
        int header = bed.options.isDatagram() ? Grh.BYTES : 0;
        int offset = bed.receiveOffset(index) + bed.spread.offset(number);
        bed.postReceive(qp, receive.clear().wrId(index).add(bed.region, offset, header + size));
    }

    /** Turns a request into message {@code number} of the test, without flags; allocates nothing. */
    SendWorkRequest fill(SendWorkRequest request, int number) {
        int offset = bed.spread.offset(number);
        aim(request.clear(), offset);
        return inlined.length > 0
                ? request.inline(inlined[number % inlined.length])
                : request.add(bed.region, bed.sendOffset(index) + offset, bed.options.size());
    }

    private void aim(SendWorkRequest request, int offset) {
        long address = peer.address() + offset;
        switch (bed.options.program().verb()) {
            case SEND -> request.send();
            case WRITE -> request.rdmaWrite(address, peer.rkey());
            case READ -> request.rdmaRead(address, peer.rkey());
            case ATOMIC -> request.fetchAndAdd(address, peer.rkey(), 1);
        }
        address(request);
    }

    /** Sets the destination of a request for a datagram. */
    SendWorkRequest address(SendWorkRequest request) {
        return ah == null ? request : request.to(ah, datagramQpn, datagramQkey);
    }

    /** Returns the message about this queue pair for the peer. */
    PeerEntry entry() {
        long address = bed.region.iova() + bed.receiveOffset(index);
        Gid gid = id.sourceGid().orElse(PeerEntry.NONE.gid());
        return new PeerEntry(1, qp.qpn(), bed.region.rkey(), address, gid);
    }
}
