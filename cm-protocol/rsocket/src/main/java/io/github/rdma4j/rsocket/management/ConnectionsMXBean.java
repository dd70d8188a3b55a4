// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.rsocket.management;

import java.util.List;
import java.util.Map;

/**
 * The connections and listeners of a program: streams of {@code rdma4j-rsocket}, channels and sockets of {@code rdma4j-nio}, over
 * RDMA and over TCP, and channels of {@code rdma4j-netty-transport}. Which of them are RDMA, and why the others are not.
 *
 * <p>The platform's server of MBeans has it as {@link #OBJECT_NAME}, soon after the first connection or listener of the program is made,
 * if the JRE has the module {@code java.management}:
 *
 * <pre>{@code
 * JMX.newMXBeanProxy(
 *         ManagementFactory.getPlatformMBeanServer(),
 *         new ObjectName(ConnectionsMXBean.OBJECT_NAME),
 *         ConnectionsMXBean.class);
 * }</pre>
 *
 * <p>Numbers count since the start of the program. Bytes are those that the program has read and written; what one side writes to
 * memory that the other has mapped is not counted.
 */
public interface ConnectionsMXBean {
    /** The name of the MBean. */
    String OBJECT_NAME = "io.github.rdma4j:type=Connections";

    /** The connections that are open, the oldest first. */
    List<Connection> getConnections();

    /**
     * What listens, the oldest first. A listener over both has an entry for each. Those for sockets of Unix domains, which go over
     * neither, have none.
     */
    List<Listener> getListeners();

    /** How many connections over RDMA were made. */
    long getOpenedOverRdma();

    /** How many connections of {@code rdma4j-nio} over TCP were made. */
    long getOpenedOverTcp();

    /** How many connections over RDMA have ended. */
    long getClosedOverRdma();

    /** How many connections over TCP have ended. */
    long getClosedOverTcp();

    /** How many bytes were read. */
    long getBytesRead();

    /** How many bytes were written. */
    long getBytesWritten();

    /** How often a write over RDMA could not take all bytes, because the peer had granted no room for more. */
    long getCreditStalls();

    /** How many connections went over TCP, by the reason without its particulars, such as {@code refused over RDMA}. */
    Map<String, Long> getTcpReasons();

    /** A connection. */
    interface Connection {
        /** {@code RDMA} or {@code TCP}. */
        String getTransport();

        /** The protocol over RDMA: {@code rsocket}, or {@code native} between two channels of Netty; empty over TCP. */
        String getWire();

        /** The RDMA device; empty over TCP. */
        String getDevice();

        /** The local address and port. */
        String getLocal();

        /** The address and port of the peer. */
        String getPeer();

        /** How long the connection has been there. */
        long getAgeMillis();

        /** How many bytes were read. */
        long getBytesRead();

        /** How many bytes were written. */
        long getBytesWritten();

        /** How often a write could not take all bytes, because the peer had granted no room for more. */
        long getCreditStalls();

        /** {@code open}, {@code closing}, or what has ended. */
        String getState();

        /** Why the connection goes over TCP; empty over RDMA. */
        String getReason();

        /** Over RDMA: buffers, credits and what is under way, for people; may change in any release. */
        String getDetails();
    }

    /** A listener. */
    interface Listener {
        /** {@code RDMA} or {@code TCP}. */
        String getTransport();

        /** The local address and port; every address is {@code 0.0.0.0} or {@code [0:0:0:0:0:0:0:0]}. */
        String getLocal();

        /** How many connections may wait until the program takes them; over TCP, the kernel may have a lower limit. */
        int getBacklog();

        /** How many connections the program has taken. */
        long getAccepted();

        /** Over TCP: {@code beside RDMA}, or why the listener has no RDMA; empty over RDMA. */
        String getReason();
    }
}
