// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** A channel as its selectors see it. */
interface Selectable {
    /** What to wait for; another source when the channel has connected, or listens. */
    Source source();

    /** The keys of the channel. */
    Keys keys();

    /** The bits of poll(2) to wait for, for the operations of a key's interest set. */
    default int events(int interest) {
        return Operations.events(interest);
    }

    /** The operations of {@code interest} that the bits of poll(2) in {@code events} make ready. */
    default int operations(int events, int interest) {
        return Operations.ready(events, interest);
    }
}
