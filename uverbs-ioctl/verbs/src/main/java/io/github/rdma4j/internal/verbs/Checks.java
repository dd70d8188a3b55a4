// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Rejects invalid arguments. */
public final class Checks {
    private static final Set<Access> OF_DMABUFS = Collections.unmodifiableSet(EnumSet.of(
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC,
            Access.RELAXED_ORDERING));

    private static final int U8 = 0xff;
    private static final int U16 = 0xffff;
    private static final int FLOW_LABEL = 0xfffff;
    private static final int SERVICE_LEVEL = 15;
    private static final int PATH_BITS = 0x7f;

    private Checks() {}

    public static int notNegative(int value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be 0 or more");
        }
        return value;
    }

    /** Rejects an address with a number that does not fit into its field of a packet or command. */
    public static void address(AhAttr address) {
        inRange(address.portNum(), U8, "portNum");
        inRange(address.sgidIndex(), U8, "sgidIndex");
        inRange(address.hopLimit(), U8, "hopLimit");
        inRange(address.trafficClass(), U8, "trafficClass");
        inRange(address.flowLabel(), FLOW_LABEL, "flowLabel");
        inRange(address.dlid(), U16, "dlid");
        inRange(address.sl(), SERVICE_LEVEL, "sl");
        inRange(address.srcPathBits(), PATH_BITS, "srcPathBits");
        inRange(address.staticRate(), U8, "staticRate");
    }

    private static void inRange(int value, int most, String name) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(name + " of an address is " + value + "; it must be 0 to " + most);
        }
    }

    /** Rejects a dma-buf range that every kernel rejects. */
    public static void dmabuf(long offset, long length, long iova, Set<Access> access, int pageSize) {
        if (offset < 0 || length <= 0 || length > Long.MAX_VALUE - offset) {
            throw new IllegalArgumentException(length + " bytes at " + offset
                    + " of a dma-buf; a memory region has at least 1 byte, at offset 0 or greater");
        }
        if ((offset - iova) % pageSize != 0) {
            throw new IllegalArgumentException("iova 0x" + Long.toHexString(iova) + " must equal offset " + offset
                    + " modulo the page size " + pageSize);
        }
        if (!OF_DMABUFS.containsAll(access)) {
            throw new IllegalArgumentException(access + " for a dma-buf, which takes " + OF_DMABUFS);
        }
    }

    /** Rejects access rights that contradict each other or the buffer. */
    public static void access(Set<Access> access, boolean readOnlyBuffer) {
        if (readOnlyBuffer && access.contains(Access.LOCAL_WRITE)) {
            throw new IllegalArgumentException("LOCAL_WRITE access to a read-only buffer");
        }
        if (!access.contains(Access.LOCAL_WRITE)
                && (access.contains(Access.REMOTE_WRITE) || access.contains(Access.REMOTE_ATOMIC))) {
            throw new IllegalArgumentException(
                    access + ": REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE: add LOCAL_WRITE");
        }
    }
}
