// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.List;

/** What a provider may ask of the open device. Safe for use by several threads. */
public interface Device {
    /**
     * Maps {@code length} bytes at {@code offset} of the device, for reading and writing.
     *
     * @param what for messages
     */
    RingMemory map(long offset, int length, String what) throws RdmaException;

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
     * A call of a method that only the driver has.
     *
     * @param object the object's number
     * @param method the method's number
     * @param name the C constant of {@code method}, for errors
     */
    DriverMethod driverMethod(int object, int method, String name);

    /**
     * The MAC address, 6 bytes, to which packets go that leave an Ethernet port for {@code to}: out of a group's or a link-local
     * GID, or that of the neighbour on the way ({@code ibv_resolve_eth_l2_from_gid}). Waits up to 3 seconds for the neighbour. For
     * drivers whose kernel does not look it up in CREATE_AH.
     *
     * @throws ErrnoException EINVAL when the port has no GID {@code to.sgidIndex()}, ENETUNREACH when there is no route,
     *     EHOSTUNREACH when no neighbour answers
     */
    byte[] hardwareAddress(AhAttr to) throws RdmaException;

    /** State and limits of a port, the link layer among them; ports count from 1. */
    PortAttr queryPort(int port) throws RdmaException;

    /** The populated GIDs of all ports, with their types. */
    List<GidEntry> queryGids() throws RdmaException;
}
