// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** What the kernel's error numbers mean for each command and event, and what can be done about it. */
final class Advice {
    private static final Map<CmCommand, Map<Errno, String>> COMMANDS = new EnumMap<>(CmCommand.class);
    private static final Map<CmEventType, Map<Errno, String>> EVENTS = new EnumMap<>(CmEventType.class);

    private static final String NO_DEVICE =
            "No RDMA device has this address or leads there. On RoCE the address must belong to the network interface of the"
                    + " device: compare ip address and rdma link";
    private static final String NOT_CONNECTED_ANY_MORE =
            "For the kernel the id is not in that state any more: the peer has given up or gone, or the device has; its"
                    + " event says which, and is yet to be retrieved";

    static {
        command(
                CmCommand.BIND,
                Errno.EADDRINUSE,
                "Another id has the port, maybe of another process: take port 0 for a free one, or set"
                        + " settings().reuseAddress(true) on both ids");
        command(CmCommand.BIND, Errno.EADDRNOTAVAIL, "This host does not have the address");
        command(CmCommand.BIND, Errno.ENODEV, NO_DEVICE);
        command(CmCommand.BIND, Errno.EACCES, "Ports below 1024 are for CAP_NET_BIND_SERVICE; take a higher one");
        command(CmCommand.BIND, Errno.EINVAL, "A link-local IPv6 address needs a scope, as in fe80::1%eth0");
        command(CmCommand.RESOLVE_ADDRESS, Errno.ENODEV, NO_DEVICE);
        command(CmCommand.RESOLVE_ADDRESS, Errno.ENETUNREACH, "No route leads there: see ip route get");
        command(CmCommand.RESOLVE_ADDRESS, Errno.EHOSTUNREACH, "The route leads nowhere: see ip route get");
        command(
                CmCommand.RESOLVE_ADDRESS,
                Errno.EINVAL,
                "Source and destination have to be of one family, and a link-local one needs a scope");
        command(CmCommand.RESOLVE_ROUTE, Errno.ENODEV, NO_DEVICE);
        command(
                CmCommand.LISTEN,
                Errno.EADDRINUSE,
                "Another id listens there; of those that share a port by reuseAddress one may listen");
        command(
                CmCommand.CREATE_QP,
                Errno.ENOMEM,
                "Too many or too deep queues, or too little pinned memory: ulimit -l");
        command(
                CmCommand.CREATE_QP,
                Errno.EINVAL,
                "The device cannot do that much: compare with context().queryDevice()");
        command(
                CmCommand.ACCEPT,
                Errno.EINVAL,
                "The peer has given up meanwhile, or the device has gone; close the id");
        command(
                CmCommand.ACCEPT_DATAGRAM,
                Errno.EINVAL,
                "The peer has given up meanwhile, or the device has gone; close the id");
        for (CmCommand command :
                new CmCommand[] {CmCommand.CONNECT, CmCommand.REJECT, CmCommand.ESTABLISH, CmCommand.DISCONNECT}) {
            command(command, Errno.EINVAL, NOT_CONNECTED_ANY_MORE);
        }
        command(CmCommand.NOTIFY, Errno.EISCONN, "The connection is established already");
        command(CmCommand.JOIN_MULTICAST, Errno.EINVAL, "The wildcard is no group");

        event(CmEventType.ADDR_ERROR, Errno.ETIMEDOUT, "Nobody has that address, or does not answer ARP or ND in time");
        event(CmEventType.ADDR_ERROR, Errno.EHOSTUNREACH, "Nobody has that address");
        event(CmEventType.ADDR_ERROR, Errno.ENODEV, NO_DEVICE);
        event(
                CmEventType.ROUTE_ERROR,
                Errno.ETIMEDOUT,
                "Subnet administration does not answer: is a subnet manager up?");
        event(
                CmEventType.UNREACHABLE,
                Errno.ETIMEDOUT,
                "The peer's host has the address, but no RDMA device there answers: is the device up, and UDP port 4791"
                        + " let through?");
    }

    private Advice() {}

    private static void command(CmCommand command, Errno errno, String advice) {
        COMMANDS.computeIfAbsent(command, key -> new HashMap<>()).put(errno, advice);
    }

    private static void event(CmEventType event, Errno errno, String advice) {
        EVENTS.computeIfAbsent(event, key -> new HashMap<>()).put(errno, advice);
    }

    /** A sentence, or nothing where nothing is known. */
    static String on(CmCommand command, Errno errno) {
        return COMMANDS.getOrDefault(command, Map.of()).getOrDefault(errno, "");
    }

    /** What to do about a failure of the command, or of a part of the command. */
    static String on(CmCommand command, ErrnoException failure) {
        boolean asksTheConnection = failure.operation().equals(UcmCommand.INIT_QP_ATTR.name());
        return asksTheConnection && failure.errno().equals(Errno.EINVAL)
                ? NOT_CONNECTED_ANY_MORE
                : on(command, failure.errno());
    }

    /** What to do about the status of an event, which is an error number when it is negative. */
    static String on(CmEventType event, int status) {
        return status < 0 ? EVENTS.getOrDefault(event, Map.of()).getOrDefault(Errno.ofResult(status), "") : "";
    }
}
