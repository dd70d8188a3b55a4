// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

/** The channels of this project. */
class StreamUnconnectedTest extends UnconnectedScenarios {
    private static final SelectorProvider PROVIDER = new StreamProvider(Rules.parse("a test", "tcp *"), null);

    StreamUnconnectedTest() {
        super(PROVIDER, Pair.loopback());
    }

    @Test
    void theNumberOfAQueueOfANetworkCardIsNoOption() throws IOException {
        SocketOption<Integer> queue = ExtendedSocketOptions.SO_INCOMING_NAPI_ID;
        try (SocketChannel channel = PROVIDER.openSocketChannel()) {
            assertThat(channel.supportedOptions()).doesNotContain(queue);
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> channel.getOption(queue))
                    .withMessage("'SO_INCOMING_NAPI_ID' not supported");
        }
    }
}
