// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.PathData;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The settings of a CM id ({@code rdma_set_option(3)}); see {@link CmId#settings()}. Safe for use by several threads.
 */
public final class CmIdSettings {
    private static final int MAX_BYTE = 0xff;
    private static final int MAX_ACK_TIMEOUT = 31;

    private final CmIdCore core;

    CmIdSettings(CmIdCore core) {
        this.core = core;
    }

    /**
     * Sets the type of service of the path ({@code RDMA_OPTION_ID_TOS}), which is the traffic class on RoCE. On
     * InfiniBand, it is the class of service for which the policy of the subnet manager has a service level. Takes
     * effect when the route is resolved; multicast ignores it.
     *
     * @param tos 0 to 255
     */
    public CmIdSettings typeOfService(int tos) throws RdmaException {
        byte[] value = {(byte) Arguments.inRange(tos, MAX_BYTE, "the type of service")};
        return set(CmCommand.SET_TOS, OptionNames.RDMA_OPTION_ID_TOS, "RDMA_OPTION_ID_TOS", value);
    }

    /**
     * Allows several ids to bind to the same address and port and to resolve from it
     * ({@code RDMA_OPTION_ID_REUSEADDR}). Only one of them may listen, after the others are closed. Set this before
     * binding. Once the id is bound, the kernel no longer accepts {@code false}.
     */
    public CmIdSettings reuseAddress(boolean reuse) throws RdmaException {
        return set(
                CmCommand.SET_REUSE_ADDRESS,
                OptionNames.RDMA_OPTION_ID_REUSEADDR,
                "RDMA_OPTION_ID_REUSEADDR",
                number(reuse));
    }

    /**
     * Restricts an IPv6 wildcard address to IPv6, excluding IPv4 ({@code RDMA_OPTION_ID_AFONLY}). The default is the
     * sysctl {@code net.ipv6.bindv6only}. Set this before listening.
     */
    public CmIdSettings addressFamilyOnly(boolean only) throws RdmaException {
        return set(CmCommand.SET_AF_ONLY, OptionNames.RDMA_OPTION_ID_AFONLY, "RDMA_OPTION_ID_AFONLY", number(only));
    }

    /**
     * Sets the timeout after which an unacknowledged message is retransmitted ({@code RDMA_OPTION_ID_ACK_TIMEOUT}):
     * 4.096 us times two to the power of {@code exponent}. Applies to connected queue pairs and takes effect when the
     * queue pair is made ready.
     *
     * @param exponent 0 to 31; 0 disables the timeout
     */
    public CmIdSettings ackTimeout(int exponent) throws RdmaException {
        byte[] value = {
            (byte) Arguments.inRange(exponent, MAX_ACK_TIMEOUT, "the exponent of the acknowledgement timeout")
        };
        return set(
                CmCommand.SET_ACK_TIMEOUT, OptionNames.RDMA_OPTION_ID_ACK_TIMEOUT, "RDMA_OPTION_ID_ACK_TIMEOUT", value);
    }

    /**
     * Sets the paths to the peer instead of resolving the route ({@code RDMA_OPTION_IB_PATH}); ROUTE_RESOLVED follows.
     * The kernel uses the first path, in both directions. Subnet administration provides paths; see {@link PathRecord}.
     */
    public CmIdSettings paths(List<PathRecord> paths) throws RdmaException {
        ByteBuffer value =
                ByteBuffer.allocate(paths.size() * PathData.Layout.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < paths.size(); i++) {
            PathData.encode(paths.get(i), value, i * PathData.Layout.BYTES);
        }
        core.command(
                CmCommand.SET_IB_PATH,
                () -> core.ucm()
                        .setOption(
                                core.handle(),
                                OptionNames.RDMA_OPTION_IB,
                                OptionNames.RDMA_OPTION_IB_PATH,
                                "RDMA_OPTION_IB_PATH",
                                value.array()));
        return this;
    }

    private CmIdSettings set(CmCommand command, int option, String name, byte[] value) throws RdmaException {
        core.command(
                command, () -> core.ucm().setOption(core.handle(), OptionNames.RDMA_OPTION_ID, option, name, value));
        return this;
    }

    private static byte[] number(boolean value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(value ? 1 : 0)
                .array();
    }
}
