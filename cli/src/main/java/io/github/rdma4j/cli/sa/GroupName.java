// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.transfer.AnyRadix;
import io.github.rdma4j.sm.MulticastGid;
import io.github.rdma4j.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A multicast group on the command line: by its MGID, or by the IPv4 group that it stands for. */
final class GroupName {
    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F:.]*|[0-9]+(\\.[0-9]+){3}");

    @Parameters(
            arity = "0..1",
            paramLabel = "GROUP",
            description = "An MGID such as ff12:401b:ffff::1, or an IPv4 group such as 239.0.0.1.")
    private @Nullable String text;

    @Option(names = "--rdma-cm", description = "The IPv4 group is one of the connection manager, not of IPoIB.")
    private boolean rdmaCm;

    @Option(
            names = "--pkey",
            paramLabel = "PKEY",
            converter = AnyRadix.class,
            description = "The partition of the group (0xffff).")
    private int pkey = MulticastGid.DEFAULT_PKEY;

    @Option(
            names = "--scope",
            paramLabel = "N",
            converter = AnyRadix.class,
            description = "The scope of an IPv4 group (${DEFAULT-VALUE}, link-local).")
    private int scope = MulticastGid.SCOPE_LINK;

    boolean isGiven() {
        return text != null;
    }

    int pkey() {
        return pkey;
    }

    /** Throws {@link IllegalArgumentException} for what is neither. */
    Gid mgid() {
        if (text == null) {
            throw new IllegalArgumentException("which GROUP?");
        }
        InetAddress address = address(text);
        if (!(address instanceof Inet4Address)) {
            return Gid.of(address);
        }
        if (text.indexOf(':') >= 0) {
            return Gid.of(address); // ::ffff:a.b.c.d, which is a GID
        }
        return (rdmaCm ? MulticastGid.rdmaCm(address, pkey, scope) : MulticastGid.ipoib(address, pkey, scope)).gid();
    }

    /** A GID in any form of an IPv6 address; throws {@link IllegalArgumentException} for what is none. */
    static Gid gid(String text) {
        if (text.indexOf(':') < 0) {
            throw new IllegalArgumentException(text + " is not a GID");
        }
        return Gid.of(address(text));
    }

    /** No name service is asked. */
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
