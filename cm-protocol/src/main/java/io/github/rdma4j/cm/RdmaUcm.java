// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.ucm.AcceptCommand;
import io.github.rdma4j.internal.ucm.BindCommand;
import io.github.rdma4j.internal.ucm.CmCommands;
import io.github.rdma4j.internal.ucm.CmHeader;
import io.github.rdma4j.internal.ucm.ConnectCommand;
import io.github.rdma4j.internal.ucm.CreateIdCommand;
import io.github.rdma4j.internal.ucm.CreateIdReply;
import io.github.rdma4j.internal.ucm.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.DestroyIdReply;
import io.github.rdma4j.internal.ucm.DisconnectCommand;
import io.github.rdma4j.internal.ucm.EventReply;
import io.github.rdma4j.internal.ucm.GetEventCommand;
import io.github.rdma4j.internal.ucm.InitQpAttrCommand;
import io.github.rdma4j.internal.ucm.JoinMcastCommand;
import io.github.rdma4j.internal.ucm.LaterCommands;
import io.github.rdma4j.internal.ucm.LeaveMcastCommand;
import io.github.rdma4j.internal.ucm.ListenCommand;
import io.github.rdma4j.internal.ucm.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.MigrateReply;
import io.github.rdma4j.internal.ucm.NotifyCommand;
import io.github.rdma4j.internal.ucm.QueryAddrReply;
import io.github.rdma4j.internal.ucm.QueryCommand;
import io.github.rdma4j.internal.ucm.QueryGidReply;
import io.github.rdma4j.internal.ucm.QueryIbServiceReply;
import io.github.rdma4j.internal.ucm.QueryOptions;
import io.github.rdma4j.internal.ucm.QueryPathReply;
import io.github.rdma4j.internal.ucm.RejectCommand;
import io.github.rdma4j.internal.ucm.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.ResolveRouteCommand;
import io.github.rdma4j.internal.ucm.SetOptionCommand;
import io.github.rdma4j.internal.ucm.WriteCmEventCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.QpAttr;
import io.github.rdma4j.verbs.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * The commands of one open {@code /dev/infiniband/rdma_cm}: one method a command, each a write(2) of a header and a
 * struct. Ids are the kernel's handles here. Safe for use by several threads.
 */
final class RdmaUcm {
    /** The question what a queue pair has to be like for its connection, as an error names it. */
    static final String INIT_QP_ATTR = "RDMA_USER_CM_CMD_INIT_QP_ATTR";

    private static final int MAX_PATHS = 6;
    private static final int MAX_SERVICES = 40;

    /** The handle of an id that no kernel gives: they are counted from 0. */
    private static final int NOBODY = 0x7fff_ffff;

    private final KernelFd fd;

    /** The event that was read last, as the kernel wrote it; guarded by the lock of the channel's retrieval. */
    private final ByteBuffer event =
            ByteBuffer.allocate(EventReply.Layout.BYTES).order(ByteOrder.nativeOrder());

    /** Whether {@link #event} holds an event that is still to be taken; guarded by the same lock. */
    private boolean holdsEvent;

    RdmaUcm(KernelFd fd) {
        this.fd = fd;
    }

    @FunctionalInterface
    private interface Request {
        void encode(ByteBuffer out, int base, long response);
    }

    @FunctionalInterface
    private interface Reply<T> {
        T decode(ByteBuffer in, int base);
    }

    /** Writes the command: the response's offset in the arena, or minus the error number. */
    private long write(CommandArena arena, int command, int bytes, Request request, int response, int responseBytes) {
        int start = arena.allocate(CmHeader.Layout.BYTES + bytes);
        new CmHeader(command, bytes, responseBytes).encode(arena.buffer(), start);
        request.encode(arena.buffer(), start + CmHeader.Layout.BYTES, arena.address(response));
        return fd.write(arena.address(start), CmHeader.Layout.BYTES + bytes);
    }

    /** A command and the address in it; its text is made for an error only. */
    private record Naming(String command, Object address) {
        @Override
        public String toString() {
            return command + " " + address;
        }
    }

    private <T> T ask(int command, Object name, int bytes, Request request, int replyBytes, Reply<T> reply)
            throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int response = arena.allocate(replyBytes);
            long result = write(arena, command, bytes, request, response, replyBytes);
            if (result < 0) {
                throw new ErrnoException(name.toString(), Errno.ofResult(result));
            }
            try {
                return reply.decode(arena.buffer(), response);
            } catch (IllegalArgumentException e) {
                throw new MalformedReplyException("reply to " + name + ": " + e.getMessage(), 0, replyBytes);
            }
        }
    }

    private void tell(int command, Object name, int bytes, BodyEncoder body) throws RdmaException {
        ask(command, name, bytes, (out, base, response) -> body.encode(out, base), 0, (in, base) -> "");
    }

    @FunctionalInterface
    private interface BodyEncoder {
        void encode(ByteBuffer out, int base);
    }

    /** A new id whose events will carry {@code uid}, which must not be 0: the kernel drops the events of such an id. */
    int createId(long uid, PortSpace portSpace, QueuePairType type) throws RdmaException {
        return ask(
                        CmCommands.RDMA_USER_CM_CMD_CREATE_ID,
                        "RDMA_USER_CM_CMD_CREATE_ID",
                        CreateIdCommand.Layout.BYTES,
                        new CreateIdCommand(uid, portSpace.code(), type.code())::encode,
                        CreateIdReply.Layout.BYTES,
                        CreateIdReply::decode)
                .id();
    }

    /** Destroys the id and drops its undelivered events; returns how many were delivered. */
    int destroyId(int id) throws RdmaException {
        return ask(
                        CmCommands.RDMA_USER_CM_CMD_DESTROY_ID,
                        "RDMA_USER_CM_CMD_DESTROY_ID",
                        DestroyIdCommand.Layout.BYTES,
                        new DestroyIdCommand(id)::encode,
                        DestroyIdReply.Layout.BYTES,
                        DestroyIdReply::decode)
                .eventsReported();
    }

    void bind(BindCommand command) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_BIND,
                new Naming("RDMA_USER_CM_CMD_BIND", command.addr()),
                BindCommand.Layout.BYTES,
                command::encode);
    }

    void resolveAddress(ResolveAddrCommand command) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_RESOLVE_ADDR,
                new Naming("RDMA_USER_CM_CMD_RESOLVE_ADDR", command.dst()),
                ResolveAddrCommand.Layout.BYTES,
                command::encode);
    }

    void resolveRoute(int id, int timeoutMillis) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_RESOLVE_ROUTE,
                "RDMA_USER_CM_CMD_RESOLVE_ROUTE",
                ResolveRouteCommand.Layout.BYTES,
                new ResolveRouteCommand(id, timeoutMillis)::encode);
    }

    void listen(int id, int backlog) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_LISTEN,
                "RDMA_USER_CM_CMD_LISTEN",
                ListenCommand.Layout.BYTES,
                new ListenCommand(id, backlog)::encode);
    }

    void connect(ConnectCommand command) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_CONNECT,
                "RDMA_USER_CM_CMD_CONNECT",
                ConnectCommand.Layout.BYTES,
                command::encode);
    }

    void accept(AcceptCommand command) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_ACCEPT,
                "RDMA_USER_CM_CMD_ACCEPT",
                AcceptCommand.Layout.BYTES,
                command::encode);
    }

    void reject(RejectCommand command) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_REJECT,
                "RDMA_USER_CM_CMD_REJECT",
                RejectCommand.Layout.BYTES,
                command::encode);
    }

    /** Sets an option; how many bytes the value must have depends on the option. */
    void setOption(int id, int level, int option, String name, byte[] value) throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int at = arena.allocate(value.length);
            arena.buffer().put(at, value);
            SetOptionCommand command = new SetOptionCommand(id, level, option, value.length);
            Request request = (out, base, response) -> command.encode(out, base, arena.address(at));
            long result =
                    write(arena, CmCommands.RDMA_USER_CM_CMD_SET_OPTION, SetOptionCommand.Layout.BYTES, request, at, 0);
            if (result < 0) {
                throw new ErrnoException("RDMA_USER_CM_CMD_SET_OPTION " + name, Errno.ofResult(result));
            }
        }
    }

    void notify(NotifyCommand command) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_NOTIFY,
                "RDMA_USER_CM_CMD_NOTIFY",
                NotifyCommand.Layout.BYTES,
                command::encode);
    }

    /** Takes the id over from the descriptor {@code from}; returns how many of its events were delivered so far. */
    int migrateId(int id, KernelFd from) throws RdmaException {
        return from.use(number -> migrateId(id, number));
    }

    /** Takes the id over from the descriptor of that number. */
    int migrateId(int id, int from) throws RdmaException {
        return ask(
                        CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID,
                        "RDMA_USER_CM_CMD_MIGRATE_ID",
                        MigrateIdCommand.Layout.BYTES,
                        new MigrateIdCommand(id, from)::encode,
                        MigrateReply.Layout.BYTES,
                        MigrateReply::decode)
                .eventsReported();
    }

    /** Joins a group; the handle of the membership. */
    int joinMulticast(JoinMcastCommand command) throws RdmaException {
        return ask(
                        CmCommands.RDMA_USER_CM_CMD_JOIN_MCAST,
                        new Naming("RDMA_USER_CM_CMD_JOIN_MCAST", command.addr()),
                        JoinMcastCommand.Layout.BYTES,
                        command::encode,
                        CreateIdReply.Layout.BYTES,
                        CreateIdReply::decode)
                .id();
    }

    void leaveMulticast(int membership) throws RdmaException {
        ask(
                CmCommands.RDMA_USER_CM_CMD_LEAVE_MCAST,
                "RDMA_USER_CM_CMD_LEAVE_MCAST",
                LeaveMcastCommand.BYTES,
                new LeaveMcastCommand(membership)::encode,
                DestroyIdReply.Layout.BYTES,
                DestroyIdReply::decode);
    }

    void resolveIbService(ResolveIbServiceCommand command) throws RdmaException {
        tellNewer(
                LaterCommands.RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE,
                "RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE",
                ResolveIbServiceCommand.Layout.BYTES,
                command::encode,
                new ResolveIbServiceCommand(NOBODY, 0, "", 0)::encode);
    }

    void writeCmEvent(WriteCmEventCommand command) throws RdmaException {
        tellNewer(
                LaterCommands.RDMA_USER_CM_CMD_WRITE_CM_EVENT,
                "RDMA_USER_CM_CMD_WRITE_CM_EVENT",
                WriteCmEventCommand.Layout.BYTES,
                command::encode,
                new WriteCmEventCommand(NOBODY, LaterCommands.RDMA_CM_EVENT_USER, 0, 0)::encode);
    }

    /**
     * A command that older kernels do not know. They answer EINVAL, which may mean other things as well: {@code probe} is
     * the same command for an id that does not exist, and a kernel that knows the command answers it with ENOENT.
     */
    private void tellNewer(int command, String name, int bytes, BodyEncoder body, BodyEncoder probe)
            throws RdmaException {
        try {
            tell(command, name, bytes, body);
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EINVAL) && refuses(command, name, bytes, probe)) {
                throw new UnsupportedByKernelException(
                        name + ": this kernel does not have the command; Linux 6.18 and later do");
            }
            throw e;
        }
    }

    private boolean refuses(int command, String name, int bytes, BodyEncoder probe) throws RdmaException {
        try {
            tell(command, name, bytes, probe);
            return false;
        } catch (ErrnoException e) {
            return e.errno().equals(Errno.EINVAL);
        }
    }

    void disconnect(int id) throws RdmaException {
        tell(
                CmCommands.RDMA_USER_CM_CMD_DISCONNECT,
                "RDMA_USER_CM_CMD_DISCONNECT",
                DisconnectCommand.Layout.BYTES,
                new DisconnectCommand(id)::encode);
    }

    /** The attributes that the connection wants the queue pair to have in {@code qpState}. */
    QpAttr initQpAttr(int id, int qpState) throws RdmaException {
        QpAttr attributes = ask(
                CmCommands.RDMA_USER_CM_CMD_INIT_QP_ATTR,
                INIT_QP_ATTR,
                InitQpAttrCommand.Layout.BYTES,
                new InitQpAttrCommand(id, qpState)::encode,
                QpAttr.Layout.BYTES,
                QpAttr::decode);
        // The kernel leaves the state itself out of what it fills in.
        return attributes.toBuilder().rawState(qpState).build();
    }

    /** Addresses and device of the id. */
    QueryAddrReply queryAddress(int id) throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int response = arena.allocate(QueryAddrReply.Layout.BYTES);
            QueryAddrReply.prefill(arena.buffer(), response);
            query(arena, id, QueryOptions.RDMA_USER_CM_QUERY_ADDR, response, QueryAddrReply.Layout.BYTES);
            return QueryAddrReply.decode(arena.buffer(), response);
        }
    }

    /** The GIDs that stand for the addresses of the id. */
    QueryGidReply queryGid(int id) throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int response = arena.allocate(QueryAddrReply.Layout.BYTES);
            query(arena, id, QueryOptions.RDMA_USER_CM_QUERY_GID, response, QueryAddrReply.Layout.BYTES);
            return QueryGidReply.decode(arena.buffer(), response);
        }
    }

    /** The path records of the id's route. */
    QueryPathReply queryPath(int id) throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int bytes = QueryPathReply.bytes(MAX_PATHS);
            int response = arena.allocate(bytes);
            query(arena, id, QueryOptions.RDMA_USER_CM_QUERY_PATH, response, bytes);
            return QueryPathReply.decode(arena.buffer(), response, bytes);
        }
    }

    /** The services that the id has resolved. */
    QueryIbServiceReply queryIbService(int id) throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int bytes = QueryIbServiceReply.bytes(MAX_SERVICES);
            int response = arena.allocate(bytes);
            query(arena, id, LaterCommands.RDMA_USER_CM_QUERY_IB_SERVICE, response, bytes);
            return QueryIbServiceReply.decode(arena.buffer(), response, bytes);
        }
    }

    private void query(CommandArena arena, int id, int option, int response, int responseBytes) throws ErrnoException {
        Request request = new QueryCommand(id, option)::encode;
        long result = write(
                arena, CmCommands.RDMA_USER_CM_CMD_QUERY, QueryCommand.Layout.BYTES, request, response, responseBytes);
        if (result < 0) {
            throw new ErrnoException("RDMA_USER_CM_CMD_QUERY", Errno.ofResult(result));
        }
    }

    /**
     * The next event of any id, or empty: the same event again until {@link #eventTaken()}, since the kernel tells an event
     * once, and there may be no memory for what is made of it. {@code isDatagram} tells by its uid whether an id is one of
     * datagrams.
     */
    Optional<EventReply> getEvent(LongPredicate isDatagram) throws RdmaException {
        if (!holdsEvent && !readEvent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(EventReply.decode(event, 0, isDatagram.test(event.getLong(EventReply.Layout.UID))));
        } catch (IllegalArgumentException e) {
            holdsEvent = false;
            throw new MalformedReplyException("event: " + e.getMessage(), 0, EventReply.Layout.BYTES);
        }
    }

    /** The event that {@link #getEvent} returned is in good hands. */
    void eventTaken() {
        holdsEvent = false;
    }

    private boolean readEvent() throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            // Zeroed each time: kernels before 5.8 do not write the end of it.
            int response = arena.allocate(EventReply.Layout.BYTES);
            long result = write(
                    arena,
                    CmCommands.RDMA_USER_CM_CMD_GET_EVENT,
                    GetEventCommand.Layout.BYTES,
                    new GetEventCommand()::encode,
                    response,
                    EventReply.Layout.BYTES);
            if (result == -Errno.EAGAIN.number()) {
                return false;
            }
            if (result < 0) {
                throw new ErrnoException("RDMA_USER_CM_CMD_GET_EVENT", Errno.ofResult(result));
            }
            arena.buffer().get(response, event.array());
            holdsEvent = true;
            return true;
        }
    }
}
