// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
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
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IbService.IbServiceRecordBytes;
import io.github.rdma4j.internal.ucm.IbService.QueryIbServiceReply;
import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdReply;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdReply;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateReply;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.nio.ByteBuffer;

/**
 * A command of {@code rdma/rdma_user_cm.h}: its number, and the sizes of the body and of the reply. An {@link Encoder}
 * or {@link AskingEncoder} writes the body.
 *
 * @param <R> the decoded reply; {@link NoReply} for a command without a reply
 * @param number {@code RDMA_USER_CM_CMD_*}
 * @param name the C constant of {@code number}, for errors
 * @param requestBytes bytes of the body, without the {@link CmHeader}
 * @param replyBytes bytes of the reply buffer; 0 for a command without a reply
 * @param decoder reads the reply
 */
public record UcmCommand<R>(int number, String name, int requestBytes, int replyBytes, Decoder<R> decoder) {
    private static final String PREFIX = "RDMA_USER_CM_CMD_";
    private static final int MAX_PATHS = 6;
    private static final int FEW_SERVICES = 40;

    public static final UcmCommand<CreateIdReply> CREATE_ID = command(
            "CREATE_ID",
            CmCommands.RDMA_USER_CM_CMD_CREATE_ID,
            CreateIdCommand.BYTES,
            CreateIdReply.BYTES,
            CreateIdReply::decode);

    public static final UcmCommand<DestroyIdReply> DESTROY_ID = command(
            "DESTROY_ID",
            CmCommands.RDMA_USER_CM_CMD_DESTROY_ID,
            DestroyIdCommand.BYTES,
            DestroyIdReply.BYTES,
            DestroyIdReply::decode);

    public static final UcmCommand<NoReply> BIND = command("BIND", CmCommands.RDMA_USER_CM_CMD_BIND, BindCommand.BYTES);
    public static final UcmCommand<NoReply> RESOLVE_ADDR =
            command("RESOLVE_ADDR", CmCommands.RDMA_USER_CM_CMD_RESOLVE_ADDR, ResolveAddrCommand.BYTES);
    public static final UcmCommand<NoReply> RESOLVE_ROUTE =
            command("RESOLVE_ROUTE", CmCommands.RDMA_USER_CM_CMD_RESOLVE_ROUTE, ResolveRouteCommand.BYTES);
    public static final UcmCommand<NoReply> LISTEN =
            command("LISTEN", CmCommands.RDMA_USER_CM_CMD_LISTEN, ListenCommand.BYTES);
    public static final UcmCommand<NoReply> CONNECT =
            command("CONNECT", CmCommands.RDMA_USER_CM_CMD_CONNECT, ConnectCommand.BYTES);
    public static final UcmCommand<NoReply> ACCEPT =
            command("ACCEPT", CmCommands.RDMA_USER_CM_CMD_ACCEPT, AcceptCommand.BYTES);
    public static final UcmCommand<NoReply> REJECT =
            command("REJECT", CmCommands.RDMA_USER_CM_CMD_REJECT, RejectCommand.BYTES);
    public static final UcmCommand<NoReply> DISCONNECT =
            command("DISCONNECT", CmCommands.RDMA_USER_CM_CMD_DISCONNECT, DisconnectCommand.BYTES);
    public static final UcmCommand<NoReply> NOTIFY =
            command("NOTIFY", CmCommands.RDMA_USER_CM_CMD_NOTIFY, NotifyCommand.BYTES);

    public static final UcmCommand<NoReply> SET_OPTION =
            command("SET_OPTION", CmCommands.RDMA_USER_CM_CMD_SET_OPTION, SetOption.Command.BYTES);

    /**
     * The attributes that the connection's queue pair needs in a state; the reply does not contain the state itself.
     */
    public static final UcmCommand<QpAttr> INIT_QP_ATTR = command(
            "INIT_QP_ATTR",
            CmCommands.RDMA_USER_CM_CMD_INIT_QP_ATTR,
            InitQpAttrCommand.BYTES,
            QpAttrBytes.BYTES,
            QpAttrBytes::decode);

    /**
     * The next event of any id. The type of the id determines the meaning of the bytes, see {@link EventReply#decode},
     * so this command decodes nothing.
     */
    public static final UcmCommand<NoReply> GET_EVENT = command(
            "GET_EVENT",
            CmCommands.RDMA_USER_CM_CMD_GET_EVENT,
            GetEvent.Command.BYTES,
            EventReply.BYTES,
            UcmCommand::nothing);

    public static final UcmCommand<CreateIdReply> JOIN_MCAST = command(
            "JOIN_MCAST",
            CmCommands.RDMA_USER_CM_CMD_JOIN_MCAST,
            JoinMcastCommand.BYTES,
            CreateIdReply.BYTES,
            CreateIdReply::decode);

    public static final UcmCommand<DestroyIdReply> LEAVE_MCAST = command(
            "LEAVE_MCAST",
            CmCommands.RDMA_USER_CM_CMD_LEAVE_MCAST,
            DestroyIdCommand.BYTES,
            DestroyIdReply.BYTES,
            DestroyIdReply::decode);

    public static final UcmCommand<MigrateReply> MIGRATE_ID = command(
            "MIGRATE_ID",
            CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID,
            MigrateIdCommand.BYTES,
            MigrateReply.BYTES,
            MigrateReply::decode);

    /** Addresses and device of an id; the reply buffer must be {@linkplain QueryAddrReply#prefill prefilled}. */
    public static final UcmCommand<QueryAddrReply> QUERY_ADDR = query(QueryAddrReply.BYTES, QueryAddrReply::decode);

    public static final UcmCommand<QueryGidReply> QUERY_GID = query(QueryAddrReply.BYTES, QueryGidReply::decode);

    public static final UcmCommand<QueryPathReply> QUERY_PATH = query(
            QueryPathReply.bytes(MAX_PATHS),
            (in, base) -> QueryPathReply.decode(in, base, QueryPathReply.bytes(MAX_PATHS)));

    /** The services that an id has resolved; from Linux 6.18. */
    public static final UcmCommand<QueryIbServiceReply> QUERY_IB_SERVICE = queryIbService(FEW_SERVICES);

    /** Like {@link #QUERY_IB_SERVICE}, with room for the maximum number of records in a reply of the kernel. */
    public static final UcmCommand<QueryIbServiceReply> QUERY_MANY_IB_SERVICES =
            queryIbService((0xffff - QueryIbServiceReply.bytes(0)) / IbServiceRecordBytes.BYTES);

    private static UcmCommand<QueryIbServiceReply> queryIbService(int most) {
        int bytes = QueryIbServiceReply.bytes(most);
        return query(bytes, (in, base) -> QueryIbServiceReply.decode(in, base, bytes));
    }

    public static final UcmCommand<NoReply> RESOLVE_IB_SERVICE = command(
            "RESOLVE_IB_SERVICE", LaterCommands.RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE, ResolveIbServiceCommand.BYTES);

    public static final UcmCommand<NoReply> WRITE_CM_EVENT =
            command("WRITE_CM_EVENT", LaterCommands.RDMA_USER_CM_CMD_WRITE_CM_EVENT, WriteCmEventCommand.BYTES);

    /** The reply of a command whose only result is that of write(2). */
    public enum NoReply {
        NO_REPLY
    }

    /** Reads a reply at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Decoder<R> {
        R decode(ByteBuffer in, int base);
    }

    /** Writes the body of a command without a reply at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Encoder {
        void encode(ByteBuffer out, int base);
    }

    /** Writes the body of a command that contains the address of its reply buffer. */
    @FunctionalInterface
    public interface AskingEncoder {
        void encode(ByteBuffer out, int base, long reply);
    }

    private static <R> UcmCommand<R> command(
            String name, int number, int requestBytes, int replyBytes, Decoder<R> decoder) {
        return new UcmCommand<>(number, PREFIX + name, requestBytes, replyBytes, decoder);
    }

    private static UcmCommand<NoReply> command(String name, int number, int requestBytes) {
        return command(name, number, requestBytes, 0, UcmCommand::nothing);
    }

    /** The body selects the query by its option; the replies differ in layout. */
    private static <R> UcmCommand<R> query(int replyBytes, Decoder<R> decoder) {
        return command("QUERY", CmCommands.RDMA_USER_CM_CMD_QUERY, QueryCommand.BYTES, replyBytes, decoder);
    }

    private static NoReply nothing(ByteBuffer in, int base) {
        return NoReply.NO_REPLY;
    }

    /** Returns the name without the common prefix, such as {@code CONNECT}. */
    public String shortName() {
        return name.substring(PREFIX.length());
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return name;
    }

    /** The header of every command; the body follows it. */
    @KernelStruct(value = "struct rdma_ucm_cmd_hdr", header = "rdma/rdma_user_cm.h")
    public record CmHeader(int command, int in, int out) {
        public static final int CMD = 0; // __u32: RDMA_USER_CM_CMD_*
        public static final int IN = 4; // __u16: bytes of the body
        public static final int OUT = 6; // __u16: bytes of the reply buffer, 0 if none
        public static final int BYTES = 8;

        public void encode(ByteBuffer buffer, int base) {
            buffer.putInt(base + CMD, command);
            StructFields.putU16(buffer, base + IN, in);
            StructFields.putU16(buffer, base + OUT, out);
        }
    }

    /** The commands of the connection manager. */
    @KernelConstants("rdma/rdma_user_cm.h")
    public static final class CmCommands {
        public static final int RDMA_USER_CM_ABI_VERSION = 4;

        public static final int RDMA_USER_CM_CMD_CREATE_ID = 0;
        public static final int RDMA_USER_CM_CMD_DESTROY_ID = 1;
        public static final int RDMA_USER_CM_CMD_BIND_IP = 2;
        public static final int RDMA_USER_CM_CMD_RESOLVE_IP = 3;
        public static final int RDMA_USER_CM_CMD_RESOLVE_ROUTE = 4;
        public static final int RDMA_USER_CM_CMD_QUERY_ROUTE = 5;
        public static final int RDMA_USER_CM_CMD_CONNECT = 6;
        public static final int RDMA_USER_CM_CMD_LISTEN = 7;
        public static final int RDMA_USER_CM_CMD_ACCEPT = 8;
        public static final int RDMA_USER_CM_CMD_REJECT = 9;
        public static final int RDMA_USER_CM_CMD_DISCONNECT = 10;
        public static final int RDMA_USER_CM_CMD_INIT_QP_ATTR = 11;
        public static final int RDMA_USER_CM_CMD_GET_EVENT = 12;
        public static final int RDMA_USER_CM_CMD_GET_OPTION = 13;
        public static final int RDMA_USER_CM_CMD_SET_OPTION = 14;
        public static final int RDMA_USER_CM_CMD_NOTIFY = 15;
        public static final int RDMA_USER_CM_CMD_JOIN_IP_MCAST = 16;
        public static final int RDMA_USER_CM_CMD_LEAVE_MCAST = 17;
        public static final int RDMA_USER_CM_CMD_MIGRATE_ID = 18;
        public static final int RDMA_USER_CM_CMD_QUERY = 19;
        public static final int RDMA_USER_CM_CMD_BIND = 20;
        public static final int RDMA_USER_CM_CMD_RESOLVE_ADDR = 21;
        public static final int RDMA_USER_CM_CMD_JOIN_MCAST = 22;

        private CmCommands() {}
    }

    /** Commands and queries of Linux 6.18 and later. An older kernel fails with EINVAL. */
    @KernelConstants(value = "rdma/rdma_user_cm.h", since = "6.18")
    public static final class LaterCommands {
        public static final int RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE = 23;
        public static final int RDMA_USER_CM_CMD_WRITE_CM_EVENT = 24;

        public static final int RDMA_USER_CM_QUERY_IB_SERVICE = 3;

        public static final int RDMA_USER_CM_IB_SERVICE_FLAG_ID = 1;
        public static final int RDMA_USER_CM_IB_SERVICE_FLAG_NAME = 2;

        private LaterCommands() {}
    }
}
