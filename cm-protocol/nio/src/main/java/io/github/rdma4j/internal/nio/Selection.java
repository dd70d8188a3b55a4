// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one selection has found; of use for one selection after the other. */
final class Selection {
    private final SelectedKeys selected;
    private @Nullable Consumer<SelectionKey> action;

    /** The keys that the action is for. */
    private final List<StreamKey> found = new ArrayList<>();

    private long number;
    private int count;
    private boolean over;

    Selection(SelectedKeys selected) {
        this.selected = selected;
    }

    /** Begins a selection; without an action, the keys that it finds are selected. */
    void begin(@Nullable Consumer<SelectionKey> forEach) {
        action = forEach;
        found.clear();
        number++;
        count = 0;
        over = false;
    }

    /** Takes the key, if {@code events} make it ready. A key that is ready ends the selection, if it has nothing new to tell too. */
    void offer(StreamKey key, int events) {
        // A channel that is being closed cancels its keys last, when its source has nothing more to tell.
        boolean counts = key.isValid() && key.channel().isOpen();
        int ready = counts ? key.selectable().operations(events, key.interestNow()) : 0;
        if (ready == 0) {
            return;
        }
        over = true;
        if (action != null) {
            key.ready = ready;
            // A source that is asked may be found twice.
            if (key.foundIn(number)) {
                found.add(key);
            }
        } else if (selected.insert(key)) {
            key.ready = ready;
            count++;
        } else if ((ready & ~key.ready) != 0) {
            key.ready = ready | key.ready;
            count++;
        }
    }

    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** Hands the keys to the action; {@code checkOpen} throws if the action has closed the selector. */
    void deliver(Runnable checkOpen) {
        if (action == null) {
            return;
        }
        try {
            for (int i = 0; i < found.size(); i++) {
                action.accept(found.get(i));
                checkOpen.run();
                count++;
            }
        } finally {
            found.clear(); // or the channels would be kept
            action = null;
        }
    }

    int count() {
        return count;
    }
}
