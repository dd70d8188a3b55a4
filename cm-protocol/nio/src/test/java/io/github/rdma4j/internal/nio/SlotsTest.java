// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private final Slots slots = new Slots();

    private static StreamKey key() throws IOException {
        StreamProvider provider = new StreamProvider(Rules.parse("a test", "tcp *"), null);
        try (StreamSocketChannel channel = new StreamSocketChannel(
                        provider, new TcpLink(TcpSocket.open(SocketFamily.INET)), SocketFamily.INET);
                EpollSelector selector = EpollSelector.open(provider)) {
            return new StreamKey(channel, channel, selector, selector);
        }
    }

    @Test
    void aLateEventOfAKeyThatWasDroppedIsNotTakenForOneOfTheNextKey() throws IOException {
        StreamKey first = key();
        StreamKey second = key();
        slots.add(first);
        long data = slots.data(first);
        assertThat(slots.key(data)).isSameAs(first);
        slots.remove(first);
        assertThat(slots.key(data)).isNull();
        slots.add(second);
        assertThat(second.slot()).isZero();
        assertThat(slots.key(data)).isNull();
        assertThat(slots.key(slots.data(second))).isSameAs(second);
    }

    @Test
    void slotsGrowWithTheNumberOfKeys() throws IOException {
        List<StreamKey> keys = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            keys.add(key());
            slots.add(keys.get(i));
        }
        for (int i = 0; i < 40; i++) {
            assertThat(slots.key(slots.data(keys.get(i)))).isSameAs(keys.get(i));
        }
    }
}
