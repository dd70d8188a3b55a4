// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.cm.PortSpace;
import java.util.Set;

/**
 * The properties of a situation.
 *
 * @param activeIsMeasured whether the id is the one that connects, as opposed to the one that listens or is asked
 * @param traits the other properties
 */
record Traits(boolean activeIsMeasured, Set<Trait> traits) {
    /** A property of a situation. The port space is PS_TCP unless a trait names another one. */
    enum Trait {
        /** The ids are of PS_UDP. */
        DATAGRAM,
        /** The ids are of PS_IPOIB. */
        IPOIB,
        /** The ids are of PS_IB. */
        IB,
        /** The situation is recorded at once, but a timer may cause events afterwards. */
        ENDING,
        /** The situation is reached after a minute or two, so only the recorder records it. */
        SLOW,
        /** The situation is recorded on InfiniBand only. */
        INFINIBAND,
        /** The subnet manager gives no answers meanwhile. */
        SILENCE,
        /** The situation is recorded while the device is removed, as the last one. */
        REMOVAL
    }

    static Traits active(Trait... traits) {
        return new Traits(true, Set.of(traits));
    }

    static Traits passive(Trait... traits) {
        return new Traits(false, Set.of(traits));
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether the situation is recorded at once, and nothing follows later. */
    boolean isPlain() {
        return !has(Trait.SILENCE) && !has(Trait.ENDING) && !has(Trait.SLOW) && !has(Trait.REMOVAL);
    }

    /** The port space of all ids. */
    int portSpace() {
        if (has(Trait.DATAGRAM)) {
            return PortSpace.UDP.code();
        }
        if (has(Trait.IPOIB)) {
            return PortSpace.IPOIB.code();
        }
        return (has(Trait.IB) ? PortSpace.IB : PortSpace.TCP).code();
    }
}
