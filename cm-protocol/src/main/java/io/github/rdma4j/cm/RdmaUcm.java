// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.ucm.GetEvent;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IbService.QueryIbServiceReply;
import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.InitQpAttrCommand;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.ucm.Query.QueryOptions;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.ucm.SetOption;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmHeader;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import io.github.rdma4j.internal.ucm.WriteCmEventCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Sends the commands of {@link UcmCommand} to one open {@code /dev/infiniband/rdma_cm}. Each command is a write(2) of a
 * header and a body. Ids are the handles of the kernel. Safe for use by several threads.
 */
final class RdmaUcm {
    /** A handle that the kernel assigns to no id, because it counts from 0. */
    private static final int NO_ID = 0x7fff_ffff;

    private final Kernel kernel;
    private final KernelFd fd;

    /** The last event read, in the kernel's format; guarded by the reading lock of the channel. */
    private final ByteBuffer event = ByteBuffer.allocate(EventReply.BYTES).order(ByteOrder.nativeOrder());

    /** True if {@link #event} holds an event that was not taken; written under the same lock. */
    private volatile boolean holdsEvent;

    RdmaUcm(Kernel kernel, KernelFd fd) {
        this.kernel = kernel;
        this.fd = fd;
    }

    Kernel kernel() {
        return kernel;
    }

    boolean isClosed() {
        return fd.isClosed();
    }

    /** Sends a command without a reply. */
    void send(UcmCommand<UcmCommand.NoReply> command, UcmCommand.Encoder body) throws RdmaException {
        ask(command, command, (out, base, reply) -> body.encode(out, base));
    }

    /** Sends a command without a reply; an error names {@code address}. */
    void send(UcmCommand<UcmCommand.NoReply> command, Object address, UcmCommand.Encoder body) throws RdmaException {
        ask(command, new Naming(command, address), (out, base, reply) -> body.encode(out, base));
    }

    /** Sends a command and decodes its reply. */
    <R> R send(UcmCommand<R> command, UcmCommand.AskingEncoder body) throws RdmaException {
        return ask(command, command, body);
    }

    /** Sends a command with an address and decodes its reply; an error names {@code address}. */
    <R> R send(UcmCommand<R> command, Object address, UcmCommand.AskingEncoder body) throws RdmaException {
        return ask(command, new Naming(command, address), body);
    }

    /** A command and its address; the text is created only for an error. */
    private record Naming(UcmCommand<?> command, Object address) {
        @Override
        public String toString() {
            return command + " " + address;
        }
    }

    private <R> R ask(UcmCommand<R> command, Object name, UcmCommand.AskingEncoder body) throws RdmaException {
        int bytes = command.replyBytes() + Long.BYTES + CmHeader.BYTES + command.requestBytes();
        try (CommandArena arena = CommandArena.open(bytes)) {
            int reply = arena.allocate(command.replyBytes());
            return ask(arena, command, name, body, reply);
        }
    }

    /** Sends a command; {@code reply} is the offset of the reply in the arena. */
    private <R> R ask(CommandArena arena, UcmCommand<R> command, Object name, UcmCommand.AskingEncoder body, int reply)
            throws RdmaException {
        long result = write(arena, command, body, reply);
        if (result < 0) {
            throw new ErrnoException(name.toString(), Errno.ofResult(result));
        }
        try {
            return command.decoder().decode(arena.buffer(), reply);
        } catch (IllegalArgumentException e) {
            throw new MalformedReplyException("reply to " + name + ": " + e.getMessage(), 0, command.replyBytes());
        }
    }

    /** Returns the result of write(2), or a negative error number. */
    private long write(CommandArena arena, UcmCommand<?> command, UcmCommand.AskingEncoder body, int reply) {
        int bytes = CmHeader.BYTES + command.requestBytes();
        int start = arena.allocate(bytes);
        new CmHeader(command.number(), command.requestBytes(), command.replyBytes()).encode(arena.buffer(), start);
        body.encode(arena.buffer(), start + CmHeader.BYTES, arena.address(reply));
        // for GET_EVENT, the returned event is recorded and not the command
        Flight.Command span = command.number() == UcmCommand.GET_EVENT.number() ? null : Flight.command();
        long result = fd.write(arena.address(start), bytes);
        if (span != null) {
            new CmFlight(command, arena.buffer(), start + CmHeader.BYTES, reply).end(span, result);
        }
        return result;
    }

    /** Sets an option; the required length of the value depends on the option. */
    void setOption(int id, int level, int option, String name, byte[] value) throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int offset = arena.allocate(value.length);
            arena.buffer().put(offset, value);
            UcmCommand<UcmCommand.NoReply> command = UcmCommand.SET_OPTION;
            SetOption.Command body = new SetOption.Command(id, level, option, value.length);
            ask(arena, command, new Naming(command, name), body::encode, offset);
        }
    }

    /** Takes the id over from the descriptor {@code from}; returns the number of its events delivered so far. */
    int migrateId(int id, KernelFd from) throws RdmaException {
        return from.use(number -> migrateId(id, number));
    }

    /** Takes the id over from the descriptor with the number {@code from}. */
    int migrateId(int id, int from) throws RdmaException {
        return send(UcmCommand.MIGRATE_ID, new MigrateIdCommand(id, from)::encode)
                .eventsReported();
    }

    /** Returns the attributes that the connection requires of the queue pair in {@code qpState}. */
    QpAttr initQpAttr(int id, int qpState) throws RdmaException {
        QpAttr attributes = send(UcmCommand.INIT_QP_ATTR, new InitQpAttrCommand(id, qpState)::encode);
        // the kernel does not fill in the state
        return attributes.toBuilder().rawState(qpState).build();
    }

    /** Returns the id's addresses and device. */
    QueryAddrReply queryAddress(int id) throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            UcmCommand<QueryAddrReply> command = UcmCommand.QUERY_ADDR;
            int reply = arena.allocate(command.replyBytes());
            QueryAddrReply.prefill(arena.buffer(), reply);
            QueryCommand body = new QueryCommand(id, QueryOptions.RDMA_USER_CM_QUERY_ADDR);
            return ask(arena, command, command, body::encode, reply);
        }
    }

    /** Returns the GIDs of the addresses of the id. */
    QueryGidReply queryGid(int id) throws RdmaException {
        return send(UcmCommand.QUERY_GID, new QueryCommand(id, QueryOptions.RDMA_USER_CM_QUERY_GID)::encode);
    }

    /** Returns the path records of the route of the id. */
    QueryPathReply queryPath(int id) throws RdmaException {
        return send(UcmCommand.QUERY_PATH, new QueryCommand(id, QueryOptions.RDMA_USER_CM_QUERY_PATH)::encode);
    }

    /** Returns the services that the id has resolved. */
    QueryIbServiceReply queryIbService(int id) throws RdmaException {
        QueryCommand body = new QueryCommand(id, LaterCommands.RDMA_USER_CM_QUERY_IB_SERVICE);
        QueryIbServiceReply reply = send(UcmCommand.QUERY_IB_SERVICE, body::encode);
        if (reply.total() > reply.records().size()) {
            reply = send(UcmCommand.QUERY_MANY_IB_SERVICES, body::encode);
        }
        if (reply.total() > reply.records().size()) {
            throw new RdmaException("subnet administration has " + reply.total() + " records of the service, and the"
                    + " kernel returns at most " + reply.records().size() + ": ask for fewer with a more exact query");
        }
        return reply;
    }

    void resolveIbService(ResolveIbServiceCommand body) throws RdmaException {
        sendNewer(UcmCommand.RESOLVE_IB_SERVICE, body::encode, new ResolveIbServiceCommand(NO_ID, 0, "", 0)::encode);
    }

    void writeCmEvent(WriteCmEventCommand body) throws RdmaException {
        WriteCmEventCommand probe = new WriteCmEventCommand(NO_ID, CmEventType.USER.code(), 0, 0);
        sendNewer(UcmCommand.WRITE_CM_EVENT, body::encode, probe::encode);
    }

    /**
     * Sends a command that older kernels do not support. Such kernels return EINVAL, which also has other causes.
     * {@code probe} is the same command for an id that does not exist; a kernel that supports the command returns
     * ENOENT for it.
     */
    private void sendNewer(UcmCommand<UcmCommand.NoReply> command, UcmCommand.Encoder body, UcmCommand.Encoder probe)
            throws RdmaException {
        try {
            send(command, body);
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EINVAL) && isUnknown(command, probe)) {
                throw new UnsupportedByKernelException(command + ": the command requires Linux 6.18 or later");
            }
            throw e;
        }
    }

    private boolean isUnknown(UcmCommand<UcmCommand.NoReply> command, UcmCommand.Encoder probe) throws RdmaException {
        try {
            send(command, probe);
            return false;
        } catch (ErrnoException e) {
            return e.errno().equals(Errno.EINVAL);
        }
    }

    /**
     * Returns the next event of any id, or empty. Returns the same event until {@link #eventTaken()} is called, because
     * the kernel reports an event only once. {@code isDatagram} returns true if a uid belongs to a datagram id.
     */
    Optional<EventReply> getEvent(LongPredicate isDatagram) throws RdmaException {
        boolean isNew = !holdsEvent;
        if (isNew && !readEvent()) {
            return Optional.empty();
        }
        try {
            EventReply reply = EventReply.decode(event, 0, isDatagram.test(event.getLong(EventReply.UID)));
            if (isNew && Flight.recordsEvents()) {
                CmFlight.event(reply);
            }
            return Optional.of(reply);
        } catch (IllegalArgumentException e) {
            holdsEvent = false;
            throw new MalformedReplyException("event: " + e.getMessage(), 0, EventReply.BYTES);
        }
    }

    /** Marks the event of {@link #getEvent} as queued at its id or about to be dropped. */
    void eventTaken() {
        holdsEvent = false;
    }

    /** Returns true if an event was read and not taken; poll(2) does not report such an event. */
    boolean holdsEvent() {
        return holdsEvent;
    }

    private boolean readEvent() throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            // zeroed each time, because kernels before 5.8 do not write the end of the reply
            int reply = arena.allocate(UcmCommand.GET_EVENT.replyBytes());
            long result = write(arena, UcmCommand.GET_EVENT, new GetEvent.Command()::encode, reply);
            if (result == -Errno.EAGAIN.number()) {
                return false;
            }
            if (result < 0) {
                throw new ErrnoException(UcmCommand.GET_EVENT.name(), Errno.ofResult(result));
            }
            arena.buffer().get(reply, event.array());
            holdsEvent = true;
            return true;
        }
    }
}
