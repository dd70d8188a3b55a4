// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers of datagrams and of introductions, byte for byte as rsocket.c has them. */
class HeadersTest {
    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @ParameterizedTest
    @CsvSource({
        "10.77.0.2, 7174, 04 08 1c06 0a4d0002",
        "fd77::2, 65535, 06 18 ffff 00000000 fd770000000000000000000000000002"
    })
    void aDatagramNamesItsSender(String host, int port, String header) throws Exception {
        InetSocketAddress sender = new InetSocketAddress(InetAddress.getByName(host), port);
        ByteBuffer datagram = bytes("ff" + header + "01");
        assertThat(ByteBuffer.wrap(DatagramHeader.of(sender))).isEqualTo(bytes(header));
        int length = DatagramHeader.length(datagram, 1, datagram.limit());
        assertThat(length).isEqualTo(datagram.limit() - 2);
        assertThat(DatagramHeader.sender(datagram, 1, length)).isEqualTo(sender);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "04081c060a4d00",
                "04181c060a4d0002",
                "05081c060a4d0002",
                "06081c060a4d0002",
                "0618ffff00000000fd7700000000000000000000000000"
            })
    void otherBytesAreNoHeader(String datagram) {
        ByteBuffer in = bytes(datagram);
        assertThat(DatagramHeader.length(in, 0, in.limit())).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "10.77.0.1, true, 55555555 04 00 10 00 00123456 0a4d0001",
        "10.77.0.1, false, 55555555 04 07 10 00 00123456 0a4d0001",
        "fd77::1, true, 55555555 06 00 1c 00 00123456 fd770000000000000000000000000001"
    })
    void anIntroductionNamesAQueuePair(String host, boolean carriesDatagram, String header) throws Exception {
        InetAddress sender = InetAddress.getByName(host);
        ByteBuffer out = ByteBuffer.allocate(100);
        Introduction.put(out, sender, 0xff12_3456, carriesDatagram);
        assertThat(out.flip()).isEqualTo(bytes(header));
        assertThat(Introduction.of(out, sender)).contains(new Introduction(carriesDatagram, 0x12_3456, out.limit()));
    }

    @Test
    void anIntroductionIsOfTheFamilyOfItsSender() throws Exception {
        ByteBuffer message = bytes("555555550400100000123456 0a4d0001");
        assertThat(Introduction.of(message, InetAddress.getByName("fd77::1"))).isEmpty();
        assertThat(Introduction.of(message.limit(15), InetAddress.getByName("10.77.0.1")))
                .isEmpty();
    }
}
