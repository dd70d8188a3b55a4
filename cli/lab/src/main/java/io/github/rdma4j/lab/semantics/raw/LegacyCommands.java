// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.raw;

import io.github.rdma4j.internal.ucm.SockAddr;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The commands that rdma-core sends only where AF_IB is not known, before Linux 3.11. The library has no use for them;
 * the kernel still obeys them.
 */
public final class LegacyCommands {
    private static final int SOCKADDR_BYTES = 28;
    private static final int ROUTE_REPLY_BYTES = 208;

    private final RawCm cm;

    LegacyCommands(RawCm cm) {
        this.cm = cm;
    }

    /** {@code struct rdma_ucm_bind_ip}: response 0, addr 8, id 36. */
    public Answer bindIp(int id, SocketAddress address) {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_BIND_IP, 40, 0, (out, base, reply) -> {
            SockAddr.encode(out, base + 8, address);
            out.putInt(base + 8 + SOCKADDR_BYTES, id);
        });
    }

    /** {@code struct rdma_ucm_resolve_ip}: src 0, dst 28, id 56, timeout 60. */
    public Answer resolveIp(int id, @Nullable SocketAddress source, SocketAddress destination, Duration timeout) {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_RESOLVE_IP, 64, 0, (out, base, reply) -> {
            if (source != null) {
                SockAddr.encode(out, base, source);
            }
            SockAddr.encode(out, base + SOCKADDR_BYTES, destination);
            out.putInt(base + 56, id);
            out.putInt(base + 60, (int) timeout.toMillis());
        });
    }

    /** {@code struct rdma_ucm_query}: response 0, id 8. */
    public Answer queryRoute(int id) {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_QUERY_ROUTE, 16, ROUTE_REPLY_BYTES, (out, base, reply) -> {
            out.putLong(base, reply);
            out.putInt(base + 8, id);
        });
    }

    /** {@code struct rdma_ucm_join_ip_mcast}: response 0, uid 8, addr 16, id 44. */
    public Answer joinIpMcast(int id, long uid, SocketAddress group) {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_JOIN_IP_MCAST, 48, 4, (out, base, reply) -> {
            out.putLong(base, reply);
            out.putLong(base + 8, uid);
            SockAddr.encode(out, base + 16, group);
            out.putInt(base + 44, id);
        });
    }
}
