// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The selected keys of one selector, which alone adds to them; anyone may remove. Adding and removing allocate nothing. */
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private static final int FIRST = 16;

    private final Selector selector;
    private @Nullable StreamKey[] keys = new StreamKey[FIRST];
    private int size;
    private int changes;

    SelectedKeys(Selector selector) {
        this.selector = selector;
    }

    private StreamKey at(int place) {
        return Objects.requireNonNull(keys[place]);
    }

    /** Returns false if the key is selected already. */
    boolean insert(StreamKey key) {
        if (key.selectedAt != StreamKey.NOWHERE) {
            return false;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        keys[size] = key;
        key.selectedAt = size;
        size++;
        changes++;
        return true;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(Object element) {
        return element instanceof StreamKey key && key.selector() == selector && key.selectedAt != StreamKey.NOWHERE;
    }

    @Override
    public boolean remove(Object element) {
        if (!contains(element)) {
            return false;
        }
        removeAt(((StreamKey) element).selectedAt);
        return true;
    }

    /** The last key takes the place of the removed. */
    private void removeAt(int place) {
        at(place).selectedAt = StreamKey.NOWHERE;
        size--;
        StreamKey last = at(size);
        if (place < size) {
            keys[place] = last;
            last.selectedAt = place;
        }
        keys[size] = null; // or the channel would be kept
        changes++;
    }

    @Override
    public void clear() {
        for (int i = 0; i < size; i++) {
            at(i).selectedAt = StreamKey.NOWHERE;
            keys[i] = null;
        }
        size = 0;
        changes++;
    }

    /** From the last to the first, so that what takes the place of a removed key was returned before. */
    @Override
    public Iterator<SelectionKey> iterator() {
        return new Backwards();
    }

    private final class Backwards implements Iterator<SelectionKey> {
        private int next = size - 1;
        private int seen = changes;
        private boolean mayRemove;

        @Override
        public boolean hasNext() {
            return next >= 0;
        }

        @Override
        public SelectionKey next() {
            check();
            if (next < 0) {
                throw new NoSuchElementException();
            }
            mayRemove = true;
            return at(next--);
        }

        @Override
        public void remove() {
            check();
            if (!mayRemove) {
                throw new IllegalStateException("there is no key to remove before the next");
            }
            mayRemove = false;
            removeAt(next + 1);
            seen = changes;
        }

        private void check() {
            if (seen != changes) {
                throw new ConcurrentModificationException();
            }
        }
    }
}
