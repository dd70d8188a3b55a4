// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.providers.card.Timing;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What kind of kernel, driver and device a {@link CardKernel} has.
 *
 * @param <S> the settings of the driver
 */
public abstract class CardSettings<S extends CardSettings<S>> {
    private static final int XRC = 1 << 20;

    private final DriverModel model;
    Timing timing = Timing.prompt();
    boolean atomics = true;
    boolean xrc;

    /** Whether the device is one of iWARP. */
    boolean iwarp;

    boolean numbersAgain;
    int driverAbi = 1;
    long lockedBytes = Long.MAX_VALUE;

    /** Changes of the driver's replies, for a kernel that lies. */
    private final Map<KernelCommand, ReplyChange> lies = new EnumMap<>(KernelCommand.class);

    @Nullable
    SharedPages shared;

    /** Changes a reply of the driver. */
    public interface ReplyChange {
        void make(ByteBuffer reply);
    }

    CardSettings(DriverModel model) {
        this.model = model;
    }

    /** The driver. */
    final DriverModel model() {
        return model;
    }

    /** A new kernel. */
    public final CardKernel start() {
        return new CardKernel(this);
    }

    @SuppressWarnings("unchecked") // each class of settings names itself
    final S self() {
        return (S) this;
    }

    /** {@code RDMA_DRIVER_*}. */
    int driverId() {
        return model.driverId();
    }

    /** Whether a command with that id is one for this driver. */
    boolean isCalled(int id) {
        return id == model.driverId();
    }

    /** The number of a target of XRC that gets the number {@code free}. */
    int targetNumber(int free) {
        return free;
    }

    /** The reply of QUERY_DEVICE. */
    void describe(ByteBuffer reply) {
        model.describe(reply);
        reply.putInt(DeviceAttrBytes.DEVICE_CAP_FLAGS, xrc ? XRC : 0)
                .putInt(DeviceAttrBytes.ATOMIC_CAP, atomics ? 1 : 0);
    }

    /** What GET_CONTEXT agrees on; {@code request} is the driver's, of any length. */
    abstract UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal;

    /** The pace of the device. */
    public final S timing(Timing value) {
        timing = value;
        return self();
    }

    /** The ABI of the driver that the device reports. */
    public final S driverAbi(int abi) {
        driverAbi = abi;
        return self();
    }

    /** The soft limit of RLIMIT_MEMLOCK. */
    public final S lockedBytes(long limit) {
        lockedBytes = limit;
        return self();
    }

    /** A device that gives the number of a queue pair that is gone to the next object. */
    public final S withNumbersAgain() {
        numbersAgain = true;
        return self();
    }

    /** The driver says something else of the device. */
    public final S contextReply(ReplyChange change) {
        return reply(KernelCommand.GET_CONTEXT, change);
    }

    /** The driver replies something else to GET_CONTEXT, or to the making of a queue. */
    public final S reply(KernelCommand command, ReplyChange change) {
        lies.put(command, change);
        return self();
    }

    void lie(KernelCommand command, ByteBuffer reply) {
        ReplyChange lie = lies.get(command);
        if (lie != null) {
            lie.make(reply);
        }
    }

    /** Another process uses the kernel as well, and has its mappings at the same addresses. */
    public final S sharing(SharedPages pages) {
        shared = pages;
        return self();
    }

    /** Memory that another process, which uses the same kernel, has at the same addresses. */
    public interface SharedPages {
        /** The memory that the other process has for itself: all of it counts as mapped. */
        ByteBuffer foreign();

        /** Whole pages of zeros for a mapping, at least {@code length} bytes. */
        ByteBuffer allocate(int length);
    }
}
