// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.internal.testkit.OpenFile;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open {@code rdma_cm}, with its unread events. */
final class CmFile extends OpenFile {
    private final ModelCalls calls;
    private final Deque<ModelEvent> events = new ArrayDeque<>();

    CmFile(ModelCalls calls) {
        this.calls = calls;
    }

    @Override
    public long deviceNumber() {
        return ModelDevice.CM_NUMBER;
    }

    @Override
    public long write(ByteBuffer bytes) {
        ModelCommand command =
                bytes.capacity() < Integer.BYTES ? null : ModelCommand.of(ModelCommand.Device.RDMA_CM, bytes.getInt(0));
        int refusal = calls.faults().before(command);
        return calls.locked(
                () -> refusal == 0 ? calls.cm().write(this, bytes) : calls.cm().refuse(bytes, refusal));
    }

    @Override
    public boolean isReadable() {
        return !events.isEmpty();
    }

    @Override
    public void close() {
        calls.cm().release(this);
    }

    void add(ModelEvent event) {
        events.add(event);
    }

    @Nullable
    ModelEvent next() {
        return events.poll();
    }

    /** Removes and returns the events of an id that is destroyed or has migrated. */
    List<ModelEvent> take(ModelId id) {
        List<ModelEvent> taken = new ArrayList<>();
        for (Iterator<ModelEvent> all = events.iterator(); all.hasNext(); ) {
            ModelEvent event = all.next();
            if (event.to() == id) {
                all.remove();
                taken.add(event);
            }
        }
        return taken;
    }
}
