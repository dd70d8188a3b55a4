// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A page in which the kernel counts the events of a queue. A doorbell that arms the queue repeats the count, so that
 * the device can distinguish it from a doorbell sent before the event.
 *
 * @param counted the kernel's object; null for a queue whose events the kernel does not count
 */
record TogglePage(@Nullable Counted counted) {
    /** For a queue whose events the kernel does not count. */
    static final TogglePage NONE = new TogglePage(null);

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** The kernel's object for a queue. */
    record Counted(Device device, int handle, RingMemory page) {}

    /**
     * Opens the page of a queue.
     *
     * @param kind the kind of queue, {@code BNXT_RE_*_TOGGLE_MEM}
     * @param number the number of the queue
     * @param counts true if the kernel counts the events of the queue
     */
    static TogglePage open(Device device, int kind, int number, boolean counts) throws RdmaException {
        if (!counts) {
            return NONE;
        }
        try (DriverMethod call = device.driverMethod(
                Newer.BNXT_RE_OBJECT_GET_TOGGLE_MEM,
                Newer.BNXT_RE_METHOD_GET_TOGGLE_MEM,
                "BNXT_RE_METHOD_GET_TOGGLE_MEM")) {
            int object = call.create(Newer.BNXT_RE_TOGGLE_MEM_HANDLE);
            call.constant(Newer.BNXT_RE_TOGGLE_MEM_TYPE, kind);
            call.uint32(Newer.BNXT_RE_TOGGLE_MEM_RES_ID, number);
            int offset = call.output(Newer.BNXT_RE_TOGGLE_MEM_MMAP_PAGE, Long.BYTES);
            call.output(Newer.BNXT_RE_TOGGLE_MEM_MMAP_OFFSET, Integer.BYTES);
            int length = call.output(Newer.BNXT_RE_TOGGLE_MEM_MMAP_LENGTH, Integer.BYTES);
            call.send();
            int handle = call.created(object);
            return Undo.onFailure(
                    () -> new TogglePage(new Counted(
                            device,
                            handle,
                            device.mapReadOnly(call.getLong(offset), call.getInt(length), "bnxt_re toggle page"))),
                    () -> release(device, handle));
        }
    }

    /** The count bits of a doorbell. */
    long bits() {
        return counted == null
                ? 0
                : Doorbells.toggle((int) INT.getAcquire(counted.page().buffer(), 0));
    }

    void retire() {
        if (counted != null) {
            counted.page().retire();
            release(counted.device(), counted.handle());
        }
    }

    private static void release(Device device, int handle) {
        try (DriverMethod call = device.driverMethod(
                Newer.BNXT_RE_OBJECT_GET_TOGGLE_MEM,
                Newer.BNXT_RE_METHOD_RELEASE_TOGGLE_MEM,
                "BNXT_RE_METHOD_RELEASE_TOGGLE_MEM")) {
            call.handle(Newer.BNXT_RE_RELEASE_TOGGLE_MEM_HANDLE, handle).send();
        } catch (ErrnoException | IllegalStateException e) {
            // The device was removed or its descriptor closed: the kernel has already destroyed the object, or will.
        }
    }
}
