// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.internal.cm.Shortage;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** The exceptions of sockets, in the words that programs look for. Each has the failure of RDMA as its cause. */
final class Resets {
    private static final int NO_LISTENER = 8;
    private static final int CONSUMER_DEFINED = 28;

    private Resets() {}

    /** The end of a connection that the peer has not announced. */
    static SocketException reset(@Nullable Throwable cause) {
        return withCause(new SocketException("Connection reset" + words(cause)), cause);
    }

    /** The end of a connection by a work request that failed. */
    static SocketException failed(WorkCompletion completion) {
        WorkCompletionException cause = new WorkCompletionException(completion);
        return completion.status() == WorkCompletionStatus.RETRY_EXC_ERR
                ? withCause(new SocketException("Connection timed out" + words(cause)), cause)
                : reset(cause);
    }

    /** A write after the peer has ended the connection. */
    static SocketException brokenPipe() {
        return new SocketException("Broken pipe: the peer has closed the connection");
    }

    /** The exception for a failure that was seen before; each thread gets an exception of its own. */
    static IOException again(IOException seen) {
        return seen instanceof SocketException
                ? withCause(new SocketException(seen.getMessage()), seen)
                : new IOException(seen.getMessage(), seen);
    }

    /** A failed connect, by the failure of a future of the event loop. */
    static IOException refused(Throwable failure) {
        if (failure instanceof CmEventException event) {
            return ofEvent(event);
        }
        if (failure instanceof CmTimeoutException) {
            return withCause(new SocketTimeoutException("Connection timed out" + words(failure)), failure);
        }
        if (failure instanceof ErrnoException refused && refused.errno().equals(Errno.ECONNREFUSED)) {
            return withCause(new ConnectException("Connection refused" + words(failure)), failure);
        }
        if (failure instanceof ErrnoException refused && isUnreachable(refused.errno())) {
            return withCause(new ConnectException("Network is unreachable by RDMA" + words(failure)), failure);
        }
        return failure instanceof IOException known
                ? known
                : withCause(new ConnectException("Connection failed: " + failure), failure);
    }

    private static boolean isUnreachable(Errno errno) {
        return errno.equals(Errno.ENETUNREACH) || errno.equals(Errno.EHOSTUNREACH) || errno.equals(Errno.ENODEV);
    }

    /** On iWARP the reason is the error number of the TCP connection. */
    private static boolean isRefusal(int reason) {
        return reason == NO_LISTENER
                || reason == CONSUMER_DEFINED
                || reason == -Errno.ECONNREFUSED.number()
                || reason == -Errno.ECONNRESET.number();
    }

    private static IOException ofEvent(CmEventException event) {
        if (event.type() == CmEventType.REJECTED) {
            String what = isRefusal(event.status()) ? "Connection refused" : "Connection rejected";
            Shortage shortage = Shortage.told(event.privateData());
            return withCause(
                    new ConnectException(what + (shortage == null ? words(event) : ": " + shortage.advice())), event);
        }
        if (event.type() == CmEventType.UNREACHABLE || event.status() == -Errno.ETIMEDOUT.number()) {
            return withCause(new SocketTimeoutException("Connection timed out" + words(event)), event);
        }
        return event.type() == CmEventType.ADDR_ERROR
                ? withCause(new NoRouteToHostException("No route to host" + words(event)), event)
                : withCause(new ConnectException("Connection failed" + words(event)), event);
    }

    private static String words(@Nullable Throwable cause) {
        return cause == null ? "" : ": " + cause.getMessage();
    }

    static <T extends Throwable> T withCause(T exception, @Nullable Throwable cause) {
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }
}
