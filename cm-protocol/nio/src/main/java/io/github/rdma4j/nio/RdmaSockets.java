// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.nio;

import io.github.rdma4j.internal.nio.StreamProvider;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the sockets of {@code new Socket()} and {@code new ServerSocket()} use RDMA where they can, and TCP elsewhere, by the rules of
 * {@link RdmaSelectorProvider}.
 *
 * <p>A program that nobody changes gets this, and the provider for its channels, by the option
 *
 * <pre>{@code
 * -javaagent:rdma4j-nio.jar
 * }</pre>
 */
public final class RdmaSockets {
    private static final String PROXY = "socksProxyHost";
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static @Nullable RdmaSelectorProvider installed;

    private RdmaSockets() {}

    /**
     * From here on, all new sockets of this JVM use RDMA where they can, but for those that are made with a {@link java.net.Proxy} of
     * their own. Sockets that were made before stay as they are. A second call does nothing.
     *
     * @return the provider whose rules count, and which counts connections: that of the JVM if it is an {@link RdmaSelectorProvider}, or
     *     a new one
     * @throws SocketException if the program has set another factory of sockets: a JVM has one
     * @throws IllegalArgumentException if a rule is wrong
     * @throws IllegalStateException if the property {@code socksProxyHost} sends all sockets to a proxy
     */
    public static RdmaSelectorProvider install() throws IOException {
        LOCK.lock();
        try {
            RdmaSelectorProvider provider = installed;
            if (provider != null) {
                return provider;
            }
            if (!System.getProperty(PROXY, "").isEmpty()) {
                throw new IllegalStateException("the property " + PROXY
                        + " sends sockets to a proxy of SOCKS, which RDMA does not pass: leave out one of the two");
            }
            provider =
                    SelectorProvider.provider() instanceof RdmaSelectorProvider own ? own : new RdmaSelectorProvider();
            set(provider.made());
            installed = provider;
            return provider;
        } finally {
            LOCK.unlock();
        }
    }

    // Nothing else reaches the sockets that a program makes.
    @SuppressWarnings("deprecation")
    private static void set(StreamProvider sockets) throws IOException {
        try {
            Socket.setSocketImplFactory(sockets::plainStream);
            ServerSocket.setSocketFactory(sockets::plainListener);
        } catch (SocketException e) {
            SocketException refused =
                    new SocketException("another factory of sockets was set before, and a JVM has one for "
                            + "Socket and one for ServerSocket");
            refused.initCause(e);
            throw refused;
        }
    }

    /**
     * Whether the connection of {@code socket} goes over RDMA: of a socket of any kind, also of a channel or with TLS. Returns false for
     * one that is not connected.
     *
     * @throws SocketException if the socket is closed
     */
    public static boolean isOverRdma(Socket socket) throws IOException {
        return StreamProvider.isOverRdma(socket);
    }
}
