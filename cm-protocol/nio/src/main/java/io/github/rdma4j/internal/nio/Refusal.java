// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.rsocket.ConnectClock;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why a connection does not go over RDMA that might have.
 *
 * @param reason for people
 * @param scope what is remembered of it
 */
record Refusal(String reason, Scope scope) {
    /** Why a program that speaks RDMA, and is busy or of another kind, rejects a request. */
    private static final int CONSUMER_DEFINED = 28;

    /** What goes over TCP at once for some time. */
    enum Scope {
        /** Nothing: no request was sent, or the program that was asked may accept the next. */
        NOTHING,
        /** The port: the peer's device answers, and others of its ports may be served. */
        PORT,
        /** The whole address: the peer keeps silent. */
        ADDRESS
    }

    /** No answer came in time. */
    static Refusal late(ConnectClock.Wait wait, Duration limit) {
        return wait == ConnectClock.Wait.ANSWER
                ? new Refusal("no answer over RDMA within " + text(limit), Scope.ADDRESS)
                : new Refusal("its address was not resolved for RDMA within " + text(limit), Scope.NOTHING);
    }

    /** The attempt over RDMA has failed. */
    static Refusal of(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        if (!(failure.getCause() instanceof CmEventException event)) {
            return new Refusal("RDMA has failed: " + message, Scope.NOTHING);
        }
        // The message goes on after the description of the id.
        return of(
                event.type(),
                event.status(),
                message.substring(message.lastIndexOf("]: ") + 1).replaceFirst("^: ", ""));
    }

    /** The attempt has ended with an event. */
    static Refusal of(CmEventType type, int status, String message) {
        boolean timedOut = status == -Errno.ETIMEDOUT.number();
        if (type == CmEventType.UNREACHABLE || (type == CmEventType.REJECTED && timedOut)) {
            return new Refusal("no answer over RDMA: " + message, Scope.ADDRESS);
        }
        if (type == CmEventType.REJECTED) {
            Scope scope = status == CONSUMER_DEFINED ? Scope.NOTHING : Scope.PORT;
            return new Refusal("refused over RDMA: " + message, scope);
        }
        return new Refusal("RDMA does not lead there: " + message, Scope.NOTHING);
    }

    /** What goes over TCP for some time, as a key; null for nothing. */
    @Nullable
    Object remembered(InetSocketAddress target) {
        return switch (scope) {
            case NOTHING -> null;
            case PORT -> target;
            case ADDRESS -> target.getAddress();
        };
    }

    /** What several refusals have in common. */
    String kind() {
        int colon = reason.indexOf(':');
        return colon < 0 ? reason : reason.substring(0, colon);
    }

    /** A time in the words of rules. */
    static String text(Duration time) {
        return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
