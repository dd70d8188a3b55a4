// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.CardFault.Syndrome;
import java.util.ArrayList;
import java.util.List;

/** What the driver in user space did that a device may answer with anything at all. */
public final class Complaints {
    private static final int ENOUGH = 50;

    private final List<String> all = new ArrayList<>();

    void add(String complaint) {
        if (all.size() < ENOUGH) {
            all.add(complaint);
        }
    }

    /** A work request that does not fit the queue pair, the place or the format; {@code what} is what request {@code at} has. */
    CardFault fault(int qpn, int at, String what, int value) {
        add(String.format("QP 0x%x: the work request at %d has " + what, qpn, at, value));
        return new CardFault(Syndrome.LOCAL_QP_OP_ERR);
    }

    /** Fails a work request unless something holds. */
    void require(boolean holds, int qpn, int at, String what, int value) throws CardFault {
        if (!holds) {
            throw fault(qpn, at, what, value);
        }
    }

    List<String> all() {
        return List.copyOf(all);
    }
}
