// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The keys of a channel, so that its selectors can be told of what no descriptor shows. Safe for use by several threads. */
final class Keys {
    private final List<StreamKey> keys = new CopyOnWriteArrayList<>();

    @SuppressWarnings("CheckReturnValue")
    void add(StreamKey added) {
        keys.add(added);
    }

    @SuppressWarnings("CheckReturnValue")
    void remove(StreamKey removed) {
        keys.remove(removed);
    }

    /** Whether several selectors have the channel: what one takes from the descriptor, the others do not see. */
    boolean isShared() {
        return keys.size() > 1;
    }

    /** Makes each selector look at the channel again, also in the middle of a selection. Does not wait. */
    void tell() {
        for (StreamKey key : keys) {
            key.tell();
        }
    }
}
