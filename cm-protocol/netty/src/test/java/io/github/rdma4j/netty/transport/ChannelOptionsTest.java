// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChannelOptionsTest {
    private final SocketConfig config = (SocketConfig) new RdmaSocketChannel().config();
    private final ServerSocketConfig listening = (ServerSocketConfig) new RdmaServerSocketChannel().config();

    @Test
    void theOptionsOfSocketsAreKnownAndOthersAreNot() {
        assertThat(config.setOption(ChannelOption.TCP_NODELAY, false)).isTrue();
        assertThat(config.getOption(ChannelOption.TCP_NODELAY)).isFalse();
        assertThat(config.getOptions())
                .containsKeys(
                        ChannelOption.SO_RCVBUF,
                        ChannelOption.SO_SNDBUF,
                        ChannelOption.SO_KEEPALIVE,
                        ChannelOption.SO_LINGER,
                        ChannelOption.SO_REUSEADDR,
                        ChannelOption.IP_TOS,
                        ChannelOption.ALLOW_HALF_CLOSURE,
                        ChannelOption.AUTO_READ);
        assertThat(config.setOption(ChannelOption.SO_BROADCAST, true)).isFalse();
        assertThat(config.getOption(ChannelOption.SO_BROADCAST)).isNull();
        assertThat(config.getOption(ChannelOption.SO_LINGER)).isEqualTo(-1);
    }

    @Test
    void theSizesOfBuffersStayWithinTheLimitsOfStreams() {
        config.setReceiveBufferSize(1 << 20).setSendBufferSize(100).setKeepAlive(true);
        StreamSettings settings = config.settings(null);
        assertThat(settings.receiveBytes()).isEqualTo(1 << 20);
        assertThat(settings.sendBytes()).isEqualTo(4096);
        assertThat(settings.times().keepAlive()).isEqualTo(Duration.ofHours(2));
        assertThatThrownBy(() -> config.setReceiveBufferSize(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 or more");
    }

    @Test
    void theChannelsLimitOfAConnectIsTheFirst() {
        config.setConnectTimeoutMillis(500);
        assertThat(config.settings(null).times().step()).isGreaterThan(Duration.ofMillis(500));
    }

    @Test
    void aListeningChannelHasTheOptionsOfItsConnections() {
        assertThat(listening.setOption(ChannelOption.SO_SNDBUF, 1 << 18)).isTrue();
        assertThat(listening.setOption(ChannelOption.SO_RCVBUF, 1 << 19)).isTrue();
        assertThat(listening.settings().sendBytes()).isEqualTo(1 << 18);
        assertThat(listening.settings().receiveBytes()).isEqualTo(1 << 19);
        assertThat(listening.getOption(ChannelOption.SO_BACKLOG)).isEqualTo(128);
        assertThat(listening.setOption(ChannelOption.TCP_NODELAY, true)).isFalse();
    }

    /** Netty's classes, which these extend, have one socket for all channels. */
    @Test
    void whatIsSetIsKeptForTheOneChannel() {
        Map<ChannelOption<?>, Object> ofStreams = Map.of(
                ChannelOption.SO_KEEPALIVE,
                true,
                ChannelOption.SO_REUSEADDR,
                true,
                ChannelOption.SO_LINGER,
                5,
                ChannelOption.IP_TOS,
                8,
                ChannelOption.TCP_NODELAY,
                false,
                ChannelOption.ALLOW_HALF_CLOSURE,
                true,
                ChannelOption.SO_RCVBUF,
                1 << 19,
                ChannelOption.SO_SNDBUF,
                1 << 18,
                RdmaChannelOption.WIRE,
                RdmaWire.NATIVE);
        Map<ChannelOption<?>, Object> ofListeners = Map.of(
                ChannelOption.SO_KEEPALIVE,
                true,
                ChannelOption.SO_REUSEADDR,
                true,
                ChannelOption.SO_BACKLOG,
                7,
                ChannelOption.SO_RCVBUF,
                1 << 19,
                ChannelOption.SO_SNDBUF,
                1 << 18,
                RdmaChannelOption.WIRE,
                RdmaWire.NATIVE);
        assertThat(config.setOptions(ofStreams)).isTrue();
        assertThat(listening.setOptions(ofListeners)).isTrue();
        assertThat(config.getOptions()).containsAllEntriesOf(ofStreams);
        assertThat(listening.getOptions()).containsAllEntriesOf(ofListeners);
        assertThat(new RdmaSocketChannel().config().getOptions()).doesNotContain(entries(ofStreams));
        assertThat(new RdmaServerSocketChannel().config().getOptions()).doesNotContain(entries(ofListeners));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of entries
    private static Map.Entry<ChannelOption<?>, Object>[] entries(Map<ChannelOption<?>, Object> options) {
        return options.entrySet().toArray(new Map.Entry[0]);
    }
}
