// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.card;

import io.github.rdma4j.internal.irdma.Elements.Doorbells;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The page of doorbells of a context of irdma, and the addresses that the kernel has given the context. All queue pairs ring
 * in one place, and all completion queues in another. A doorbell that another one has overwritten before the device looked is
 * found by the queues: each says by itself what is new.
 */
public final class IrdmaPage implements DoorbellPage {
    /** No number of a queue looks like this. */
    private static final long UNTOUCHED = -1;

    private final int index;
    private final Pinned page;
    private final Map<Integer, Destination> addresses = new HashMap<>();
    private boolean gone;

    public IrdmaPage(int index, Pinned page) {
        this.index = index;
        this.page = page;
        page.take(Doorbells.SENDS, UNTOUCHED);
        page.take(Doorbells.ARMED, UNTOUCHED);
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public void remove() {
        gone = true;
    }

    /** The kernel has given the context an address. */
    public void addAddress(int id, Route route) {
        addresses.put(
                id,
                new Destination(
                        Destination.NOWHERE,
                        0,
                        route.gid(),
                        ByteBuffer.wrap(Card.mac(route.gid().array())),
                        route.sourceGid(),
                        route.trafficClass(),
                        route.hopLimit(),
                        route.flowLabel(),
                        route.serviceLevel()));
    }

    /**
     * The way of datagrams to an address.
     *
     * @param gid the GID of the port or the group
     * @param sourceGid the index of the sender's GID
     * @param trafficClass the traffic class
     * @param hopLimit the hop limit
     * @param flowLabel the flow label
     * @param serviceLevel the service level
     */
    public record Route(
            ByteBuffer gid, int sourceGid, byte trafficClass, byte hopLimit, int flowLabel, int serviceLevel) {}

    /** Where a datagram for queue pair {@code qpn} goes by the address {@code id}; null for an address that is not there. */
    @Nullable
    Destination destination(int id, int qpn, int qkey) {
        Destination to = addresses.get(id);
        return to == null
                ? null
                : new Destination(
                        qpn,
                        qkey,
                        to.address(),
                        to.hardware(),
                        to.sourceGid(),
                        to.trafficClass(),
                        to.hopLimit(),
                        to.flowLabel(),
                        to.serviceLevel());
    }

    @Override
    public boolean look(Card card) {
        if (gone) {
            return false;
        }
        int sends = taken(Doorbells.SENDS);
        if (sends != UNTOUCHED) {
            ringSends(card, sends);
        }
        int armed = taken(Doorbells.ARMED);
        if (armed != UNTOUCHED) {
            arm(card, armed);
        }
        return sends != UNTOUCHED || armed != UNTOUCHED;
    }

    /** The little-endian number that was stored, or {@link #UNTOUCHED}. */
    private int taken(int at) {
        boolean touched = page.bytes().getLong(at) != UNTOUCHED;
        return touched ? Integer.reverseBytes((int) (page.take(at, UNTOUCHED) >>> Integer.SIZE)) : (int) UNTOUCHED;
    }

    private void ringSends(Card card, int qpn) {
        boolean known = false;
        for (CardQp qp : card.queuePairs()) {
            if (qp.sends() instanceof IrdmaSends of && of.page() == this) {
                of.ring();
                known |= qp.qpn() == qpn;
            }
        }
        if (!known) {
            card.complain(String.format("sends of QP 0x%x were rung, which is not of this context", qpn));
        }
    }

    private void arm(Card card, int number) {
        boolean known = false;
        for (CardCq cq : card.completionQueues()) {
            if (cq instanceof IrdmaCq of && of.page() == this) {
                of.armAsRecorded();
                known |= cq.number() == number;
            }
        }
        if (!known) {
            card.complain(String.format("CQ 0x%x was armed, which is not of this context", number));
        }
    }
}
