// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import static io.github.rdma4j.internal.ucm.UcmCommand.CmCommands.*;
import static io.github.rdma4j.testkit.model.ModelCm.OK;
import static io.github.rdma4j.testkit.model.ModelCm.refused;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveRouteCommand;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ListenCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.NotifyCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.RejectCommand;
import io.github.rdma4j.internal.ucm.SetOption;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.internal.ucm.SockAddr;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.model.ModelCm.Request;
import io.github.rdma4j.testkit.model.ModelId.Link;
import io.github.rdma4j.testkit.model.ModelId.Phase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The commands on an existing id that has not lost its device. Each returns 0 or a negative error number. */
final class CmIdCommands {
    private static final Errno EISCONN = new Errno(106);
    private static final Errno ENETUNREACH = new Errno(101);
    private static final Errno EADDRNOTAVAIL = new Errno(99);
    private static final Errno EAFNOSUPPORT = new Errno(97);
    private static final Errno ETIMEDOUT = new Errno(110);
    private static final Errno ENOSYS = new Errno(38);
    private static final int COMM_EST = 4;
    private static final int MAX_BACKLOG = 1024;
    private static final int PATH_BYTES = 72;
    private static final Set<Integer> REASONS = Set.of(0, 28, 35);
    private static final Set<Link> UNANSWERED = Set.of(Link.REQ_RCVD, Link.REP_RCVD, Link.REP_SENT, Link.REQ_SENT);

    private final ModelDevice device;
    private final ModelIds ids;
    private final CmMessages messages;

    CmIdCommands(ModelDevice device, ModelIds ids, CmMessages messages) {
        this.device = device;
        this.ids = ids;
        this.messages = messages;
    }

    int carryOut(ModelId id, Request request) {
        ByteBuffer body = request.body();
        return switch (request.command()) {
            case RDMA_USER_CM_CMD_BIND -> bind(id, body);
            case RDMA_USER_CM_CMD_RESOLVE_ADDR -> resolveAddress(id, body);
            case RDMA_USER_CM_CMD_RESOLVE_ROUTE -> resolveRoute(id, body);
            case RDMA_USER_CM_CMD_LISTEN -> listen(id, body);
            case RDMA_USER_CM_CMD_CONNECT -> connect(id, body);
            case RDMA_USER_CM_CMD_ACCEPT -> accept(id, body);
            case RDMA_USER_CM_CMD_REJECT -> reject(id, body);
            case RDMA_USER_CM_CMD_DISCONNECT -> disconnect(id);
            case RDMA_USER_CM_CMD_NOTIFY -> notify(id, body);
            case RDMA_USER_CM_CMD_SET_OPTION -> setOption(id, body);
            case RDMA_USER_CM_CMD_QUERY -> CmReplies.query(id, request);
            case RDMA_USER_CM_CMD_INIT_QP_ATTR -> CmReplies.initQpAttr(id, messages.isIwarp(), request);
            default -> refused(Errno.EINVAL);
        };
    }

    // ---- addresses

    private static @Nullable InetSocketAddress address(ByteBuffer body, int at, int sizeAt) {
        try {
            return SockAddr.decode(body, at, Short.toUnsignedInt(body.getShort(sizeAt))) instanceof InetSocketAddress ip
                    ? ip
                    : null;
        } catch (IllegalArgumentException wrongFamilyOrSize) {
            return null;
        }
    }

    private int bind(ModelId id, ByteBuffer body) {
        InetSocketAddress address = address(body, BindCommand.ADDR, BindCommand.ADDR_SIZE);
        if (address == null) {
            return refused(EAFNOSUPPORT);
        }
        return id.phase == Phase.IDLE ? bind(id, address.getAddress(), address.getPort()) : refused(Errno.EINVAL);
    }

    /** Binds an id. A wildcard or loopback address selects no device. */
    private int bind(ModelId id, InetAddress address, int port) {
        boolean everywhere = address.isAnyLocalAddress() || address.isLoopbackAddress();
        if (!everywhere && !device.has(address)) {
            return refused(device.isRemoved() ? Errno.ENODEV : EADDRNOTAVAIL);
        }
        int error = ids.bind(id, address, port);
        if (error == OK) {
            id.phase = Phase.BOUND;
            id.hasDevice = !everywhere;
        }
        return error;
    }

    private int resolveAddress(ModelId id, ByteBuffer body) {
        InetSocketAddress to = address(body, ResolveAddrCommand.DST_ADDR, ResolveAddrCommand.DST_SIZE);
        InetSocketAddress from = address(body, ResolveAddrCommand.SRC_ADDR, ResolveAddrCommand.SRC_SIZE);
        if (to == null || (id.phase != Phase.IDLE && id.phase != Phase.BOUND)) {
            return refused(Errno.EINVAL);
        }
        if (id.phase == Phase.IDLE) {
            int error = from == null
                    ? bind(id, CmReplies.wildcard(to.getAddress()), 0)
                    : bind(id, from.getAddress(), from.getPort());
            if (error != OK) {
                return error;
            }
        }
        if (!device.isRemoved() && !to.getAddress().isLoopbackAddress() && !ModelDevice.isNear(to.getAddress())) {
            return refused(ENETUNREACH);
        }
        id.peer = to;
        messages.tell(resolved(id, to));
        return OK;
    }

    private ModelEvent resolved(ModelId id, InetSocketAddress to) {
        boolean loopback = to.getAddress().isLoopbackAddress();
        if (device.isRemoved()) {
            return ModelEvent.of(id, CmEventType.ADDR_ERROR, refused(Errno.ENODEV));
        }
        if (!loopback && !device.has(to.getAddress())) {
            return ModelEvent.of(id, CmEventType.ADDR_ERROR, refused(ETIMEDOUT));
        }
        id.phase = Phase.ADDRESS_RESOLVED;
        id.hasDevice = true;
        InetAddress source = loopback ? to.getAddress() : ModelDevice.own(to.getAddress());
        id.local = new InetSocketAddress(source, id.requireLocal().getPort());
        return ModelEvent.of(id, CmEventType.ADDR_RESOLVED, 0);
    }

    private int resolveRoute(ModelId id, ByteBuffer body) {
        if (id.phase != Phase.ADDRESS_RESOLVED || body.getInt(ResolveRouteCommand.TIMEOUT_MS) == 0) {
            return refused(Errno.EINVAL);
        }
        if (id.requireLocal().getAddress().isLoopbackAddress()) {
            return refused(Errno.ENODEV);
        }
        return routed(id);
    }

    private int routed(ModelId id) {
        id.phase = Phase.ROUTE_RESOLVED;
        messages.tell(ModelEvent.of(id, CmEventType.ROUTE_RESOLVED, 0));
        return OK;
    }

    // ---- connections

    private int listen(ModelId id, ByteBuffer body) {
        int wanted = body.getInt(ListenCommand.BACKLOG);
        id.backlog = wanted <= 0 || wanted > MAX_BACKLOG ? MAX_BACKLOG : wanted;
        int unbound = bindUnlessBound(id);
        if (unbound != OK) {
            return unbound;
        }
        if (id.phase != Phase.BOUND) {
            return refused(Errno.EINVAL);
        }
        if (id.reusesAddress) {
            int error = ids.requireAlone(id);
            if (error != OK) {
                return error;
            }
            id.reusesAddress = false;
        }
        id.phase = Phase.LISTENING;
        return OK;
    }

    int bindUnlessBound(ModelId id) {
        return id.phase == Phase.IDLE ? bind(id, CmReplies.wildcard(ModelDevice.IPV4), 0) : OK;
    }

    private int connect(ModelId id, ByteBuffer body) {
        byte[] said = said(body, ConnectCommand.CONN_PARAM);
        if (id.phase != Phase.ROUTE_RESOLVED
                || said[ConnParam.VALID] == 0
                || privateDataBytes(said) > CmMessages.requestRoom(id)) {
            return refused(Errno.EINVAL);
        }
        id.phase = Phase.CONNECTING;
        id.said = said;
        negotiate(id, said);
        messages.request(id);
        return OK;
    }

    private int accept(ModelId id, ByteBuffer body) {
        byte[] said = said(body, AcceptCommand.CONN_PARAM);
        boolean answers = said[ConnParam.VALID] != 0;
        Link needed = answers ? Link.REQ_RCVD : Link.REP_RCVD;
        if (id.link != needed || (answers && privateDataBytes(said) > CmMessages.replyRoom(id))) {
            if (UNANSWERED.contains(id.link)) {
                messages.reject(id, CmMessages.CONSUMER_DEFINED, new byte[0]);
            }
            return refused(Errno.EINVAL);
        }
        if (answers) {
            id.uid = body.getLong(AcceptCommand.UID);
            id.said = said;
            negotiate(id, said);
            messages.reply(id);
        } else {
            messages.confirm(id);
        }
        return OK;
    }

    private static void negotiate(ModelId id, byte[] said) {
        id.responderResources = Byte.toUnsignedInt(said[ConnParam.RESPONDER_RESOURCES]);
        id.initiatorDepth = Byte.toUnsignedInt(said[ConnParam.INITIATOR_DEPTH]);
    }

    private static byte[] said(ByteBuffer body, int at) {
        byte[] said = new byte[ConnParam.BYTES];
        body.get(at, said);
        return said;
    }

    private static int privateDataBytes(byte[] said) {
        return Byte.toUnsignedInt(said[ConnParam.PRIVATE_DATA_LEN]);
    }

    private int reject(ModelId id, ByteBuffer body) {
        int bytes = Byte.toUnsignedInt(body.get(RejectCommand.PRIVATE_DATA_LEN));
        int reason = Byte.toUnsignedInt(body.get(RejectCommand.REASON));
        if (!UNANSWERED.contains(id.link) || !REASONS.contains(reason) || bytes > CmMessages.rejectRoom(id)) {
            return refused(Errno.EINVAL);
        }
        byte[] privateData = new byte[bytes];
        body.get(RejectCommand.PRIVATE_DATA, privateData);
        messages.reject(id, reason == 0 ? CmMessages.CONSUMER_DEFINED : reason, privateData);
        return OK;
    }

    private int disconnect(ModelId id) {
        if (!id.hasDevice || (id.link == Link.NONE && id.phase != Phase.LISTENING)) {
            return refused(Errno.EINVAL);
        }
        messages.disconnect(id);
        return OK;
    }

    private int notify(ModelId id, ByteBuffer body) {
        if (body.getInt(NotifyCommand.EVENT) != COMM_EST || id.link == Link.NONE) {
            return refused(Errno.EINVAL);
        }
        if (id.link == Link.ESTABLISHED) {
            return refused(EISCONN);
        }
        if (id.link != Link.REP_SENT) {
            return refused(Errno.EINVAL);
        }
        messages.establish(id);
        return OK;
    }

    // ---- options

    private int setOption(ModelId id, ByteBuffer body) {
        int level = body.getInt(SetOption.Command.LEVEL);
        int name = body.getInt(SetOption.Command.OPTNAME);
        int length = body.getInt(SetOption.Command.OPTLEN);
        if (level == OptionNames.RDMA_OPTION_IB && name == OptionNames.RDMA_OPTION_IB_PATH) {
            boolean allowed = id.phase == Phase.ADDRESS_RESOLVED && length > 0 && length % PATH_BYTES == 0;
            return allowed ? routed(id) : refused(Errno.EINVAL);
        }
        if (level != OptionNames.RDMA_OPTION_ID) {
            return refused(ENOSYS);
        }
        boolean allowed;
        switch (name) {
            case OptionNames.RDMA_OPTION_ID_TOS -> allowed = length == Byte.BYTES;
            case OptionNames.RDMA_OPTION_ID_ACK_TIMEOUT -> allowed = length == Byte.BYTES && !id.isDatagram();
            case OptionNames.RDMA_OPTION_ID_AFONLY ->
                allowed = length == Integer.BYTES
                        && Set.of(Phase.IDLE, Phase.BOUND).contains(id.phase);
            case OptionNames.RDMA_OPTION_ID_REUSEADDR ->
                allowed = length == Integer.BYTES && reuseAddress(id, body.getLong(SetOption.Command.OPTVAL));
            default -> {
                return refused(ENOSYS);
            }
        }
        return allowed ? OK : refused(Errno.EINVAL);
    }

    private static boolean reuseAddress(ModelId id, long value) {
        boolean reuse = NativeMemory.view(value, Integer.BYTES).getInt(0) != 0;
        if (reuse ? id.phase == Phase.LISTENING : id.phase != Phase.IDLE) {
            return false;
        }
        id.reusesAddress = reuse;
        return true;
    }
}
