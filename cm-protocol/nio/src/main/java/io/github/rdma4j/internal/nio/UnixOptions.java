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
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of sockets of a Unix domain. */
final class UnixOptions {
    /** Who is at the other end; of the module {@code jdk.net}, which a runtime image need not have. */
    private static final @Nullable SocketOption<?> PEER_CREDENTIALS = ExtendedOption.find("SO_PEERCRED");

    static final Set<SocketOption<?>> OF_STREAMS = ofStreams();
    static final Set<SocketOption<?>> OF_LISTENERS = Set.of(StandardSocketOptions.SO_RCVBUF);

    private static final int GROUP_AT = 8;

    private UnixOptions() {}

    private static Set<SocketOption<?>> ofStreams() {
        Set<SocketOption<?>> all = new HashSet<>(Set.of(
                StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_LINGER));
        if (PEER_CREDENTIALS != null) {
            all.add(PEER_CREDENTIALS);
        }
        return Set.copyOf(all);
    }

    static boolean isPeerCredentials(SocketOption<?> option) {
        return option == PEER_CREDENTIALS;
    }

    static SocketException readOnly(SocketOption<?> option) {
        return new SocketException(option + " cannot be set");
    }

    /** The principals of the process that made the connection, as it was then: {@code struct ucred} has pid, uid and gid. */
    static <T> T credentials(TcpSocket socket, SocketOption<T> option) throws IOException {
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
