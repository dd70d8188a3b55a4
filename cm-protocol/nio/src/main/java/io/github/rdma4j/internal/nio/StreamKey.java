// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.WakeUp;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The registration of a channel with a selector. */
final class StreamKey extends AbstractSelectionKey implements Keys.Member {
    /** The key has no place among the selected keys. */
    static final int NOWHERE = -1;

    private final SelectableChannel channel;
    private final Selectable selectable;
    private final Selector selector;

    /** The keys at which the next selection looks. */
    private final Queue<StreamKey> changed;

    private final WakeUp wakeUp;
    private final AtomicInteger interest = new AtomicInteger();
    volatile int ready;

    /** What the selector's epoll knows of the channel; all of this belongs to the selector's thread. */
    int slot;

    int watched;

    @Nullable
    Source watchedSource;

    private boolean hot;

    /** The key's place among the selected keys. */
    int selectedAt = NOWHERE;

    private long lastFound;

    StreamKey(
            SelectableChannel channel,
            Selectable selectable,
            Selector selector,
            Queue<StreamKey> changed,
            WakeUp wakeUp) {
        this.channel = channel;
        this.selectable = selectable;
        this.selector = selector;
        this.changed = changed;
        this.wakeUp = wakeUp;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    Selectable selectable() {
        return selectable;
    }

    private void checkValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        checkValid();
        return interest.get();
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    public SelectionKey interestOps(int operations) {
        change(before -> operations);
        return this;
    }

    @Override
    public int interestOpsOr(int operations) {
        return change(before -> before | operations);
    }

    @Override
    public int interestOpsAnd(int operations) {
        return change(before -> before & operations);
    }

    private int change(IntUnaryOperator change) {
        checkValid();
        int before;
        int after;
        do {
            before = interest.get();
            after = change.applyAsInt(before);
            // Here, since "and" may be given bits that no channel has.
            if ((after & ~channel.validOps()) != 0) {
                throw new IllegalArgumentException(after + " has operations that the channel does not have; valid are "
                        + "those of " + channel.validOps());
            }
        } while (!interest.compareAndSet(before, after));
        if (before != after) {
            changed.add(this);
        }
        return before;
    }

    @Override
    public int readyOps() {
        checkValid();
        return ready;
    }

    @Override
    public void tell() {
        changed.add(this);
        wakeUp.signal();
    }

    /** The interest set of a key that may be cancelled. */
    int interestNow() {
        return interest.get();
    }

    /** Marks the key as found in a selection; returns false if it was marked before. */
    boolean foundIn(long selection) {
        boolean isNew = lastFound != selection;
        lastFound = selection;
        return isNew;
    }

    /** Whether the key's source has to be asked in the next round; returns true if it was not so before. */
    boolean becomeHot() {
        boolean was = hot;
        hot = true;
        return !was;
    }

    void coolDown() {
        hot = false;
    }

    @Override
    public String toString() {
        return "key of " + channel
                + (isValid() ? ", interestOps=" + interest.get() + ", readyOps=" + ready : ", invalid");
    }
}
