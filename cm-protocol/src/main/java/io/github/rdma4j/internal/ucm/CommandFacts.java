// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveRouteCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.DisconnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ListenCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.NotifyCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.RejectCommand;
import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.CmHeader;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads the id, the queue pair and the address from the bytes of a command, for recordings. */
public final class CommandFacts {
    /** The result of {@link #id} for a command without an id. */
    public static final int NO_ID = -1;

    /** The offset of the id in each command, by the number of the command; -1 for a command without an id. */
    private static final int[] ID_OFFSETS = {
        NO_ID,
        DestroyIdCommand.ID,
        36, // BIND_IP, not used by this library: struct rdma_ucm_bind_ip
        56, // RESOLVE_IP: struct rdma_ucm_resolve_ip
        ResolveRouteCommand.ID,
        QueryCommand.ID, // QUERY_ROUTE has the same struct
        ConnectCommand.ID,
        ListenCommand.ID,
        AcceptCommand.ID,
        RejectCommand.ID,
        DisconnectCommand.ID,
        InitQpAttrCommand.ID,
        NO_ID,
        NO_ID,
        SetOption.Command.ID,
        NotifyCommand.ID,
        44, // JOIN_IP_MCAST: struct rdma_ucm_join_ip_mcast
        DestroyIdCommand.ID,
        MigrateIdCommand.ID,
        QueryCommand.ID,
        BindCommand.ID,
        ResolveAddrCommand.ID,
        JoinMcastCommand.ID,
        ResolveIbServiceCommand.ID,
        WriteCmEventCommand.ID
    };

    private CommandFacts() {}

    /**
     * The id of a command: the handle of a membership for LEAVE_MCAST; {@link #NO_ID} for a command without an id, such
     * as CREATE_ID and GET_EVENT.
     *
     * @param command {@code RDMA_USER_CM_CMD_*}
     * @param body a buffer in native order
     * @param base the offset of the body, after the {@link CmHeader}
     */
    public static int id(int command, ByteBuffer body, int base) {
        if (command < 0 || command >= ID_OFFSETS.length || ID_OFFSETS[command] == NO_ID) {
            return NO_ID;
        }
        int at = base + ID_OFFSETS[command];
        return at + Integer.BYTES <= body.limit() ? body.getInt(at) : NO_ID;
    }

    /** The number of the queue pair in a CONNECT or ACCEPT; 0 in other commands. */
    public static int queuePair(int command, ByteBuffer body, int base) {
        return switch (command) {
            case CmCommands.RDMA_USER_CM_CMD_CONNECT ->
                body.getInt(base + ConnectCommand.CONN_PARAM + ConnParam.QP_NUM);
            case CmCommands.RDMA_USER_CM_CMD_ACCEPT -> body.getInt(base + AcceptCommand.CONN_PARAM + ConnParam.QP_NUM);
            default -> 0;
        };
    }

    /** The address in a BIND, RESOLVE_ADDR (the destination) or JOIN_MCAST; null in other commands. */
    public static @Nullable SocketAddress address(int command, ByteBuffer body, int base) {
        return switch (command) {
            case CmCommands.RDMA_USER_CM_CMD_BIND ->
                address(body, base + BindCommand.ADDR, base + BindCommand.ADDR_SIZE);
            case CmCommands.RDMA_USER_CM_CMD_RESOLVE_ADDR ->
                address(body, base + ResolveAddrCommand.DST_ADDR, base + ResolveAddrCommand.DST_SIZE);
            case CmCommands.RDMA_USER_CM_CMD_JOIN_MCAST ->
                address(body, base + JoinMcastCommand.ADDR, base + JoinMcastCommand.ADDR_SIZE);
            default -> null;
        };
    }

    private static @Nullable SocketAddress address(ByteBuffer body, int address, int size) {
        return SockAddr.decode(body, address, StructFields.getU16(body, size));
    }
}
