// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.netty;

import io.netty.channel.ChannelOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * The options of a side.
 *
 * @param sendBuffer SO_SNDBUF; 0 for the default
 * @param receiveBuffer SO_RCVBUF
 * @param linger SO_LINGER; 0 to leave it
 */
record Spec(Reading reading, boolean halfCloses, boolean autoClose, int sendBuffer, int receiveBuffer, int linger) {
    private static final int[] LARGE = {0, 0, 65_536, 1 << 18};
    private static final int[] ANY = {0, 8192, 16_384, 65_536, 1 << 20};

    private static final int LEAST_LINGER = 5;

    /** When a side reads. */
    enum Reading {
        /** Whatever comes. */
        AUTO,
        /** With a call for each read, a moment after the last. */
        CALLS,
        /** Nothing at first, and then whatever comes, with autoRead set and reset. */
        SWITCHED
    }

    /** @param anySize whether buffers may be smaller than what a program writes before a close */
    static Spec draw(Random random, boolean anySize) {
        int[] sizes = anySize ? ANY : LARGE;
        return new Spec(
                Reading.values()[random.nextInt(Reading.values().length)],
                random.nextBoolean(),
                random.nextInt(4) > 0,
                sizes[random.nextInt(sizes.length)],
                sizes[random.nextInt(sizes.length)],
                random.nextInt(3) == 0 ? LEAST_LINGER + random.nextInt(3) : 0);
    }

    Map<ChannelOption<?>, Object> options() {
        Map<ChannelOption<?>, Object> options = new LinkedHashMap<>();
        options.put(ChannelOption.AUTO_READ, reading == Reading.AUTO);
        options.put(ChannelOption.ALLOW_HALF_CLOSURE, halfCloses);
        options.put(ChannelOption.AUTO_CLOSE, autoClose);
        if (sendBuffer > 0) {
            options.put(ChannelOption.SO_SNDBUF, sendBuffer);
        }
        if (linger > 0) {
            options.put(ChannelOption.SO_LINGER, linger);
        }
        return options;
    }
}
