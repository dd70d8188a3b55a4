// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Map;

/** The exceptions of channels as those of sockets. */
final class SocketExceptions {
    private static final Map<Class<?>, String> TEXTS = Map.ofEntries(
            Map.entry(NotYetConnectedException.class, "Socket is not connected"),
            Map.entry(AlreadyConnectedException.class, "Already connected"),
            Map.entry(AlreadyBoundException.class, "Already bound"),
            Map.entry(NotYetBoundException.class, "Socket is not bound yet"),
            Map.entry(UnsupportedAddressTypeException.class, "Unsupported address type"),
            Map.entry(UnresolvedAddressException.class, "Unresolved address"));

    private SocketExceptions() {}

    /**
     * What a socket throws where its channel throws {@code e}, as the JDK has it: the unchecked exceptions of states and addresses
     * become {@link SocketException}s, and those of reading and writing stay.
     *
     * @param connects whether an address that is not resolved is an unknown host
     */
    static IOException of(Exception e, boolean connects) {
        if (e instanceof IOException io) {
            return io;
        }
        if (connects && e instanceof UnresolvedAddressException) {
            return caused(new UnknownHostException(), e);
        }
        String text = TEXTS.get(e.getClass());
        if (text == null) {
            throw (RuntimeException) e;
        }
        return caused(new SocketException(text), e);
    }

    /** What a plain socket throws where its channel, which may be open still, throws {@code e}. */
    static IOException plain(Exception e, boolean isOpen) {
        if (e instanceof SocketException || e instanceof InterruptedIOException) {
            return (IOException) e;
        }
        if (e instanceof ClosedChannelException) {
            // Only the output of an open channel can be closed.
            return caused(new SocketException(isOpen ? "Broken pipe" : "Socket closed"), e);
        }
        IOException of = of(e, false);
        return of instanceof SocketException ? of : caused(new SocketException(of.getMessage()), e);
    }

    static <E extends IOException> E caused(E made, Exception cause) {
        made.initCause(cause);
        return made;
    }

    /** For the methods that declare nothing else. */
    static SocketException socket(IOException e) {
        if (e instanceof SocketException socket) {
            return socket;
        }
        String text = e instanceof ClosedChannelException ? "Socket is closed" : e.getMessage();
        return caused(new SocketException(text), e);
    }
}
