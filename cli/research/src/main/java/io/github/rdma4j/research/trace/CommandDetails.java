// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.CommandFacts;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ListenCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.NotifyCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.RejectCommand;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.InitQpAttrCommand;
import io.github.rdma4j.internal.ucm.JoinMcastCommand;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.SetOption;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The names of commands, and what their bytes say. */
final class CommandDetails {
    private static final List<String> NAMES =
            List.of(("CREATE_ID DESTROY_ID BIND_IP RESOLVE_IP RESOLVE_ROUTE QUERY_ROUTE CONNECT LISTEN ACCEPT REJECT "
                            + "DISCONNECT INIT_QP_ATTR GET_EVENT GET_OPTION SET_OPTION NOTIFY JOIN_IP_MCAST LEAVE_MCAST "
                            + "MIGRATE_ID QUERY BIND RESOLVE_ADDR JOIN_MCAST RESOLVE_IB_SERVICE WRITE_CM_EVENT")
                    .split(" ", -1));
    private static final List<String> QUERIES = List.of("address", "path", "GID", "services");
    private static final Map<Integer, String> PORT_SPACES =
            Map.of(0x0002, "IPOIB", 0x0106, "TCP", 0x0111, "UDP", 0x013f, "IB");
    private static final int SEND_ONLY_FULL_MEMBER = 1;

    private CommandDetails() {}

    /** The name of a command without the prefix {@code RDMA_USER_CM_CMD_}. */
    static String name(int command) {
        return command >= 0 && command < NAMES.size() ? NAMES.get(command) : "command " + command;
    }

    /** The contents of a command; {@code body} has all bytes after the header, in native order. */
    static Map<String, String> of(int command, ByteBuffer body) {
        Map<String, String> details = new LinkedHashMap<>();
        int id = CommandFacts.id(command, body, 0);
        if (id != CommandFacts.NO_ID) {
            details.put(Step.ID, String.valueOf(id));
        }
        SocketAddress address = CommandFacts.address(command, body, 0);
        if (address != null) {
            details.put(Step.ADDRESS, text(address));
        }
        int queuePair = CommandFacts.queuePair(command, body, 0);
        if (queuePair != 0) {
            details.put(Step.QUEUE_PAIR, String.valueOf(queuePair));
        }
        more(command, body, details);
        return details;
    }

    private static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress ip) {
            return ip.getAddress().getHostAddress() + " port " + ip.getPort();
        }
        return address instanceof IbSocketAddress ib
                ? "IB service 0x" + Long.toHexString(ib.serviceId())
                : address.toString();
    }

    /** An address that Java has written, such as {@code /10.77.0.2:7471} or {@code /[0:0:0:0:0:0:0:1]:7471}. */
    static String text(String written) {
        int host = written.indexOf('/') + 1;
        int port = written.lastIndexOf(':');
        return host == 0 || port < host
                ? written
                : written.substring(host, port).replaceAll("[\\[\\]]", "") + " port " + written.substring(port + 1);
    }

    private static void more(int command, ByteBuffer body, Map<String, String> details) {
        switch (command) {
            case CmCommands.RDMA_USER_CM_CMD_CREATE_ID ->
                details.put("port space", portSpace(StructFields.getU16(body, CreateIdCommand.PS)));
            case CmCommands.RDMA_USER_CM_CMD_CONNECT ->
                parameters(ConnParam.decode(body, ConnectCommand.CONN_PARAM), details);
            case CmCommands.RDMA_USER_CM_CMD_ACCEPT -> accept(body, details);
            case CmCommands.RDMA_USER_CM_CMD_REJECT ->
                details.put("reason", RejectReasons.text(StructFields.getU8(body, RejectCommand.REASON)));
            case CmCommands.RDMA_USER_CM_CMD_LISTEN ->
                details.put("backlog", String.valueOf(body.getInt(ListenCommand.BACKLOG)));
            case CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID ->
                details.put("from descriptor", String.valueOf(body.getInt(MigrateIdCommand.FD)));
            case CmCommands.RDMA_USER_CM_CMD_QUERY -> details.put("of", query(body.getInt(QueryCommand.OPTION)));
            case CmCommands.RDMA_USER_CM_CMD_INIT_QP_ATTR ->
                details.put(
                        "state",
                        QpState.of(body.getInt(InitQpAttrCommand.QP_STATE)).name());
            case CmCommands.RDMA_USER_CM_CMD_NOTIFY ->
                details.put("event", String.valueOf(body.getInt(NotifyCommand.EVENT)));
            case CmCommands.RDMA_USER_CM_CMD_SET_OPTION -> {
                details.put("level", String.valueOf(body.getInt(SetOption.Command.LEVEL)));
                details.put("option", String.valueOf(body.getInt(SetOption.Command.OPTNAME)));
            }
            case CmCommands.RDMA_USER_CM_CMD_JOIN_MCAST -> {
                int flags = StructFields.getU16(body, JoinMcastCommand.JOIN_FLAGS);
                details.put("as", flags == SEND_ONLY_FULL_MEMBER ? "send-only full member" : "full member");
            }
            default -> {
                // The id and the address are all that there is to say.
            }
        }
    }

    private static String query(int option) {
        return option >= 0 && option <= LaterCommands.RDMA_USER_CM_QUERY_IB_SERVICE
                ? QUERIES.get(option)
                : String.valueOf(option);
    }

    private static void accept(ByteBuffer body, Map<String, String> details) {
        int at = AcceptCommand.CONN_PARAM;
        if (body.get(at + ConnParam.VALID) == 0) {
            details.put("as", "confirmation of the active side");
        } else {
            parameters(ConnParam.decode(body, at), details);
        }
    }

    static void parameters(ConnParam parameters, Map<String, String> details) {
        details.put("responder resources", String.valueOf(parameters.responderResources()));
        details.put("initiator depth", String.valueOf(parameters.initiatorDepth()));
        details.put("retry count", String.valueOf(parameters.retryCount()));
        details.put("RNR retry count", String.valueOf(parameters.rnrRetryCount()));
        details.put("private data", parameters.privateData().length + " bytes");
    }

    static String portSpace(int number) {
        return PORT_SPACES.getOrDefault(number, String.valueOf(number));
    }
}
