// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rdma4j mckey}. */
@Command(
        name = "mckey",
        description = "Send datagrams to multicast groups, or receive datagrams. Compatible with mckey(1).",
        footer = {
            "",
            "Start the receivers first. A receiver ends when it has all messages. It counts lost messages, and ends"
                    + " with status 1 when messages were lost."
        })
public final class MckeyCommand extends RdmaCommand {
    private static final int MAX_MESSAGES = 1 << 16;

    /** The maximum size of a datagram: the largest MTU. */
    private static final int MAX_SIZE = 4096;

    private static final int DEFAULT_PKEY = 0xffff;
    private static final int MULTICAST_FIRST_BYTE = 0xff;

    @Option(
            names = "-m",
            paramLabel = "ADDR",
            split = ",",
            description = "IP address of a group. Repeat the option or separate addresses with commas to join several"
                    + " groups.")
    private List<String> groups = new ArrayList<>();

    @Option(
            names = "-M",
            paramLabel = "MGID",
            split = ",",
            description = "GID of a group, instead of -m; needs -b. RoCE devices refuse it.")
    private List<String> gids = new ArrayList<>();

    @Option(names = "-b", paramLabel = "ADDR", description = "Local address.")
    private @Nullable String local;

    @Option(
            names = "-p",
            paramLabel = "NUMBER",
            description = "Port space: 0x0111 for UDP (the default), 0x0002 for IPoIB.",
            converter = AnyRadix.class)
    private int portSpace = PortSpace.UDP.code();

    @Option(names = "-o", description = "Join as a member that only sends.")
    private boolean sendOnly;

    @Mixin
    private final Mckey.Plan plan = new Mckey.Plan();

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        new Mckey(plan(), out()).run();
        return 0;
    }

    /**
     * Returns the plan described by the options; blocks while host names are resolved.
     *
     * @throws picocli.CommandLine.ParameterException if an option is wrong
     * @throws RdmaException if a name has no address
     */
    Mckey.Plan plan() throws RdmaException {
        requireWithin("-c", plan.connections, 1, MAX_CONNECTIONS);
        requireWithin("-C", plan.messages, 0, MAX_MESSAGES);
        requireWithin("-S", plan.size, 0, MAX_SIZE);
        requireWithin("-d", plan.settle, 0, Integer.MAX_VALUE);
        requireWithin("-w", plan.patience, 1, Integer.MAX_VALUE);
        requireWithin("-W", plan.firstPatience, 1, Integer.MAX_VALUE);
        require(groups.isEmpty() != gids.isEmpty(), "name groups with -m, or with -M and -b");
        require(gids.isEmpty() || local != null, "-M needs -b: a GID does not tell the device that leads to the group");
        for (String name : groups) {
            InetAddress group = resolve("-m", name);
            require(
                    group.isMulticastAddress(),
                    "-m " + name + " is not a group: groups are 224.0.0.0 to 239.255.255.255 and ff00::/8");
            plan.groups.add(new InetSocketAddress(group, 0));
        }
        gids.forEach(name -> plan.groups.add(group(name)));
        plan.portSpace = space();
        plan.local = local == null ? null : new InetSocketAddress(resolve("-b", local), 0);
        plan.mode = sendOnly ? GroupMembership.Mode.SEND_ONLY_FULL_MEMBER : GroupMembership.Mode.FULL_MEMBER;
        if (plan.size == 0) {
            plan.messages = 0;
        }
        return plan;
    }

    private PortSpace space() {
        return Stream.of(PortSpace.UDP, PortSpace.IPOIB)
                .filter(space -> space.code() == portSpace)
                .findFirst()
                .orElseThrow(() ->
                        wrong("-p " + portSpace + " is not a port space; it must be 0x0111 (UDP) or 0x0002 (IPoIB)"));
    }

    private InetAddress resolve(String option, String name) throws RdmaException {
        try {
            AddressInfo found = AddressInfo.resolve(
                            name,
                            "0",
                            AddressInfo.Hints.builder().portSpace(PortSpace.UDP).build())
                    .get(0);
            return ((InetSocketAddress) found.destination().orElseThrow()).getAddress();
        } catch (UnknownHostException e) {
            throw Addresses.unknown(option, name, e);
        } catch (IOException e) {
            throw new RdmaException(option + " " + name + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw wrong(option + " " + name + ": " + e.getMessage());
        }
    }

    private SocketAddress group(String text) {
        require(text.indexOf(':') >= 0, "-M " + text + " is not a GID; write it like an IPv6 address");
        try {
            // a text with a colon is an address, so no name is resolved
            Gid gid = Gid.of(InetAddress.getByName(text));
            require(
                    gid.prefix() >>> (Long.SIZE - Byte.SIZE) == MULTICAST_FIRST_BYTE,
                    "-M " + text + " is not a group; the GID of a group begins with ff");
            return new IbSocketAddress(DEFAULT_PKEY, gid, 0, 0, 0);
        } catch (UnknownHostException e) {
            throw wrong("-M " + text + ": " + e.getMessage());
        }
    }
}
