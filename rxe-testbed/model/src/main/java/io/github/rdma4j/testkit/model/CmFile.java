// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open {@code rdma_cm}: the events that wait to be fetched through it. */
final class CmFile extends ModelFile {
    private final ModelCm cm;
    private final Deque<ModelEvent> events = new ArrayDeque<>();

    CmFile(ModelCm cm) {
        this.cm = cm;
    }

    @Override
    ModelCommand.Device device() {
        return ModelCommand.Device.RDMA_CM;
    }

    @Override
    long deviceNumber() {
        return ModelDevice.CM_NUMBER;
    }

    @Override
    long write(ByteBuffer bytes) {
        return cm.write(this, bytes);
    }

    @Override
    long refuse(ByteBuffer bytes, int result) {
        cm.refuse(bytes);
        return result;
    }

    @Override
    boolean isReadable() {
        return !events.isEmpty();
    }

    @Override
    void close() {
        cm.release(this);
    }

    void add(ModelEvent event) {
        events.add(event);
    }

    @Nullable
    ModelEvent next() {
        return events.poll();
    }

    /** Takes the events of an id away: it is destroyed, or has migrated. */
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
