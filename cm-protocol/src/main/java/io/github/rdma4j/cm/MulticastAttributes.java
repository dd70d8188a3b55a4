// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.net.SocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of the extended join ({@code struct rdma_cm_join_mc_attr_ex} of {@code rdma_cma.h}): a mask says which of
 * them the caller has set. For programs that carry such attributes around; others have no need of a mask and use {@link
 * CmMulticast#join(SocketAddress, MulticastMode, Object)}.
 *
 * @param compMask {@link #ADDRESS} and {@link #JOIN_FLAGS}; both are needed
 * @param joinFlags {@link MulticastMode#code()}: a value, not bits
 * @param address the group
 */
public record MulticastAttributes(
        int compMask, int joinFlags, @Nullable SocketAddress address) {
    /** {@code RDMA_CM_JOIN_MC_ATTR_ADDRESS}: the address is set. */
    public static final int ADDRESS = 1;

    /** {@code RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS}: the flags are set. */
    public static final int JOIN_FLAGS = 1 << 1;

    /** {@code RDMA_CM_JOIN_MC_ATTR_RESERVED}: the first bit without a meaning. */
    private static final int RESERVED = 1 << 2;

    /** All attributes set. */
    public static MulticastAttributes of(SocketAddress address, MulticastMode mode) {
        return new MulticastAttributes(ADDRESS | JOIN_FLAGS, mode.code(), address);
    }

    /** The address, once the mask is known to make sense: the C library checks in this order and with these numbers. */
    SocketAddress requireAddress() throws ErrnoException {
        if (Integer.compareUnsigned(compMask, RESERVED) >= 0) {
            throw refused(
                    Errno.EOPNOTSUPP, "the mask has a bit without a meaning; ADDRESS and JOIN_FLAGS are all there are");
        }
        if ((compMask & ADDRESS) == 0) {
            throw refused(Errno.EINVAL, "the mask says that there is no address; set ADDRESS");
        }
        if ((compMask & JOIN_FLAGS) == 0) {
            throw refused(Errno.EINVAL, "the mask says that there are no flags; set JOIN_FLAGS");
        }
        requireMode();
        if (address == null) {
            throw refused(Errno.EINVAL, "the mask says that there is an address, and there is none");
        }
        return address;
    }

    /** How to join; EINVAL when the flags are neither of the two values. */
    MulticastMode requireMode() throws ErrnoException {
        return Arrays.stream(MulticastMode.values())
                .filter(mode -> mode.code() == joinFlags)
                .findFirst()
                .orElseThrow(() -> refused(
                        Errno.EINVAL, "the flags are neither FULLMEMBER nor SENDONLY_FULLMEMBER, which are not bits"));
    }

    private ErrnoException refused(Errno errno, String advice) {
        return new ErrnoException(
                String.format("joining a group with mask 0x%x and flags %d", compMask, joinFlags), errno, advice);
    }
}
