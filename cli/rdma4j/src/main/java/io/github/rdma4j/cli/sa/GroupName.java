// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.sm.MulticastGid;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A multicast group on the command line: an MGID, or an IPv4 group. */
final class GroupName {
    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F:.]*|[0-9]+(\\.[0-9]+){3}");

    @Parameters(
            arity = "0..1",
            paramLabel = "GROUP",
            description = "An MGID such as ff12:401b:ffff::1, or an IPv4 group such as 239.0.0.1.")
    private @Nullable String text;

    @Option(
            names = "--rdma-cm",
            description = "Use the MGID of the connection manager for the IPv4 group, instead of the MGID of IPoIB.")
    private boolean rdmaCm;

    @Option(
            names = "--pkey",
            paramLabel = "PKEY",
            converter = AnyRadix.class,
            description = "Partition key of the group (0xffff).")
    private int pkey = MulticastGid.DEFAULT_PKEY;

    @Option(
            names = "--scope",
            paramLabel = "N",
            converter = AnyRadix.class,
            description = "Scope of an IPv4 group (${DEFAULT-VALUE}, link-local).")
    private int scope = MulticastGid.SCOPE_LINK;

    boolean isGiven() {
        return text != null;
    }

    int pkey() {
        return pkey;
    }

    /** Parses the name; throws {@link IllegalArgumentException} if it is neither an MGID nor an IPv4 group. */
    Gid mgid() {
        if (text == null) {
            throw new IllegalArgumentException("GROUP is missing; give an MGID or an IPv4 group");
        }
        InetAddress address = address(text);
        if (!(address instanceof Inet4Address) || text.indexOf(':') >= 0) {
            return Gid.of(address); // also ::ffff:a.b.c.d, which is a GID
        }
        return (rdmaCm ? MulticastGid.rdmaCm(address, pkey, scope) : MulticastGid.ipoib(address, pkey, scope)).gid();
    }

    /** Parses a GID in any format of an IPv6 address; throws {@link IllegalArgumentException} for other text. */
    static Gid gid(String text) {
        if (text.indexOf(':') < 0) {
            throw new IllegalArgumentException(text + " is not a GID; write it like an IPv6 address");
        }
        return Gid.of(address(text));
    }

    /** Parses a literal address without the name service. */
    private static InetAddress address(String text) {
        if (!LITERAL.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " is neither a GID nor an IPv4 address");
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " is neither a GID nor an IPv4 address", e);
        }
    }
}
