// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.Step.Side;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The offsets from the clock of each node to the clock of the capture.
 *
 * <p>A node sends datagrams with its time before and after its program. Each shows up in the capture a little later, so
 * the least difference that was seen is the best: no datagram can arrive before it is sent. Causes narrow this down: a
 * command comes before the message that it causes, and an event after its message.
 */
final class Clocks {
    private final Map<Side, Long> offsets = new EnumMap<>(Side.class);

    /** The least that an offset may be, by the events that messages caused. */
    private final Map<Side, Long> least = new EnumMap<>(Side.class);

    /** The most that an offset may be, by the messages that commands caused. */
    private final Map<Side, Long> most = new EnumMap<>(Side.class);

    /** By the clock messages alone; a node without one is taken to have the time of the capture. */
    static Clocks of(List<WireMessage> messages) {
        Clocks clocks = new Clocks();
        for (WireMessage message : messages) {
            if (message.name().equals(WireMessage.CLOCK)) {
                long difference = message.time() - CallRecording.nanoseconds(message.subject());
                clocks.offsets.merge(Side.of(message.source()), difference, Math::min);
            }
        }
        return clocks;
    }

    long offset(Side side) {
        return offsets.getOrDefault(side, 0L);
    }

    /** A command of the node at {@code command} caused a message at {@code message}. */
    void causes(Side side, long command, long message) {
        most.merge(side, message - command, Math::min);
    }

    /** A message at {@code message} caused what the node had at {@code event}. */
    void isCausedBy(Side side, long event, long message) {
        least.merge(side, message - event, Math::max);
    }

    /** Moves each offset as little as the causes require. If the causes contradict each other, a clock has drifted. */
    void narrow() {
        for (Side side : Side.values()) {
            long low = least.getOrDefault(side, Long.MIN_VALUE);
            long high = most.getOrDefault(side, Long.MAX_VALUE);
            long offset = Math.min(Math.max(offset(side), low), high);
            offsets.put(side, low > high ? high + (low - high) / 2 : offset);
        }
    }
}
