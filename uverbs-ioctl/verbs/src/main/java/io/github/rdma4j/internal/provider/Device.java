// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.util.List;

/** The services of the open device for a provider. Safe for use by several threads. */
public interface Device {
    /**
     * Maps {@code length} bytes at {@code offset} of the device, for reading and writing.
     *
     * @param what for messages
     */
    RingMemory map(long offset, int length, String what) throws RdmaException;

    /**
     * Maps {@code length} bytes at {@code offset} of the device, for reading: pages that a kernel maps for no other access.
     * Nothing may be written to the buffer.
     *
     * @param what for messages
     */
    default RingMemory mapReadOnly(long offset, int length, String what) throws RdmaException {
        throw new UnsupportedOperationException("a mapping that cannot be written");
    }

    /**
     * Maps a page of doorbells: {@code length} bytes at {@code offset} of the device.
     *
     * @param what for messages
     */
    DoorbellPage mapDoorbells(long offset, int length, String what) throws RdmaException;

    /**
     * Takes zeroed memory of the process that the device may reach: it begins at a page, and every page has been
     * written once, so that the kernel can pin it. Rounded up to whole pages.
     *
     * @param what for messages
     */
    RingMemory allocate(int bytes, String what) throws RdmaException;

    /** The size of a memory page in bytes. */
    int pageSize();

    /** A doorbell by system call for the send queue of a queue pair: POST_SEND without work requests. */
    Doorbell postSend(int qpHandle);

    /**
     * Arms a completion queue by REQ_NOTIFY_CQ, which the kernel has for few drivers.
     *
     * @param solicitedOnly true for an event only for a solicited message or an error
     */
    void requestNotification(int cqHandle, boolean solicitedOnly) throws RdmaException;

    /**
     * Tells the kernel that the process takes no more from the ring that a completion queue had before RESIZE_CQ: POLL_CQ,
     * which the kernel has for few drivers. Takes no completion.
     */
    default void leaveOldRing(int cqHandle) throws RdmaException {
        throw new UnsupportedOperationException("POLL_CQ");
    }

    /**
     * A call of a method that only the driver has.
     *
     * @param object the object's number
     * @param method the method's number
     * @param name the C constant of {@code method}, for errors
     */
    DriverMethod driverMethod(int object, int method, String name);

    /**
     * The MAC address, 6 bytes, to which packets go that leave an Ethernet port for {@code to}: computed from the GID
     * of a group or a link-local GID, or the address of the neighbour on the way ({@code ibv_resolve_eth_l2_from_gid}).
     * Waits up to 3 seconds for the neighbour. For drivers whose kernel does not look it up in CREATE_AH.
     *
     * @throws ErrnoException EINVAL when the port has no GID {@code to.sgidIndex()}, ENETUNREACH when there is no
     *     route, EHOSTUNREACH when no neighbour answers
     */
    byte[] hardwareAddress(AhAttr to) throws RdmaException;

    /**
     * The VLAN of the network interface that packets to {@code to} leave through, 0 to 4095; -1 for none. For drivers
     * whose work requests name the VLAN.
     *
     * @throws ErrnoException EINVAL when the port has no GID {@code to.sgidIndex()}
     */
    int vlan(AhAttr to) throws RdmaException;

    /**
     * Allocates a protection domain of the context's own, for drivers whose completion queues belong to one, or whose
     * doorbells come with one.
     *
     * @param driver the driver's part of ALLOC_PD, whose reply is in {@link Held#driverReply}
     */
    default Held allocatePd(DriverExchange driver) throws RdmaException {
        throw new UnsupportedOperationException("a protection domain of the context");
    }

    /**
     * Registers memory for local writes of the device (REG_MR), for drivers whose kernel looks for rings among the
     * memory regions of the context. Release the region after the ring is destroyed, and before the memory is retired.
     *
     * @param pd a protection domain of {@link #allocatePd}
     * @param memory memory of {@link #allocate}
     * @param bytes how much of {@code memory}, from its first byte
     * @param driver the driver's part of REG_MR
     */
    default Held register(Held pd, RingMemory memory, int bytes, DriverExchange driver) throws RdmaException {
        throw new UnsupportedOperationException("a memory region for a ring");
    }

    /** State and limits of a port, the link layer among them; ports count from 1. */
    PortAttr queryPort(int port) throws RdmaException;

    /** True for a device of iWARP, whose queue pairs the kernel's connection manager connects. */
    boolean isIwarp();

    /** The populated GIDs of all ports, with their types. */
    List<GidEntry> queryGids() throws RdmaException;

    /**
     * Memory that the process shares with the kernel or the device: mapped from the device by {@link Device#map}, or
     * the process's own by {@link Device#allocate}. The memory is never unmapped while Java can reach it, so that a
     * late reader finds zeros and no fault. The buffer must not leave the provider, and must not become a Netty buffer,
     * which would keep the bare address.
     */
    interface RingMemory {
        /** The bytes, in native byte order. Always the same buffer. */
        ByteBuffer buffer();

        /**
         * Gives the pages back. Readers see zeros from now on, and writes have no effect. A device that the kernel
         * still lends the pages to continues with the old pages, which no program sees. Idempotent.
         */
        void retire();
    }

    /** An object of the kernel that the provider holds for itself. */
    interface Held {
        /** The kernel's handle. */
        int handle();

        /** The driver's part of the reply that made the object, in native byte order. */
        default ByteBuffer driverReply() {
            return ByteBuffer.allocate(0);
        }

        /**
         * Gives the object back. What the kernel refuses to take back, it takes back with the context. Called once;
         * throws nothing.
         */
        void release();
    }

    /**
     * A page of the device's registers, for doorbells. All that can be done to it is one aligned store, which the
     * compiler neither splits nor joins with another. The store is a release store: all that the thread wrote to memory
     * before is visible to the device first, on a page that is not write-combining. Safe for use by several threads.
     */
    interface DoorbellPage {
        /**
         * Stores 64 bits in native byte order.
         *
         * @param offset a multiple of 8 inside the page
         */
        void ring(int offset, long value);

        /**
         * Stores 32 bits in native byte order.
         *
         * @param offset a multiple of 4 inside the page
         */
        void ring(int offset, int value);

        /** Unmaps the registers; stores go nowhere afterwards. Idempotent. */
        void retire();
    }

    /** Makes the kernel look at a queue, by a system call. A doorbell in a mapped page is a {@link DoorbellPage}. */
    interface Doorbell {
        /** Returns 0, or minus the error number. Allocates nothing. */
        int ring();

        /** The send queue is closed, and no thread rings from now on. Called once. */
        default void retire() {}
    }

    /**
     * One call of a method of the uverbs ioctl that only the driver has, such as {@code UVERBS_METHOD} numbers from
     * {@code 0x1000} of uapi {@code rdma/mlx5_user_ioctl_cmds.h}. First the attributes, then {@link #send}, then the
     * results. Used by one thread, in try-with-resources:
     *
     * <pre>{@code
     * try (DriverMethod alloc = device.driverMethod(OBJECT_UAR, UAR_OBJ_ALLOC, "MLX5_IB_METHOD_UAR_OBJ_ALLOC")) {
     *     int handle = alloc.create(ALLOC_HANDLE);
     *     int offset = alloc.output(ALLOC_MMAP_OFFSET, Long.BYTES);
     *     alloc.constant(ALLOC_TYPE, NC).send();
     *     map(alloc.getLong(offset));
     * }
     * }</pre>
     */
    interface DriverMethod extends AutoCloseable {
        /** Adds a constant or a flag word ({@code UVERBS_ATTR_TYPE_ENUM_IN}, {@code CONST_IN}). */
        DriverMethod constant(int attribute, long value);

        /** Adds an input of 32 bits. */
        DriverMethod uint32(int attribute, int value);

        /** Adds an input of 64 bits. */
        DriverMethod uint64(int attribute, long value);

        /** Adds the handle of an object that exists. */
        DriverMethod handle(int attribute, int handle);

        /** Adds an object that the kernel makes; {@link #created} reads its handle at the position returned. */
        int create(int attribute);

        /**
         * Adds room for an output of {@code bytes}; {@link #getInt} and {@link #getLong} read it at the position
         * returned.
         */
        int output(int attribute, int bytes);

        /** Sends the call. */
        void send() throws ErrnoException;

        /** The handle of a new object. */
        int created(int position);

        /** 32 bits of an output. */
        int getInt(int position);

        /** 64 bits of an output. */
        long getLong(int position);

        @Override
        void close();
    }
}
