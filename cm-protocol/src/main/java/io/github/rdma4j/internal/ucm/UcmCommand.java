// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.nio.ByteBuffer;

/**
 * A command of {@code rdma/rdma_user_cm.h}: its number, and the sizes of what it writes and of what the kernel answers.
 * What is particular to one call, the body, is written by an {@link Encoder} or {@link AskingEncoder}.
 *
 * @param <R> what the reply is decoded to; {@link NoReply} for a command without one
 * @param number {@code RDMA_USER_CM_CMD_*}
 * @param name the C constant of {@code number}, for errors
 * @param requestBytes bytes of the body, without the {@link CmHeader}
 * @param replyBytes bytes of the reply buffer; 0 for a command without a reply
 * @param decoder reads the reply
 */
public record UcmCommand<R>(int number, String name, int requestBytes, int replyBytes, Decoder<R> decoder) {
    private static final String PREFIX = "RDMA_USER_CM_CMD_";
    private static final int MAX_PATHS = 6;
    private static final int MAX_SERVICES = 40;

    /** Creates an id whose events carry the uid of the command, which must not be 0: the kernel drops events of uid 0. */
    public static final UcmCommand<CreateIdReply> CREATE_ID = command(
            "CREATE_ID",
            CmCommands.RDMA_USER_CM_CMD_CREATE_ID,
            CreateIdCommand.Layout.BYTES,
            CreateIdReply.Layout.BYTES,
            CreateIdReply::decode);

    /** Destroys an id and drops its undelivered events. */
    public static final UcmCommand<DestroyIdReply> DESTROY_ID = command(
            "DESTROY_ID",
            CmCommands.RDMA_USER_CM_CMD_DESTROY_ID,
            DestroyIdCommand.Layout.BYTES,
            DestroyIdReply.Layout.BYTES,
            DestroyIdReply::decode);

    public static final UcmCommand<NoReply> BIND =
            command("BIND", CmCommands.RDMA_USER_CM_CMD_BIND, BindCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> RESOLVE_ADDR =
            command("RESOLVE_ADDR", CmCommands.RDMA_USER_CM_CMD_RESOLVE_ADDR, ResolveAddrCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> RESOLVE_ROUTE =
            command("RESOLVE_ROUTE", CmCommands.RDMA_USER_CM_CMD_RESOLVE_ROUTE, ResolveRouteCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> LISTEN =
            command("LISTEN", CmCommands.RDMA_USER_CM_CMD_LISTEN, ListenCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> CONNECT =
            command("CONNECT", CmCommands.RDMA_USER_CM_CMD_CONNECT, ConnectCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> ACCEPT =
            command("ACCEPT", CmCommands.RDMA_USER_CM_CMD_ACCEPT, AcceptCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> REJECT =
            command("REJECT", CmCommands.RDMA_USER_CM_CMD_REJECT, RejectCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> DISCONNECT =
            command("DISCONNECT", CmCommands.RDMA_USER_CM_CMD_DISCONNECT, DisconnectCommand.Layout.BYTES);
    public static final UcmCommand<NoReply> NOTIFY =
            command("NOTIFY", CmCommands.RDMA_USER_CM_CMD_NOTIFY, NotifyCommand.Layout.BYTES);

    /** The value of the option lies in a buffer of its own, whose address is in the body. */
    public static final UcmCommand<NoReply> SET_OPTION =
            command("SET_OPTION", CmCommands.RDMA_USER_CM_CMD_SET_OPTION, SetOptionCommand.Layout.BYTES);

    /** The attributes that the connection wants its queue pair to have in a state; the kernel leaves the state out. */
    public static final UcmCommand<QpAttr> INIT_QP_ATTR = command(
            "INIT_QP_ATTR",
            CmCommands.RDMA_USER_CM_CMD_INIT_QP_ATTR,
            InitQpAttrCommand.Layout.BYTES,
            QpAttrBytes.Layout.BYTES,
            QpAttrBytes::decode);

    /**
     * The next event of any id. Its bytes have a meaning only together with the type of the id, see {@link
     * EventReply#decode}; so this decodes nothing.
     */
    public static final UcmCommand<NoReply> GET_EVENT = command(
            "GET_EVENT",
            CmCommands.RDMA_USER_CM_CMD_GET_EVENT,
            GetEventCommand.Layout.BYTES,
            EventReply.Layout.BYTES,
            UcmCommand::nothing);

    /** Joins a multicast group; the reply is the handle of the membership. */
    public static final UcmCommand<CreateIdReply> JOIN_MCAST = command(
            "JOIN_MCAST",
            CmCommands.RDMA_USER_CM_CMD_JOIN_MCAST,
            JoinMcastCommand.Layout.BYTES,
            CreateIdReply.Layout.BYTES,
            CreateIdReply::decode);

    public static final UcmCommand<DestroyIdReply> LEAVE_MCAST = command(
            "LEAVE_MCAST",
            CmCommands.RDMA_USER_CM_CMD_LEAVE_MCAST,
            LeaveMcastCommand.BYTES,
            DestroyIdReply.Layout.BYTES,
            DestroyIdReply::decode);

    /** Takes an id over from another descriptor. */
    public static final UcmCommand<MigrateReply> MIGRATE_ID = command(
            "MIGRATE_ID",
            CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID,
            MigrateIdCommand.Layout.BYTES,
            MigrateReply.Layout.BYTES,
            MigrateReply::decode);

    /** Addresses and device of an id; the reply buffer must be {@linkplain QueryAddrReply#prefill prefilled}. */
    public static final UcmCommand<QueryAddrReply> QUERY_ADDR =
            query(QueryAddrReply.Layout.BYTES, QueryAddrReply::decode);

    /** The GIDs that stand for the addresses of an id. */
    public static final UcmCommand<QueryGidReply> QUERY_GID = query(QueryAddrReply.Layout.BYTES, QueryGidReply::decode);

    /** The path records of an id's route. */
    public static final UcmCommand<QueryPathReply> QUERY_PATH = query(
            QueryPathReply.bytes(MAX_PATHS),
            (in, base) -> QueryPathReply.decode(in, base, QueryPathReply.bytes(MAX_PATHS)));

    /** The services that an id has resolved; from Linux 6.18. */
    public static final UcmCommand<QueryIbServiceReply> QUERY_IB_SERVICE = query(
            QueryIbServiceReply.bytes(MAX_SERVICES),
            (in, base) -> QueryIbServiceReply.decode(in, base, QueryIbServiceReply.bytes(MAX_SERVICES)));

    /** From Linux 6.18. */
    public static final UcmCommand<NoReply> RESOLVE_IB_SERVICE = command(
            "RESOLVE_IB_SERVICE",
            LaterCommands.RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE,
            ResolveIbServiceCommand.Layout.BYTES);

    /** From Linux 6.18. */
    public static final UcmCommand<NoReply> WRITE_CM_EVENT =
            command("WRITE_CM_EVENT", LaterCommands.RDMA_USER_CM_CMD_WRITE_CM_EVENT, WriteCmEventCommand.Layout.BYTES);

    /** The reply of a command that the kernel answers with the result of write(2) alone. */
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

    /** Writes the body of a command that holds the address of its reply buffer. */
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

    /** What is asked for is an option in the body; the answers differ in layout. */
    private static <R> UcmCommand<R> query(int replyBytes, Decoder<R> decoder) {
        return command("QUERY", CmCommands.RDMA_USER_CM_CMD_QUERY, QueryCommand.Layout.BYTES, replyBytes, decoder);
    }

    private static NoReply nothing(ByteBuffer in, int base) {
        return NoReply.NO_REPLY;
    }

    /** The name without the prefix that all commands have, such as {@code CONNECT}. */
    public String shortName() {
        return name.substring(PREFIX.length());
    }

    /** The name, for messages. */
    @Override
    public String toString() {
        return name;
    }
}
