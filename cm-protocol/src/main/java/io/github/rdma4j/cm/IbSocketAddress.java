// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.verbs.attr.Gid;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A native InfiniBand address ({@code struct sockaddr_ib}), with a GID and a service id in place of an IP address and a
 * port. The kernel binds ids to such addresses on InfiniBand links; on Ethernet it accepts only the wildcard.
 */
public final class IbSocketAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;
    private static final int PORT_MASK = 0xffff;

    private final int pkey;
    private final long prefix;
    private final long interfaceId;
    private final long serviceId;
    private final long serviceIdMask;
    private final long scopeId;

    /**
     * Creates an address.
     *
     * @param pkey the partition key
     * @param gid the GID of the port; all zeros for any port
     * @param serviceId the service id; {@code port space << 16 | port} for the services of the connection manager
     * @param serviceIdMask the bits of the service id that are compared
     * @param scopeId the scope; usually 0
     */
    public IbSocketAddress(int pkey, Gid gid, long serviceId, long serviceIdMask, long scopeId) {
        this.pkey = pkey;
        this.prefix = gid.prefix();
        this.interfaceId = gid.interfaceId();
        this.serviceId = serviceId;
        this.serviceIdMask = serviceIdMask;
        this.scopeId = scopeId;
    }

    /** Returns the partition key, 0 to 65535. */
    public int pkey() {
        return pkey;
    }

    /** Returns the address of the port. */
    public Gid gid() {
        return new Gid(prefix, interfaceId);
    }

    /** Returns the service id. */
    public long serviceId() {
        return serviceId;
    }

    /** Returns the bits of the service id that are compared. */
    public long serviceIdMask() {
        return serviceIdMask;
    }

    /** Returns the scope; usually 0. */
    public long scopeId() {
        return scopeId;
    }

    /** Returns the low 16 bits of the service id, which are the port in the port spaces of the connection manager. */
    public int port() {
        return (int) serviceId & PORT_MASK;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IbSocketAddress that
                && pkey == that.pkey
                && prefix == that.prefix
                && interfaceId == that.interfaceId
                && serviceId == that.serviceId
                && serviceIdMask == that.serviceIdMask
                && scopeId == that.scopeId;
    }

    @Override
    public int hashCode() {
        return Objects.hash(pkey, prefix, interfaceId, serviceId, serviceIdMask, scopeId);
    }

    @Override
    public String toString() {
        return gid() + " service 0x" + Long.toHexString(serviceId);
    }
}
