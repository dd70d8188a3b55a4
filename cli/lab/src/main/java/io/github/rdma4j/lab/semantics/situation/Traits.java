// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.situation;

import io.github.rdma4j.cm.PortSpace;

/**
 * What kind of situation it is.
 *
 * @param portSpace of all its ids
 * @param activeIsMeasured whether the id is the one that connects, as opposed to the one that listens or is asked
 * @param isAhead whether the kernel has queued an event which the id's user has not fetched yet
 * @param kind when it can be recorded
 */
record Traits(int portSpace, boolean activeIsMeasured, boolean isAhead, Kind kind) {
    /** When a situation can be recorded. */
    enum Kind {
        /** At once. */
        PLAIN,
        /** At once, but a timer may bring something afterwards. */
        ENDING,
        /** After a minute or two: only by the recorder. */
        SLOW,
        /** While the device is removed; last. */
        REMOVAL
    }

    static Traits active() {
        return new Traits(PortSpace.TCP.code(), true, false, Kind.PLAIN);
    }

    static Traits passive() {
        return new Traits(PortSpace.TCP.code(), false, false, Kind.PLAIN);
    }

    Traits in(int otherPortSpace) {
        return new Traits(otherPortSpace, activeIsMeasured, isAhead, kind);
    }

    Traits datagram() {
        return in(PortSpace.UDP.code());
    }

    Traits ahead() {
        return new Traits(portSpace, activeIsMeasured, true, kind);
    }

    Traits ending() {
        return new Traits(portSpace, activeIsMeasured, isAhead, Kind.ENDING);
    }

    Traits slow() {
        return new Traits(portSpace, activeIsMeasured, isAhead, Kind.SLOW);
    }

    Traits removal() {
        return new Traits(portSpace, activeIsMeasured, isAhead, Kind.REMOVAL);
    }
}
