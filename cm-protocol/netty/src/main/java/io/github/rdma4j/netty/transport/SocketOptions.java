// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.ChannelOption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options that channels of one kind have beside those of every channel.
 *
 * @param <C> where such a channel has its options
 */
final class SocketOptions<C> {
    private final Map<ChannelOption<?>, Access<C, ?>> all = new HashMap<>();

    /** How an option is read and changed. */
    private record Access<C, T>(Function<C, T> get, BiConsumer<C, T> set) {}

    <T> SocketOptions<C> with(ChannelOption<T> option, Function<C, T> get, BiConsumer<C, T> set) {
        all.put(option, new Access<>(get, set));
        return this;
    }

    ChannelOption<?>[] all() {
        return all.keySet().toArray(ChannelOption<?>[]::new);
    }

    /** The value of an option; null if the channel has no such option here. */
    @SuppressWarnings("unchecked") // as it was put
    <T> @Nullable T get(C config, ChannelOption<T> option) {
        Access<C, T> found = (Access<C, T>) all.get(option);
        return found == null ? null : found.get.apply(config);
    }

    /** Changes an option; returns false if the channel has no such option here. */
    @SuppressWarnings("unchecked") // as it was put
    <T> boolean set(C config, ChannelOption<T> option, T value) {
        Access<C, T> found = (Access<C, T>) all.get(option);
        if (found != null) {
            found.set.accept(config, value);
        }
        return found != null;
    }
}
