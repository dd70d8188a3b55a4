// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.net.SocketException;
import java.net.SocketOption;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An option of the module {@code jdk.net}, which a runtime image need not have; without the module nobody can name the option. */
enum ExtendedOption {
    KEEP_IDLE("TCP_KEEPIDLE", SocketCalls.TCP_KEEPIDLE, 32767),
    KEEP_INTERVAL("TCP_KEEPINTERVAL", SocketCalls.TCP_KEEPINTVL, 32767),
    KEEP_COUNT("TCP_KEEPCOUNT", SocketCalls.TCP_KEEPCNT, 127),

    /** A switch, which has no effect over RDMA: the device acknowledges by itself. */
    QUICK_ACK("TCP_QUICKACK", SocketCalls.TCP_QUICKACK, 1);

    private static final Map<SocketOption<?>, ExtendedOption> PRESENT = present();

    private final String title;
    private final int number;

    /** The greatest value that the kernel takes for TCP. */
    private final int most;

    ExtendedOption(String title, int number, int most) {
        this.title = title;
        this.number = number;
        this.most = most;
    }

    /**
     * An option of the module, or null if there is no such option. By reflection: a dependency on the module would decide whether
     * this module can be resolved.
     */
    static @Nullable SocketOption<?> find(String name) {
        try {
            return (SocketOption<?>) Class.forName("jdk.net.ExtendedSocketOptions")
                    .getField(name)
                    .get(null);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static Map<SocketOption<?>, ExtendedOption> present() {
        Map<SocketOption<?>, ExtendedOption> found = new HashMap<>();
        for (ExtendedOption option : values()) {
            SocketOption<?> named = find(option.title);
            if (named != null) {
                found.put(named, option);
            }
        }
        return found;
    }

    /** All that the runtime image has. */
    static Set<SocketOption<?>> all() {
        return Collections.unmodifiableSet(PRESENT.keySet());
    }

    /** Returns null for an option of another kind. */
    static @Nullable ExtendedOption of(SocketOption<?> option) {
        return PRESENT.get(option);
    }

    /** The number of the option at the level of TCP. */
    int number() {
        return number;
    }

    /** Refuses what the kernel refuses for TCP. */
    void check(Object value) throws SocketException {
        if (value instanceof Integer seconds && (seconds < 1 || seconds > most)) {
            throw new SocketException(
                    "Invalid argument: " + title + " is " + seconds + "; it must be from 1 to " + most);
        }
    }
}
