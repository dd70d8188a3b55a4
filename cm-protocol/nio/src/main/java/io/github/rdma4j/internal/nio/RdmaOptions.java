// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.rsocket.Probes;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a connection over RDMA. All values are kept and told; those that have a meaning over RDMA are the sizes of buffers,
 * before the connection is made, SO_LINGER, and SO_KEEPALIVE with its times. Safe for use by several threads.
 */
final class RdmaOptions {
    private static final int DEFAULT_BUFFER = 1 << 17;
    private static final int LEAST_BUFFER = 1 << 13;
    private static final int LARGEST_BUFFER = 1 << 26;
    private static final int KEEP_ALIVE_SECONDS = 30;
    private static final int KEEP_ALIVE_COUNT = 10;

    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();

    /** The options of a connection that was accepted. */
    RdmaOptions copy() {
        RdmaOptions copy = new RdmaOptions();
        copy.values.putAll(values);
        return copy;
    }

    <T> void set(SocketOption<T> name, T value) {
        values.put(name, value);
    }

    <T> T get(SocketOption<T> name) {
        Object value = values.get(name);
        return name.type().cast(value != null ? value : initial(name));
    }

    private static Object initial(SocketOption<?> name) {
        ExtendedOption extended = ExtendedOption.of(name);
        if (extended != null) {
            return initial(extended);
        }
        if (name.type() == Boolean.class) {
            return false;
        }
        if (name == StandardSocketOptions.SO_LINGER) {
            return -1;
        }
        return name == StandardSocketOptions.IP_TOS ? 0 : DEFAULT_BUFFER;
    }

    private static Object initial(ExtendedOption option) {
        return switch (option) {
            case KEEP_IDLE, KEEP_INTERVAL -> KEEP_ALIVE_SECONDS;
            case KEEP_COUNT -> KEEP_ALIVE_COUNT;
            case QUICK_ACK -> true;
        };
    }

    private int number(ExtendedOption wanted) {
        for (Map.Entry<SocketOption<?>, Object> value : values.entrySet()) {
            if (ExtendedOption.of(value.getKey()) == wanted) {
                return (int) value.getValue();
            }
        }
        return (int) initial(wanted);
    }

    /** When the peer's device is asked. */
    Probes probes() {
        return get(StandardSocketOptions.SO_KEEPALIVE)
                ? new Probes(
                        Duration.ofSeconds(number(ExtendedOption.KEEP_IDLE)),
                        Duration.ofSeconds(number(ExtendedOption.KEEP_INTERVAL)),
                        number(ExtendedOption.KEEP_COUNT))
                : Probes.NEVER;
    }

    /** The settings of a connection with these options, from {@code source} if that is not null. */
    StreamSettings settings(@Nullable InetSocketAddress source, @Nullable Duration step) {
        StreamSettings defaults = StreamSettings.defaults();
        StreamSettings.Times times = defaults.times();
        return new StreamSettings(
                defaults.kernel(),
                clamp(get(StandardSocketOptions.SO_RCVBUF)),
                clamp(get(StandardSocketOptions.SO_SNDBUF)),
                defaults.queues(),
                0,
                step == null
                        ? times
                        : new StreamSettings.Times(step, times.linger(), times.polling(), times.keepAlive()),
                source);
    }

    private static int clamp(int bytes) {
        return Math.max(LEAST_BUFFER, Math.min(bytes, LARGEST_BUFFER)) / 2 * 2;
    }
}
