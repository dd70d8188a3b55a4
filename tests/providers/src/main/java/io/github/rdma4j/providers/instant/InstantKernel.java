// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.instant;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.MemoryKernel;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.testkit.RxeFile;
import io.github.rdma4j.internal.testkit.SysfsTree;
import io.github.rdma4j.internal.testkit.VerbsObjects;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A kernel with a soft-RoCE device and a connection manager that accepts every command at once and checks nothing. It makes objects
 * without remembering them, maps rings, and consumes the content of a send queue when the doorbell of the queue rings. One thread at
 * a time makes objects. No descriptor number is given twice.
 */
public final class InstantKernel extends MemoryKernel {
    private static final long UVERBS_NUMBER = 231L << 8 | 192;
    private static final long UCM_NUMBER = 10L << 8 | 58;
    private static final int FIRST_DESCRIPTOR = 100;
    private static final int SLOT_SHIFT = 9;

    private final AtomicInteger nextDescriptor = new AtomicInteger(FIRST_DESCRIPTOR);
    private final AtomicInteger nextHandle = new AtomicInteger(1);
    private final Map<Integer, ByteBuffer> sendRings = new ConcurrentHashMap<>();
    private final AtomicInteger newestQueuePair = new AtomicInteger();
    private final int capacity;
    private volatile @Nullable ByteBuffer lastRing;

    /**
     * A kernel whose rings have room for {@code capacity} entries.
     *
     * @param capacity a power of two, less one
     */
    public InstantKernel(int capacity) {
        super(new Mappings(), FIRST_DESCRIPTOR);
        if (capacity < 1 || (capacity & (capacity + 1)) != 0) {
            throw new IllegalArgumentException(
                    "a ring of " + capacity + " entries; the number must be a power of two, less one");
        }
        this.capacity = capacity;
    }

    /** The sysfs of all such kernels, which has the connection manager's device. */
    private static final class Sysfs {
        private static final Path ROOT =
                SysfsTree.make(Map.of("class/misc/rdma_cm/dev", "10:58", "class/misc/rdma_cm/abi_version", "4"));
    }

    public Kernel kernel() {
        return new LinuxKernel(this, Sysfs.ROOT, Path.of("/dev"));
    }

    public DeviceContext openDevice() throws RdmaException {
        return DeviceContext.open(
                kernel(),
                new RdmaDevice(
                        0,
                        "rxe0",
                        1,
                        RdmaDevice.NodeType.CA,
                        "roce",
                        1,
                        Optional.of("uverbs0"),
                        UVERBS_NUMBER,
                        DriverIds.RDMA_DRIVER_RXE,
                        "rxe",
                        2));
    }

    /** The ring that was mapped last. */
    public SharedRing lastRing() {
        return new SharedRing(requireNonNull(lastRing, "no ring has been mapped"));
    }

    /** The send ring of a queue pair that is not destroyed yet. */
    public SharedRing sendRing(int handle) {
        return new SharedRing(requireNonNull(sendRings.get(handle), "no such queue pair"));
    }

    /** The queue pair that was made last. */
    public int lastQueuePair() {
        return sendRings.keySet().stream().max(Integer::compare).orElseThrow();
    }

    /** Whether a descriptor is open. */
    public boolean isOpen(int fd) {
        return file(fd) != null;
    }

    @Override
    protected int freeDescriptor() {
        return nextDescriptor.getAndIncrement();
    }

    @Override
    public int open(String path, int flags) {
        return locked(() -> add(path.endsWith("rdma_cm") ? new ConnectionManager() : new Device()));
    }

    private final class ConnectionManager extends OpenFile {
        @Override
        public long deviceNumber() {
            return UCM_NUMBER;
        }

        @Override
        public long write(ByteBuffer command) {
            int number = command.getInt(0);
            if (number == CmCommands.RDMA_USER_CM_CMD_CREATE_ID) {
                NativeMemory.view(command.getLong(16), 4).putInt(0, nextHandle.getAndIncrement());
            } else if (number == CmCommands.RDMA_USER_CM_CMD_DESTROY_ID) {
                NativeMemory.view(command.getLong(8), 4).putInt(0, 0);
            }
            return command.capacity();
        }
    }

    /** Objects of which only the number is known. */
    private final class ForgottenObjects extends VerbsObjects {
        @Override
        public boolean enter(int command, List<Integer> used) {
            return true;
        }

        @Override
        public void leave(List<Integer> used) {}

        @Override
        public int make(String kind, List<Integer> uses) {
            return nextHandle.getAndIncrement();
        }

        @Override
        public boolean destroy(int command, int handle) {
            return true;
        }
    }

    private final class Device extends RxeFile {
        Device() {
            super(
                    InstantKernel.this,
                    new ForgottenObjects(),
                    new Ring(SLOT_SHIFT, capacity),
                    new Ring(SLOT_SHIFT, capacity));
        }

        @Override
        public long deviceNumber() {
            return UVERBS_NUMBER;
        }

        /** A doorbell takes no lock. */
        @Override
        public long write(ByteBuffer command) {
            if (command.getInt(0) != WriteCommands.IB_USER_VERBS_CMD_POST_SEND) {
                return super.write(command);
            }
            SharedRing.consumeAll(requireNonNull(sendRings.get(command.getInt(16))));
            return command.capacity();
        }

        @Override
        protected void made(String kind, int handle, IoctlFrame frame) {
            if (kind.equals("qp")) {
                // max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data
                frame.output(UverbsAttributes.UVERBS_ATTR_CREATE_QP_RESP_CAP)
                        .putInt(0, capacity)
                        .putInt(4, capacity)
                        .putInt(8, 4)
                        .putInt(12, 4)
                        .putInt(16, 64);
                newestQueuePair.set(handle);
            }
        }

        @Override
        protected void destroyed(int command, int handle) {
            if (command == WriteCommands.IB_USER_VERBS_CMD_DESTROY_QP) {
                sendRings.remove(handle);
            }
        }

        @Override
        protected void mapped(int cq, ByteBuffer ring) {
            lastRing = ring;
            int queuePair = newestQueuePair.getAndSet(0);
            if (queuePair != 0) {
                sendRings.put(queuePair, ring);
            }
        }
    }
}
