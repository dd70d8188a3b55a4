// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.util.HashMap;
import java.util.Map;

/** The meaning of the error numbers of commands and events, and how to correct the cause. */
final class Advice {
    private static final Map<Failure, String> ADVICE = new HashMap<>();

    private static final String NO_DEVICE =
            "No RDMA device has this address or a route to it. On RoCE the address must belong to the network interface"
                    + " of the device: compare ip address and rdma link";
    private static final String NOT_CONNECTED_ANY_MORE =
            "The connection has already ended in the kernel: the peer has given up or closed, or the device was"
                    + " removed. Retrieve the next event of the id for the cause";

    static {
        add(
                CmCommand.BIND,
                Errno.EADDRINUSE,
                "Another id, possibly in another process, uses the port: bind to port 0 for a free port, or set"
                        + " settings().reuseAddress(true) on both ids");
        add(CmCommand.BIND, Errno.EADDRNOTAVAIL, "This host does not have the address");
        add(CmCommand.BIND, Errno.ENODEV, NO_DEVICE);
        add(CmCommand.BIND, Errno.EACCES, "Ports below 1024 require CAP_NET_BIND_SERVICE: use a higher port");
        add(CmCommand.BIND, Errno.EINVAL, "A link-local IPv6 address needs a scope, as in fe80::1%eth0");
        add(CmCommand.RESOLVE_ADDRESS, Errno.ENODEV, NO_DEVICE);
        add(CmCommand.RESOLVE_ADDRESS, Errno.ENETUNREACH, "No route to this address: see ip route get");
        add(CmCommand.RESOLVE_ADDRESS, Errno.EHOSTUNREACH, "The route rejects this address: see ip route get");
        add(
                CmCommand.RESOLVE_ADDRESS,
                Errno.EINVAL,
                "Source and destination must have the same address family, and a link-local address needs a scope");
        add(CmCommand.RESOLVE_ROUTE, Errno.ENODEV, NO_DEVICE);
        add(
                CmCommand.LISTEN,
                Errno.EADDRINUSE,
                "Another id already listens on the port: of ids that share a port by reuseAddress, one may listen");
        add(
                CmCommand.CREATE_QP,
                Errno.ENOMEM,
                "Too many or too deep queues, or the limit on pinned memory is too low: see ulimit -l");
        add(
                CmCommand.CREATE_QP,
                Errno.EINVAL,
                "The options exceed the limits of the device: see context().queryDevice()");
        add(CmCommand.ACCEPT, Errno.EINVAL, "The peer has given up, or the device was removed: close the id");
        add(CmCommand.ACCEPT_DATAGRAM, Errno.EINVAL, "The peer has given up, or the device was removed: close the id");
        for (CmCommand command :
                new CmCommand[] {CmCommand.CONNECT, CmCommand.REJECT, CmCommand.ESTABLISH, CmCommand.DISCONNECT}) {
            add(command, Errno.EINVAL, NOT_CONNECTED_ANY_MORE);
        }
        add(CmCommand.NOTIFY, Errno.EISCONN, "The connection is already established");
        add(CmCommand.JOIN_MULTICAST, Errno.EINVAL, "The wildcard address is not a multicast group");
        add(
                CmCommand.JOIN_MULTICAST,
                Errno.ENOTSUPP,
                "The device cannot join this group: RoCE version 2 supports only IPv4 groups");

        add(
                CmEventType.ADDR_ERROR,
                Errno.ETIMEDOUT,
                "No host has this address, or it did not answer ARP or ND in time");
        add(CmEventType.ADDR_ERROR, Errno.EHOSTUNREACH, "No host has this address");
        add(CmEventType.ADDR_ERROR, Errno.ENODEV, NO_DEVICE);
        add(
                CmEventType.ROUTE_ERROR,
                Errno.ETIMEDOUT,
                "Subnet administration did not answer: check that a subnet manager is running");
        add(
                CmEventType.UNREACHABLE,
                Errno.ETIMEDOUT,
                "The peer's host has the address, but no RDMA device there answered: check that the device is up and"
                        + " that no firewall blocks UDP port 4791");
    }

    private Advice() {}

    /** An error of a {@link CmCommand} or {@link CmEventType}. */
    private record Failure(Enum<?> of, Errno errno) {}

    private static void add(Enum<?> of, Errno errno, String advice) {
        ADVICE.put(new Failure(of, errno), advice);
    }

    /** Returns a sentence without a full stop; an empty string if there is no advice. */
    static String on(CmCommand command, Errno errno) {
        return ADVICE.getOrDefault(new Failure(command, errno), "");
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
        return status < 0 ? ADVICE.getOrDefault(new Failure(event, Errno.ofResult(status)), "") : "";
    }
}
