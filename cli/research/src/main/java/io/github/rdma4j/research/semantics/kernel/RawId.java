// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.cm.PortSpace;
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
import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.InitQpAttrCommand;
import io.github.rdma4j.internal.ucm.JoinMcastCommand;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.ucm.Query.QueryOptions;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.ucm.SetOption;
import io.github.rdma4j.internal.ucm.SockAddr;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import io.github.rdma4j.internal.ucm.WriteCmEventCommand;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A CM id as the kernel knows it, a handle on a descriptor, with a method for each command about an id. */
public record RawId(RawCm cm, int handle, long uid) {
    /** States of a queue pair, for {@link #initQpAttr}. */
    public static final int INIT = 1;

    public static final int RTR = 2;
    public static final int RTS = 3;

    private static final Duration RESOLVE = Duration.ofSeconds(5);
    private static final int SOCKADDR_BYTES = 28;
    private static final int ROUTE_REPLY_BYTES = 208;

    /** A new id, which must be made, with the queue pair type of its port space. */
    public static RawId create(RawCm cm, long uid, PortSpace space) {
        Answer answer = cm.createId(uid, space.code(), space.queuePairType().code());
        return new RawId(cm, answer.orFail("CREATE_ID").first(), uid);
    }

    /** The same id, which MIGRATE_ID has put on another descriptor. */
    public RawId on(RawCm other) {
        return new RawId(other, handle, uid);
    }

    public Answer destroy() {
        return cm.command(UcmCommand.DESTROY_ID, new DestroyIdCommand(handle)::encode);
    }

    public Answer bind(SocketAddress address) {
        return cm.command(UcmCommand.BIND, new BindCommand(handle, address)::encode);
    }

    public Answer resolveAddr(@Nullable SocketAddress source, SocketAddress to, Duration timeout) {
        ResolveAddrCommand body = new ResolveAddrCommand(handle, (int) timeout.toMillis(), source, to);
        return cm.command(UcmCommand.RESOLVE_ADDR, body::encode);
    }

    public Answer resolveAddr(SocketAddress to) {
        return resolveAddr(null, to, RESOLVE);
    }

    public Answer resolveRoute(Duration timeout) {
        return cm.command(UcmCommand.RESOLVE_ROUTE, new ResolveRouteCommand(handle, (int) timeout.toMillis())::encode);
    }

    public Answer resolveRoute() {
        return resolveRoute(RESOLVE);
    }

    public Answer connect(ConnParam param) {
        return cm.command(UcmCommand.CONNECT, new ConnectCommand(handle, param, Ece.NONE)::encode);
    }

    /** CONNECT with {@code conn_param.valid} 0. */
    public Answer connectInvalid() {
        return cm.command(UcmCommand.CONNECT, (out, base) -> out.putInt(base + ConnectCommand.ID, handle));
    }

    public Answer listen(int backlog) {
        return cm.command(UcmCommand.LISTEN, new ListenCommand(handle, backlog)::encode);
    }

    /** ACCEPT with parameters: the answer to a request; {@link #uid} is the id's from then on. */
    public Answer accept(ConnParam param) {
        return cm.command(UcmCommand.ACCEPT, new AcceptCommand(handle, uid, param, Ece.NONE)::encode);
    }

    /** ACCEPT without parameters: the last word of the active side. */
    public Answer establish() {
        return cm.command(UcmCommand.ACCEPT, new AcceptCommand(handle, 0, null, Ece.NONE)::encode);
    }

    /** REJECT; {@code reason} is 0 or one that the kernel knows. */
    public Answer reject(byte[] privateData, int reason) {
        return cm.command(UcmCommand.REJECT, new RejectCommand(handle, privateData, reason)::encode);
    }

    public Answer reject() {
        return reject(new byte[0], 0);
    }

    public Answer disconnect() {
        return cm.command(UcmCommand.DISCONNECT, new DisconnectCommand(handle)::encode);
    }

    /** INIT_QP_ATTR; the reply is a {@code struct ib_uverbs_qp_attr}, see {@code QpAttrBytes}. */
    public Answer initQpAttr(int qpState) {
        return cm.command(UcmCommand.INIT_QP_ATTR, new InitQpAttrCommand(handle, qpState)::encode);
    }

    /** The attributes that INIT_QP_ATTR returns for a state. The command must succeed. */
    public QpAttr attr(int state) {
        return QpAttrBytes.decode(
                initQpAttr(state).orFail("INIT_QP_ATTR(" + state + ")").buffer(), 0);
    }

    public Answer queryAddr() {
        return cm.command(
                UcmCommand.QUERY_ADDR, new QueryCommand(handle, QueryOptions.RDMA_USER_CM_QUERY_ADDR)::encode);
    }

    /** QUERY GID; the reply has the layout of {@link QueryAddrReply} with two {@code struct sockaddr_ib}. */
    public Answer queryGid() {
        return cm.command(UcmCommand.QUERY_GID, new QueryCommand(handle, QueryOptions.RDMA_USER_CM_QUERY_GID)::encode);
    }

    public Answer queryPath() {
        return cm.command(
                UcmCommand.QUERY_PATH, new QueryCommand(handle, QueryOptions.RDMA_USER_CM_QUERY_PATH)::encode);
    }

    /** QUERY with any option and any size of the reply. */
    public Answer query(int option, int replyBytes) {
        UcmCommand<?> query = UcmCommand.QUERY_ADDR;
        return cm.command(query.number(), query.requestBytes(), replyBytes, new QueryCommand(handle, option)::encode);
    }

    public QueryAddrReply address() {
        return QueryAddrReply.decode(queryAddr().orFail("QUERY ADDR").buffer(), 0);
    }

    /** The address that it is bound to. */
    public InetSocketAddress local() {
        return (InetSocketAddress) Objects.requireNonNull(address().src(), "not bound");
    }

    public String localHost() {
        return local().getAddress().getHostAddress();
    }

    public boolean hasDevice() {
        return address().nodeGuid() != 0;
    }

    public QueryGidReply gids() {
        return QueryGidReply.decode(queryGid().orFail("QUERY GID").buffer(), 0);
    }

    public QueryPathReply paths() {
        Answer answer = queryPath().orFail("QUERY PATH");
        return QueryPathReply.decode(answer.buffer(), 0, answer.reply().length);
    }

    /** SET_OPTION with a value of any bytes. */
    public Answer setOption(int level, int name, byte[] value) {
        return cm.setOption(new SetOption.Command(handle, level, name, value.length), value);
    }

    /** An option of level 0 with an int. */
    public Answer setInt(int name, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        return setOption(0, name, bytes.putInt(value).array());
    }

    /** An option of level 0 with a byte. */
    public Answer setByte(int name, int value) {
        return setOption(0, name, new byte[] {(byte) value});
    }

    /** NOTIFY; {@code event} is an {@code enum ib_event_type}. */
    public Answer notify(int event) {
        return cm.command(UcmCommand.NOTIFY, new NotifyCommand(handle, event)::encode);
    }

    /** JOIN_MCAST; the handle of the join is {@link Answer#first()}. */
    public Answer join(SocketAddress group, long joinUid, int flags) {
        return cm.command(UcmCommand.JOIN_MCAST, new JoinMcastCommand(joinUid, handle, flags, group)::encode);
    }

    /** MIGRATE_ID from this descriptor to {@code to}. */
    public Answer migrateTo(RawCm to) {
        return cm.descriptor().use(number -> migrateTo(to, number));
    }

    /** MIGRATE_ID from a descriptor number that need not be one. */
    public Answer migrateTo(RawCm to, int from) {
        return to.command(UcmCommand.MIGRATE_ID, new MigrateIdCommand(handle, from)::encode);
    }

    /** RESOLVE_IB_SERVICE by the number of the service, of kernels since 6.18. */
    public Answer resolveIbService(long serviceId) {
        int byNumber = LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_ID;
        return cm.command(
                UcmCommand.RESOLVE_IB_SERVICE, new ResolveIbServiceCommand(handle, serviceId, "", byNumber)::encode);
    }

    /** WRITE_CM_EVENT, of kernels since 6.18. */
    public Answer writeCmEvent(int event, int status, long arg) {
        return cm.command(UcmCommand.WRITE_CM_EVENT, new WriteCmEventCommand(handle, event, status, arg)::encode);
    }

    // ---- Commands that rdma-core sends only before Linux 3.11, where AF_IB is not known. The kernel still has them.

    /** {@code struct rdma_ucm_bind_ip}: response 0, addr 8, id 36. */
    public Answer bindIp(SocketAddress address) {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_BIND_IP, 40, 0, (out, base, reply) -> {
            SockAddr.encode(out, base + 8, address);
            out.putInt(base + 8 + SOCKADDR_BYTES, handle);
        });
    }

    /** {@code struct rdma_ucm_resolve_ip}: src 0, dst 28, id 56, timeout 60. */
    public Answer resolveIp(SocketAddress to, Duration timeout) {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_RESOLVE_IP, 64, 0, (out, base, reply) -> {
            SockAddr.encode(out, base + SOCKADDR_BYTES, to);
            out.putInt(base + 56, handle);
            out.putInt(base + 60, (int) timeout.toMillis());
        });
    }

    /** {@code struct rdma_ucm_query}: response 0, id 8. */
    public Answer queryRoute() {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_QUERY_ROUTE, 16, ROUTE_REPLY_BYTES, (out, base, reply) -> {
            out.putLong(base, reply);
            out.putInt(base + 8, handle);
        });
    }

    /** {@code struct rdma_ucm_join_ip_mcast}: response 0, uid 8, addr 16, id 44. */
    public Answer joinIpMcast(SocketAddress group, long joinUid) {
        return cm.command(CmCommands.RDMA_USER_CM_CMD_JOIN_IP_MCAST, 48, 4, (out, base, reply) -> {
            out.putLong(base, reply);
            out.putLong(base + 8, joinUid);
            SockAddr.encode(out, base + 16, group);
            out.putInt(base + 44, handle);
        });
    }
}
