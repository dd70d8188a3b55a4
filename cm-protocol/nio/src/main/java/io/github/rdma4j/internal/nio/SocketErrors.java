// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/** The exceptions that programs expect of sockets, with the texts that programs look for: the C library's. */
final class SocketErrors {
    private static final int ECONNRESET = 104;
    private static final int ENOTCONN = 107;

    private SocketErrors() {}

    /** For connecting, binding, listening, accepting, and for options. */
    static SocketException ofSocket(long result) {
        Errno errno = Errno.ofResult(result);
        String text = errno.text();
        if (errno.equals(Errno.ECONNREFUSED) || errno.equals(Errno.ETIMEDOUT) || errno.number() == ENOTCONN) {
            return new ConnectException(text);
        }
        if (errno.equals(Errno.EHOSTUNREACH)) {
            return new NoRouteToHostException(text);
        }
        if (errno.equals(Errno.EADDRINUSE) || errno.equals(Errno.EADDRNOTAVAIL) || errno.equals(Errno.EACCES)) {
            return new BindException(text);
        }
        return new SocketException(text);
    }

    /** For reading and writing. */
    static IOException ofStream(long result) {
        return new IOException(Errno.ofResult(result).text());
    }

    /** The failure of a stream over RDMA in the words of the C library alone; the cause has the rest. */
    static IOException plain(SocketException e) {
        String words = words(e);
        boolean isReset = words.equals(reset().getMessage());
        return SocketExceptions.caused(isReset ? new SocketException(words) : new IOException(words), e);
    }

    /** As {@link #plain}, for a connect. A failure of this side keeps its advice, for which the C library has no words. */
    static IOException plainConnect(IOException e) {
        boolean isConnect = e instanceof ConnectException || e instanceof SocketTimeoutException;
        IOException plain = isConnect
                ? new ConnectException(words(e))
                : new SocketException(e instanceof RdmaException ? e.getMessage() : words(e));
        return SocketExceptions.caused(plain, e);
    }

    /** The messages of streams begin with what programs look for, and go on after a colon. */
    private static String words(IOException e) {
        String message = String.valueOf(e.getMessage());
        int colon = message.indexOf(':');
        return colon < 0 ? message : message.substring(0, colon);
    }

    static IOException brokenPipe() {
        return new IOException("Broken pipe");
    }

    static SocketException reset() {
        return new SocketException("Connection reset");
    }

    static boolean isReset(long result) {
        return result == -ECONNRESET;
    }

    static boolean isNotConnected(long result) {
        return result == -ENOTCONN;
    }

    static boolean isNotNow(long result) {
        return result == -Errno.EAGAIN.number();
    }
}
