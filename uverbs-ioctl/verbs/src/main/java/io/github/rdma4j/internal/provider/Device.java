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
     * Maps {@code length} bytes at {@code offset} of the device, for reading: for pages that the kernel maps read-only.
     * The buffer must not be written.
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
     * Allocates zeroed memory for the device: it is page-aligned, and every page has been written once, so that the
     * kernel can pin the memory. The size is rounded up to whole pages.
     *
     * @param what for messages
     */
    RingMemory allocate(int bytes, String what) throws RdmaException;

    /** The size of a memory page in bytes. */
    int pageSize();

    /** A doorbell by system call for the send queue of a queue pair: POST_SEND without work requests. */
    Doorbell postSend(int qpHandle);

    /**
     * Arms a completion queue by REQ_NOTIFY_CQ, which the kernel implements for few drivers.
     *
     * @param solicitedOnly true for an event only for a solicited message or an error
     */
    void requestNotification(int cqHandle, boolean solicitedOnly) throws RdmaException;

    /**
     * Informs the kernel by POLL_CQ, which it implements for few drivers, that the process no longer reads the ring
     * that a completion queue had before RESIZE_CQ. Takes no completion.
     */
    default void leaveOldRing(int cqHandle) throws RdmaException {
        throw new UnsupportedOperationException("POLL_CQ");
    }

    /**
     * A call of a driver-specific method.
     *
     * @param object the object's number
     * @param method the method's number
     * @param name the C constant of {@code method}, for errors
     */
    DriverMethod driverMethod(int object, int method, String name);

    /**
     * The destination MAC address, 6 bytes, of packets from an Ethernet port to {@code to}: computed from a multicast
     * or link-local GID, or looked up as the address of the next hop ({@code ibv_resolve_eth_l2_from_gid}). Waits up to
     * 3 seconds for the neighbour. For drivers whose kernel does not resolve the address in CREATE_AH.
     *
     * @throws ErrnoException EINVAL if the port has no GID {@code to.sgidIndex()}, ENETUNREACH if there is no route,
     *     EHOSTUNREACH if the neighbour does not answer
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
     * Allocates a protection domain for the context itself, for drivers whose completion queues belong to a protection
     * domain, or whose doorbell pages are assigned to one.
     *
     * @param driver the driver's part of ALLOC_PD, whose reply is in {@link Held#driverReply}
     */
    default Held allocatePd(DriverExchange driver) throws RdmaException {
        throw new UnsupportedOperationException("a protection domain of the context");
    }

    /**
     * Registers memory for local writes of the device (REG_MR), for drivers whose kernel finds rings by their memory
     * regions. Release the region after the ring is destroyed, and before the memory is retired.
     *
     * @param pd a protection domain of {@link #allocatePd}
     * @param memory memory of {@link #allocate}
     * @param bytes the number of bytes, from the start of {@code memory}
     * @param driver the driver's part of REG_MR
     */
    default Held register(Held pd, RingMemory memory, int bytes, DriverExchange driver) throws RdmaException {
        throw new UnsupportedOperationException("a memory region for a ring");
    }

    /** Queries the state and limits of a port, including its link layer; ports count from 1. */
    PortAttr queryPort(int port) throws RdmaException;

    /** True for an iWARP device, whose queue pairs are connected by the kernel's connection manager. */
    boolean isIwarp();

    /** The populated GIDs of all ports, with their types. */
    List<GidEntry> queryGids() throws RdmaException;

    /**
     * Memory that the process shares with the kernel or the device: mapped from the device by {@link Device#map}, or
     * allocated by {@link Device#allocate}. The memory is never unmapped while Java code can reach it, so that a late
     * reader finds zeros and does not fault. The buffer must not leave the provider, and must not become a Netty
     * buffer, which would keep the bare address.
     */
    interface RingMemory {
        /** The bytes, in native byte order. Always the same buffer. */
        ByteBuffer buffer();

        /**
         * Releases the pages. Readers then see zeros, and writes have no effect. A device to which the kernel still
         * lends the pages keeps the old pages, which no program can see. Idempotent.
         */
        void retire();
    }

    /** A kernel object that the provider holds for its own use. */
    interface Held {
        /** The kernel's handle. */
        int handle();

        /** The driver's part of the reply that created the object, in native byte order. */
        default ByteBuffer driverReply() {
            return ByteBuffer.allocate(0);
        }

        /**
         * Destroys the object. If the kernel refuses, the object lives until the context is closed. Called once; throws
         * nothing.
         */
        void release();
    }

    /**
     * A page of the device's registers, for doorbells. The only operation is one aligned store, which the compiler
     * neither splits nor merges. The store is a release store: unless the page is write-combining, earlier writes of
     * the thread are visible to the device first. Safe for use by several threads.
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

        /** Unmaps the registers; later stores have no effect. Idempotent. */
        void retire();
    }

    /**
     * A system call that makes the kernel process a queue. For a doorbell in a mapped page, see {@link DoorbellPage}.
     */
    interface Doorbell {
        /** Returns 0, or minus the error number. Allocates nothing. */
        int ring();

        /** Called once, after the send queue is closed; no thread rings afterwards. */
        default void retire() {}
    }

    /**
     * One call of a driver-specific method of the uverbs ioctl, such as {@code UVERBS_METHOD} numbers from {@code
     * 0x1000} of uapi {@code rdma/mlx5_user_ioctl_cmds.h}. First the attributes, then {@link #send}, then the results.
     * Used by one thread, in try-with-resources:
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

        /** Adds the handle of an existing object. */
        DriverMethod handle(int attribute, int handle);

        /** Adds an object that the kernel creates; {@link #created} reads its handle at the returned position. */
        int create(int attribute);

        /**
         * Adds room for an output of {@code bytes}; {@link #getInt} and {@link #getLong} read it at the returned
         * position.
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
