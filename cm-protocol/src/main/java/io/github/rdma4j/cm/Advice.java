// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The meaning of the error numbers of commands and events, and how to correct the cause. */
final class Advice {
    private static final Map<CmCommand, Map<Errno, String>> COMMANDS = new EnumMap<>(CmCommand.class);
    private static final Map<CmEventType, Map<Errno, String>> EVENTS = new EnumMap<>(CmEventType.class);

    private static final String NO_DEVICE =
            "No RDMA device has this address or a route to it. On RoCE the address must belong to the network interface"
                    + " of the device: compare ip address and rdma link";
    private static final String NOT_CONNECTED_ANY_MORE =
            "The connection has already ended in the kernel: the peer has given up or closed, or the device was"
                    + " removed. Retrieve the next event of the id for the cause";

    static {
        command(
                CmCommand.BIND,
                Errno.EADDRINUSE,
                "Another id, possibly in another process, uses the port: bind to port 0 for a free port, or set"
                        + " settings().reuseAddress(true) on both ids");
        command(CmCommand.BIND, Errno.EADDRNOTAVAIL, "This host does not have the address");
        command(CmCommand.BIND, Errno.ENODEV, NO_DEVICE);
        command(CmCommand.BIND, Errno.EACCES, "Ports below 1024 require CAP_NET_BIND_SERVICE: use a higher port");
        command(CmCommand.BIND, Errno.EINVAL, "A link-local IPv6 address needs a scope, as in fe80::1%eth0");
        command(CmCommand.RESOLVE_ADDRESS, Errno.ENODEV, NO_DEVICE);
        command(CmCommand.RESOLVE_ADDRESS, Errno.ENETUNREACH, "No route to this address: see ip route get");
        command(CmCommand.RESOLVE_ADDRESS, Errno.EHOSTUNREACH, "The route rejects this address: see ip route get");
        command(
                CmCommand.RESOLVE_ADDRESS,
                Errno.EINVAL,
                "Source and destination must have the same address family, and a link-local address needs a scope");
        command(CmCommand.RESOLVE_ROUTE, Errno.ENODEV, NO_DEVICE);
        command(
                CmCommand.LISTEN,
                Errno.EADDRINUSE,
                "Another id already listens on the port: of ids that share a port by reuseAddress, one may listen");
        command(
                CmCommand.CREATE_QP,
                Errno.ENOMEM,
                "Too many or too deep queues, or the limit on pinned memory is too low: see ulimit -l");
        command(
                CmCommand.CREATE_QP,
                Errno.EINVAL,
                "The options exceed the limits of the device: see context().queryDevice()");
        command(CmCommand.ACCEPT, Errno.EINVAL, "The peer has given up, or the device was removed: close the id");
        command(
                CmCommand.ACCEPT_DATAGRAM,
                Errno.EINVAL,
                "The peer has given up, or the device was removed: close the id");
        for (CmCommand command :
                new CmCommand[] {CmCommand.CONNECT, CmCommand.REJECT, CmCommand.ESTABLISH, CmCommand.DISCONNECT}) {
            command(command, Errno.EINVAL, NOT_CONNECTED_ANY_MORE);
        }
        command(CmCommand.NOTIFY, Errno.EISCONN, "The connection is already established");
        command(CmCommand.JOIN_MULTICAST, Errno.EINVAL, "The wildcard address is not a multicast group");

        event(
                CmEventType.ADDR_ERROR,
                Errno.ETIMEDOUT,
                "No host has this address, or it did not answer ARP or ND in time");
        event(CmEventType.ADDR_ERROR, Errno.EHOSTUNREACH, "No host has this address");
        event(CmEventType.ADDR_ERROR, Errno.ENODEV, NO_DEVICE);
        event(
                CmEventType.ROUTE_ERROR,
                Errno.ETIMEDOUT,
                "Subnet administration did not answer: check that a subnet manager is running");
        event(
                CmEventType.UNREACHABLE,
                Errno.ETIMEDOUT,
                "The peer's host has the address, but no RDMA device there answered: check that the device is up and"
                        + " that no firewall blocks UDP port 4791");
    }

    private Advice() {}

    private static void command(CmCommand command, Errno errno, String advice) {
        COMMANDS.computeIfAbsent(command, key -> new HashMap<>()).put(errno, advice);
    }

    private static void event(CmEventType event, Errno errno, String advice) {
        EVENTS.computeIfAbsent(event, key -> new HashMap<>()).put(errno, advice);
    }

    /** Returns a sentence without a full stop; an empty string if there is no advice. */
    static String on(CmCommand command, Errno errno) {
        return COMMANDS.getOrDefault(command, Map.of()).getOrDefault(errno, "");
    }

    /** Returns the advice for a failure of the command, or of a part of the command. */
    static String on(CmCommand command, ErrnoException failure) {
        boolean asksTheConnection = failure.operation().equals(UcmCommand.INIT_QP_ATTR.name());
        return asksTheConnection && failure.errno().equals(Errno.EINVAL)
                ? NOT_CONNECTED_ANY_MORE
                : on(command, failure.errno());
    }

    /** Returns the advice for the status of an event, which is an error number if it is negative. */
    static String on(CmEventType event, int status) {
        return status < 0 ? EVENTS.getOrDefault(event, Map.of()).getOrDefault(Errno.ofResult(status), "") : "";
    }
}
