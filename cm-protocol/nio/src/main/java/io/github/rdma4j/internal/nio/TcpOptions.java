// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of sockets, with the values that the JDK gives and takes. */
final class TcpOptions {
    /** Programs do not name it; {@link java.net.Socket#setOOBInline} does. */
    static final SocketOption<Boolean> OOB_INLINE = new Unnamed("SO_OOBINLINE");

    /** Whether a connection goes over RDMA; to be read only. */
    static final SocketOption<Boolean> OVER_RDMA = new Unnamed("OVER_RDMA");

    /** An option that programs do not name. */
    private record Unnamed(String name) implements SocketOption<Boolean> {
        @Override
        public Class<Boolean> type() {
            return Boolean.class;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final Set<SocketOption<?>> OF_STREAMS = withExtended(
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.IP_TOS);

    private static final Set<SocketOption<?>> OF_LISTENERS = withExtended(
            StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEPORT);

    /** Plain sockets that listen have one more in the JDK too. */
    static final Set<SocketOption<?>> OF_PLAIN_LISTENERS = withExtended(
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT,
            StandardSocketOptions.IP_TOS);

    /** Who is at the other end of a Unix domain; of the module {@code jdk.net}, which a runtime image need not have. */
    private static final @Nullable SocketOption<?> PEER_CREDENTIALS = ExtendedOption.find("SO_PEERCRED");

    private static final Set<SocketOption<?>> OF_UNIX_STREAMS = present(
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_LINGER,
            PEER_CREDENTIALS);

    private static final Set<SocketOption<?>> OF_UNIX_LISTENERS = Set.of(StandardSocketOptions.SO_RCVBUF);

    private static final int GROUP_AT = 8;
    private static final int MAX_TOS = 255;
    private static final int MAX_LINGER = 65535;
    private static final int LEAST_BUFFER = 1024;

    /** The bits of IP_TOS that IPv4 keeps: precedence and type of service. */
    private static final int TOS_BITS = 0xfe;

    private record Name(int level, int name) {}

    private static final Map<SocketOption<?>, Name> NAMES = Map.ofEntries(
            entry(StandardSocketOptions.SO_SNDBUF, SocketCalls.SOL_SOCKET, SocketCalls.SO_SNDBUF),
            entry(StandardSocketOptions.SO_RCVBUF, SocketCalls.SOL_SOCKET, SocketCalls.SO_RCVBUF),
            entry(StandardSocketOptions.SO_KEEPALIVE, SocketCalls.SOL_SOCKET, SocketCalls.SO_KEEPALIVE),
            entry(StandardSocketOptions.SO_REUSEADDR, SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEADDR),
            entry(StandardSocketOptions.SO_REUSEPORT, SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEPORT),
            entry(StandardSocketOptions.SO_LINGER, SocketCalls.SOL_SOCKET, SocketCalls.SO_LINGER),
            entry(StandardSocketOptions.SO_BROADCAST, SocketCalls.SOL_SOCKET, SocketCalls.SO_BROADCAST),
            entry(StandardSocketOptions.TCP_NODELAY, SocketCalls.IPPROTO_TCP, SocketCalls.TCP_NODELAY),
            entry(StandardSocketOptions.IP_TOS, SocketCalls.IPPROTO_IP, SocketCalls.IP_TOS),
            entry(OOB_INLINE, SocketCalls.SOL_SOCKET, SocketCalls.SO_OOBINLINE));

    private static Map.Entry<SocketOption<?>, Name> entry(SocketOption<?> option, int level, int name) {
        return Map.entry(option, new Name(level, name));
    }

    private TcpOptions() {}

    private static Set<SocketOption<?>> withExtended(SocketOption<?>... standard) {
        Set<SocketOption<?>> all = new HashSet<>(ExtendedOption.all());
        all.addAll(Set.of(standard));
        return Set.copyOf(all);
    }

    /** The options that this JDK has. */
    static Set<SocketOption<?>> present(@Nullable SocketOption<?>... options) {
        return Arrays.stream(options).filter(Objects::nonNull).collect(Collectors.toUnmodifiableSet());
    }

    static Set<SocketOption<?>> ofStreams(SocketFamily family) {
        return family.isUnix() ? OF_UNIX_STREAMS : OF_STREAMS;
    }

    static Set<SocketOption<?>> ofListeners(SocketFamily family) {
        return family.isUnix() ? OF_UNIX_LISTENERS : OF_LISTENERS;
    }

    /** The checks of any socket's options. */
    static void checkSupported(Set<SocketOption<?>> supported, SocketOption<?> name) {
        Objects.requireNonNull(name);
        if (!supported.contains(name) && !(name instanceof Unnamed)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    /** The checks of a new value. */
    static void checkValue(SocketOption<?> name, Object value) throws SocketException {
        if (!name.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
        boolean isBuffer = name == StandardSocketOptions.SO_SNDBUF || name == StandardSocketOptions.SO_RCVBUF;
        if (isBuffer && (int) value < 0) {
            throw new IllegalArgumentException("Invalid send/receive buffer size");
        }
        if (name == StandardSocketOptions.IP_TOS && ((int) value < 0 || (int) value > MAX_TOS)) {
            throw new IllegalArgumentException("Invalid IP_TOS value");
        }
        ExtendedOption extended = ExtendedOption.of(name);
        if (extended != null) {
            extended.check(value);
        }
    }

    private static Name of(SocketOption<?> option) {
        ExtendedOption extended = ExtendedOption.of(option);
        return extended != null
                ? new Name(SocketCalls.IPPROTO_TCP, extended.number())
                : Objects.requireNonNull(NAMES.get(option));
    }

    static <T> void set(TcpSocket socket, SocketOption<T> option, T value) throws IOException {
        if (option == PEER_CREDENTIALS) {
            throw new SocketException(option + " cannot be set");
        }
        Name name = of(option);
        if (option == StandardSocketOptions.SO_LINGER) {
            int seconds = (int) value;
            socket.setInts(name.level, name.name, seconds >= 0 ? 1 : 0, Math.min(Math.max(seconds, 0), MAX_LINGER));
        } else if (option == StandardSocketOptions.IP_TOS) {
            if (socket.family().isIpv6()) {
                socket.setInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_TCLASS, (int) value);
            }
            socket.setInt(name.level, name.name, (int) value & TOS_BITS);
        } else if (value instanceof Boolean on) {
            socket.setInt(name.level, name.name, on ? 1 : 0);
        } else {
            boolean isReceive = option == StandardSocketOptions.SO_RCVBUF;
            socket.setInt(name.level, name.name, isReceive ? Math.max((int) value, LEAST_BUFFER) : (int) value);
        }
    }

    static <T> T get(TcpSocket socket, SocketOption<T> option) throws IOException {
        if (option == PEER_CREDENTIALS) {
            return credentials(socket, option);
        }
        Name name = of(option);
        if (option == StandardSocketOptions.SO_LINGER) {
            long linger = socket.getInts(name.level, name.name);
            return option.type().cast((int) linger == 0 ? -1 : (int) (linger >> Integer.SIZE));
        }
        if (option == StandardSocketOptions.IP_TOS && socket.family().isIpv6()) {
            return option.type().cast(socket.getInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_TCLASS));
        }
        int value = socket.getInt(name.level, name.name);
        if (option.type() == Boolean.class) {
            return option.type().cast(value != 0);
        }
        // Linux gives twice the size of a buffer that was set: it counts its own bookkeeping.
        boolean isBuffer = option == StandardSocketOptions.SO_SNDBUF || option == StandardSocketOptions.SO_RCVBUF;
        return option.type().cast(isBuffer ? value / 2 : value);
    }

    // Peers of a Unix domain.

    /** The principals of the process that made the connection, as it was then: {@code struct ucred} has pid, uid and gid. */
    private static <T> T credentials(TcpSocket socket, SocketOption<T> option) throws IOException {
        long both = socket.getInts(SocketCalls.SOL_SOCKET, SocketCalls.SO_PEERCRED);
        int user = (int) (both >> Integer.SIZE);
        int group = socket.getOption(
                SocketCalls.SOL_SOCKET,
                SocketCalls.SO_PEERCRED,
                GROUP_AT + Integer.BYTES,
                ucred -> ucred.getInt(GROUP_AT));
        if (user == -1) {
            throw new SocketException("Please connect the socket before you ask for " + option);
        }
        try {
            return option.type()
                    .cast(option.type()
                            .getConstructor(UserPrincipal.class, GroupPrincipal.class)
                            .newInstance(user(user, (int) both), group(group, (int) both)));
        } catch (ReflectiveOperationException e) {
            throw new SocketException("no " + option + ": " + e);
        }
    }

    /** The user with this number; with a name, if the process is still there, since the JDK knows the names of files' owners. */
    private static UserPrincipal user(int number, int process) throws IOException {
        UserPrincipal nameless = FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(Integer.toUnsignedString(number));
        PosixFileAttributes attributes = attributes(process);
        return attributes != null && attributes.owner().equals(nameless) ? attributes.owner() : nameless;
    }

    private static GroupPrincipal group(int number, int process) throws IOException {
        GroupPrincipal nameless = FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByGroupName(Integer.toUnsignedString(number));
        PosixFileAttributes attributes = attributes(process);
        return attributes != null && attributes.group().equals(nameless) ? attributes.group() : nameless;
    }

    private static @Nullable PosixFileAttributes attributes(int process) {
        try {
            return Files.readAttributes(Path.of("/proc", Integer.toString(process)), PosixFileAttributes.class);
        } catch (IOException e) {
            return null;
        }
    }
}
