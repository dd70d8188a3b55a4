// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.raw;

import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveRouteCommand;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.DisconnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ListenCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.NotifyCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.RejectCommand;
import io.github.rdma4j.internal.ucm.GetEvent;
import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.InitQpAttrCommand;
import io.github.rdma4j.internal.ucm.JoinMcastCommand;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.Query.QueryOptions;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.ucm.SetOption;
import io.github.rdma4j.internal.ucm.SockAddr;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.CmHeader;
import io.github.rdma4j.internal.ucm.WriteCmEventCommand;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An open {@code /dev/infiniband/rdma_cm} without the library's logic: a method for each command of the
 * kernel, which sends its arguments and returns the kernel's answer. No state is kept, nothing is checked, and no
 * error number is thrown. Closing the descriptor destroys the ids on it.
 *
 * <p>Safe for use by several threads.
 */
public final class RawCm implements Pollable, AutoCloseable {
    /** Far longer than an event takes that does not wait for a timer. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /** A private data length that no message has room for is tried with this many bytes. */
    public static final int MOST_PRIVATE_DATA = 255;

    private static final byte[] NOTHING = {};

    private static final int SOCKADDR_BYTES = 28;
    private static final int ROUTE_REPLY_BYTES = 208;
    private static final AtomicInteger LAST_QP_NUMBER =
            new AtomicInteger(0x100000 + (int) (ProcessHandle.current().pid() % 512) * 4096);

    private final KernelFd fd;

    private RawCm(KernelFd fd) {
        this.fd = fd;
    }

    /**
     * A new number of a queue pair that does not exist: the connection manager only requires that numbers differ. A
     * request with a number that the kernel has seen recently counts as a stale connection, so the processes of a guest
     * start at different numbers.
     */
    public static int newQpNumber() {
        return LAST_QP_NUMBER.incrementAndGet() & 0xffffff;
    }

    /** Opens it so that GET_EVENT on an empty queue returns EAGAIN. */
    public static RawCm open() throws RdmaException {
        RawCm opened = openBlocking();
        opened.fd.setNonBlocking();
        return opened;
    }

    /** Opens it so that GET_EVENT waits. */
    public static RawCm openBlocking() throws RdmaException {
        Kernel kernel = Kernel.running();
        return new RawCm(KernelFd.open(kernel, CmDevice.locate(kernel).node().toString()));
    }

    private Answer command(UcmCommand<?> command, UcmCommand.Encoder body) {
        return command(command, (out, base, reply) -> body.encode(out, base));
    }

    private Answer command(UcmCommand<?> command, UcmCommand.AskingEncoder body) {
        return command(command.number(), command.requestBytes(), command.replyBytes(), body);
    }

    /** A command of the right form; {@code body} gets the address that commands with a reply put into it. */
    Answer command(int number, int bytes, int replyBytes, UcmCommand.AskingEncoder body) {
        try (CommandArena arena = CommandArena.open()) {
            int reply = arena.allocate(Math.max(8, replyBytes));
            int start = arena.allocate(CmHeader.BYTES + bytes);
            new CmHeader(number, bytes, replyBytes).encode(arena.buffer(), start);
            body.encode(arena.buffer(), start + CmHeader.BYTES, arena.address(reply));
            long result = fd.write(arena.address(start), CmHeader.BYTES + bytes);
            return new Answer(result, bytes(arena, reply, replyBytes));
        }
    }

    private static byte[] bytes(CommandArena arena, int offset, int length) {
        byte[] copy = new byte[length];
        arena.buffer().get(offset, copy);
        return copy;
    }

    /**
     * write(2) of exactly these bytes, whatever they are. The address of a zeroed buffer of {@code replyBytes} is put
     * at {@code replyOffset} first, if that is not negative.
     */
    public Answer write(byte[] bytes, int replyOffset, int replyBytes) {
        try (CommandArena arena = CommandArena.open()) {
            int reply = arena.allocate(Math.max(8, replyBytes));
            int start = arena.allocate(Math.max(8, bytes.length));
            arena.buffer().put(start, bytes);
            if (replyOffset >= 0) {
                arena.buffer().putLong(start + replyOffset, arena.address(reply));
            }
            return new Answer(fd.write(arena.address(start), bytes.length), bytes(arena, reply, replyBytes));
        }
    }

    /**
     * Any command number with any body and with lengths in the header that need not be true. The address of the reply
     * is put at {@code replyOffset} of the body, if that is not negative.
     */
    public Answer raw(int command, byte[] body, int in, int out, int replyOffset, int replyBytes) {
        byte[] bytes = new byte[CmHeader.BYTES + body.length];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        new CmHeader(command, in, out).encode(buffer, 0);
        buffer.put(CmHeader.BYTES, body);
        return write(bytes, replyOffset < 0 ? -1 : CmHeader.BYTES + replyOffset, replyBytes);
    }

    /** CREATE_ID; {@code qpType} is read for PS_IB only. The handle is {@link Answer#first()}. */
    public Answer createId(long uid, int portSpace, int qpType) {
        return command(UcmCommand.CREATE_ID, new CreateIdCommand(uid, portSpace, qpType)::encode);
    }

    public Answer destroyId(int id) {
        return command(UcmCommand.DESTROY_ID, new DestroyIdCommand(id)::encode);
    }

    public Answer bind(int id, SocketAddress address) {
        return command(UcmCommand.BIND, new BindCommand(id, address)::encode);
    }

    public Answer resolveAddr(int id, @Nullable SocketAddress source, SocketAddress destination, Duration timeout) {
        ResolveAddrCommand body = new ResolveAddrCommand(id, (int) timeout.toMillis(), source, destination);
        return command(UcmCommand.RESOLVE_ADDR, body::encode);
    }

    public Answer resolveRoute(int id, Duration timeout) {
        return command(UcmCommand.RESOLVE_ROUTE, new ResolveRouteCommand(id, (int) timeout.toMillis())::encode);
    }

    public Answer connect(int id, ConnParam param, Ece ece) {
        return command(UcmCommand.CONNECT, new ConnectCommand(id, param, ece)::encode);
    }

    public Answer connect(int id, ConnParam param) {
        return connect(id, param, Ece.NONE);
    }

    /** CONNECT with {@code conn_param.valid} 0. */
    public Answer connectInvalid(int id) {
        return command(UcmCommand.CONNECT, (out, base) -> out.putInt(base + ConnectCommand.ID, id));
    }

    public Answer listen(int id, int backlog) {
        return command(UcmCommand.LISTEN, new ListenCommand(id, backlog)::encode);
    }

    /** ACCEPT with parameters: the answer to a request; {@code uid} is the id's from then on. */
    public Answer accept(int id, long uid, ConnParam param, Ece ece) {
        return accept(new AcceptCommand(id, uid, param, ece));
    }

    public Answer accept(int id, long uid, ConnParam param) {
        return accept(id, uid, param, Ece.NONE);
    }

    /** ACCEPT without parameters: the last word of the active side. */
    public Answer establish(int id) {
        return accept(new AcceptCommand(id, 0, null, Ece.NONE));
    }

    private Answer accept(AcceptCommand body) {
        return command(UcmCommand.ACCEPT, body::encode);
    }

    /** REJECT; {@code reason} is 0 or one that the kernel knows. */
    public Answer reject(int id, byte[] privateData, int reason) {
        return command(UcmCommand.REJECT, new RejectCommand(id, privateData, reason)::encode);
    }

    public Answer reject(int id) {
        return reject(id, NOTHING, 0);
    }

    public Answer disconnect(int id) {
        return command(UcmCommand.DISCONNECT, new DisconnectCommand(id)::encode);
    }

    /** INIT_QP_ATTR; the reply is a {@code struct ib_uverbs_qp_attr}, see {@code QpAttrBytes}. */
    public Answer initQpAttr(int id, int qpState) {
        return command(UcmCommand.INIT_QP_ATTR, new InitQpAttrCommand(id, qpState)::encode);
    }

    /** QUERY ADDR; the reply is for {@link QueryAddrReply#decode}. */
    public Answer queryAddr(int id) {
        return command(UcmCommand.QUERY_ADDR, new QueryCommand(id, QueryOptions.RDMA_USER_CM_QUERY_ADDR)::encode);
    }

    /** QUERY GID; the reply has the layout of {@link QueryAddrReply} with two {@code struct sockaddr_ib}. */
    public Answer queryGid(int id) {
        return command(UcmCommand.QUERY_GID, new QueryCommand(id, QueryOptions.RDMA_USER_CM_QUERY_GID)::encode);
    }

    /** QUERY PATH; the reply is for {@link QueryPathReply#decode}. */
    public Answer queryPath(int id) {
        return command(UcmCommand.QUERY_PATH, new QueryCommand(id, QueryOptions.RDMA_USER_CM_QUERY_PATH)::encode);
    }

    /** QUERY with any option and any size of the reply. */
    public Answer query(int id, int option, int replyBytes) {
        UcmCommand<?> command = UcmCommand.QUERY_ADDR;
        return command(command.number(), command.requestBytes(), replyBytes, new QueryCommand(id, option)::encode);
    }

    /** SET_OPTION with a value of any bytes. */
    public Answer setOption(int id, int level, int name, byte[] value) {
        try (CommandArena arena = CommandArena.open()) {
            int option = arena.allocate(Math.max(8, value.length));
            arena.buffer().put(option, value);
            long address = arena.address(option);
            SetOption.Command body = new SetOption.Command(id, level, name, value.length);
            return command(UcmCommand.SET_OPTION, (out, base) -> body.encode(out, base, address));
        }
    }

    /** NOTIFY; {@code event} is an {@code enum ib_event_type}. */
    public Answer notify(int id, int event) {
        return command(UcmCommand.NOTIFY, new NotifyCommand(id, event)::encode);
    }

    /** JOIN_MCAST; the handle of the join is {@link Answer#first()}. */
    public Answer joinMcast(int id, long uid, SocketAddress group, int flags) {
        return command(UcmCommand.JOIN_MCAST, new JoinMcastCommand(uid, id, flags, group)::encode);
    }

    /** LEAVE_MCAST of the handle of a join; {@link Answer#first()} is the count of events reported for it. */
    public Answer leaveMcast(int join) {
        return command(UcmCommand.LEAVE_MCAST, new DestroyIdCommand(join)::encode);
    }

    /** MIGRATE_ID from {@code other} to this descriptor. */
    public Answer migrateId(int id, RawCm other) {
        return other.fd.use(number -> migrateId(id, number));
    }

    /** MIGRATE_ID from a descriptor number that need not be one. */
    public Answer migrateId(int id, int from) {
        return command(UcmCommand.MIGRATE_ID, new MigrateIdCommand(id, from)::encode);
    }

    /** RESOLVE_IB_SERVICE, of kernels since 6.18; {@code flags} say whether the number or the name counts. */
    public Answer resolveIbService(int id, long serviceId, String name, int flags) {
        ResolveIbServiceCommand body = new ResolveIbServiceCommand(id, serviceId, name, flags);
        return command(UcmCommand.RESOLVE_IB_SERVICE, body::encode);
    }

    /** WRITE_CM_EVENT, of kernels since 6.18. */
    public Answer writeCmEvent(int id, int event, int status, long arg) {
        return command(UcmCommand.WRITE_CM_EVENT, new WriteCmEventCommand(id, event, status, arg)::encode);
    }

    // ---- Commands that rdma-core sends only before Linux 3.11, where AF_IB is not known. The kernel still has them.

    /** {@code struct rdma_ucm_bind_ip}: response 0, addr 8, id 36. */
    public Answer bindIp(int id, SocketAddress address) {
        return command(CmCommands.RDMA_USER_CM_CMD_BIND_IP, 40, 0, (out, base, reply) -> {
            SockAddr.encode(out, base + 8, address);
            out.putInt(base + 8 + SOCKADDR_BYTES, id);
        });
    }

    /** {@code struct rdma_ucm_resolve_ip}: src 0, dst 28, id 56, timeout 60. */
    public Answer resolveIp(int id, @Nullable SocketAddress source, SocketAddress destination, Duration timeout) {
        return command(CmCommands.RDMA_USER_CM_CMD_RESOLVE_IP, 64, 0, (out, base, reply) -> {
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
        return command(CmCommands.RDMA_USER_CM_CMD_QUERY_ROUTE, 16, ROUTE_REPLY_BYTES, (out, base, reply) -> {
            out.putLong(base, reply);
            out.putInt(base + 8, id);
        });
    }

    /** {@code struct rdma_ucm_join_ip_mcast}: response 0, uid 8, addr 16, id 44. */
    public Answer joinIpMcast(int id, long uid, SocketAddress group) {
        return command(CmCommands.RDMA_USER_CM_CMD_JOIN_IP_MCAST, 48, 4, (out, base, reply) -> {
            out.putLong(base, reply);
            out.putLong(base + 8, uid);
            SockAddr.encode(out, base + 16, group);
            out.putInt(base + 44, id);
        });
    }

    /** GET_EVENT as a command, for what it answers; {@link RawEvent} is what a success holds. */
    public Answer getEvent() {
        return command(UcmCommand.GET_EVENT, new GetEvent.Command()::encode);
    }

    /** Returns the next event if there is one. On a blocking descriptor, waits for the next event. */
    public Optional<RawEvent> nextEvent() {
        Answer answer = getEvent();
        return answer.isOk() ? Optional.of(RawEvent.decode(answer.reply())) : Optional.empty();
    }

    /** Fetches all queued events; for a descriptor that does not block. */
    public List<RawEvent> events() {
        List<RawEvent> events = new ArrayList<>();
        for (Optional<RawEvent> event = nextEvent(); event.isPresent(); event = nextEvent()) {
            events.add(event.get());
        }
        return events;
    }

    /** The next event, waiting for it; empty when none came in time. */
    public Optional<RawEvent> awaitEvent(Duration timeout) throws RdmaException, InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        Optional<RawEvent> event = nextEvent();
        while (event.isEmpty() && fd.awaitReadable(deadline)) {
            event = nextEvent();
        }
        return event;
    }

    /** Whether poll(2) says that there is an event. */
    public boolean isReadable() throws RdmaException, InterruptedException {
        return fd.awaitReadable(Deadline.after(Duration.ZERO));
    }

    @Override
    public KernelFd descriptor() {
        return fd;
    }

    @Override
    public void close() {
        fd.close();
    }
}
