// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of ib_send_lat and ib_write_bw of Debian 12 (4.5+0.17), as they were captured between two guests. */
class PerfMessagesTest {
    private static final String VERSION = "362e3036000000000000000000000000";
    private static final String ENTRY = "0000000000000001000000120052b2960000033600000000000055000004e000"
            + "00000000000000000000ffff0a4d00010000000000000001";

    private static final String LONG_ENTRY = "0000000000000001000000120052b2960000033600000000000055000004e000"
            + "000055000005f000" + "00000000000000000000ffff0a4d00010000000000000001";

    /** LID, PSN, SRQ number and index of the GID are not told: nobody reads them where the connection manager connects. */
    private static final String OUR_ENTRY = "0000000000000001000000120000000000000336000000000000 55000004e000"
            + "00000000000000000000ffff0a4d00010000000000000000";

    private static final String OUR_LONG_ENTRY = "0000000000000001000000120000000000000336000000000000 55000004e000"
            + "0000000000000000" + "00000000000000000000ffff0a4d00010000000000000000";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    @Test
    void saysTheVersionOfDebian() throws Exception {
        assertThat(Handshake.versionMessage().array()).isEqualTo(bytes(VERSION));
        Handshake.requireVersion(bytes(VERSION));
    }

    @Test
    void readsTheEntryOfC() {
        PeerEntry entry = PeerEntry.decode(ByteBuffer.wrap(bytes(ENTRY)));

        assertThat(entry).isEqualTo(new PeerEntry(1, 0x12, 0x336, 0x5500_0004_e000L, new Gid(0, 0xffff_0a4d_0001L)));
        assertThat(entry.encode(56).array()).isEqualTo(bytes(OUR_ENTRY));
        assertThat(entry)
                .hasToString(
                        "QPN 0x000012 RKey 0x00000336 VAddr 0x000055000004e000 GID 0000:0000:0000:0000:0000:ffff:0a4d:0001");
    }

    @Test
    void meetsWithZerosBeforeThereIsAQueuePair() {
        assertThat(PeerEntry.NONE.encode(56).array()).isEqualTo(new byte[56]);
        assertThat(PeerEntry.NONE.encode(64).array()).isEqualTo(new byte[64]);
    }

    /** The entry of C with a further address before the GID. */
    @Test
    void readsTheLongerEntryOfNewerVersions() {
        PeerEntry entry = PeerEntry.decode(ByteBuffer.wrap(bytes(LONG_ENTRY)));

        assertThat(entry).isEqualTo(new PeerEntry(1, 0x12, 0x336, 0x5500_0004_e000L, new Gid(0, 0xffff_0a4d_0001L)));
        assertThat(entry.encode(64).array()).isEqualTo(bytes(OUR_LONG_ENTRY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.70", "6.06", "26.417"})
    void takesVersionsThatPerftestTakes(String version) throws Exception {
        Handshake.requireVersion(message(version));
    }

    @Test
    void refusesAVersionThatPerftestRefuses() {
        assertThatThrownBy(() -> Handshake.requireVersion(message("5.69")))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("version 5.69")
                .hasMessageContaining("at least 5.70");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "6", "6.06x", "6.06666666666666", "\u00ff\u00ff"})
    void refusesWhatIsNoVersion(String text) {
        assertThatThrownBy(() -> Handshake.requireVersion(message(text)))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("does not speak the protocol of perftest");
    }

    @Test
    void refusesAVersionWithoutAnEnd() {
        assertThatThrownBy(() -> Handshake.requireVersion("6.06666666666666".getBytes(StandardCharsets.US_ASCII)))
                .hasMessageContaining("does not speak the protocol of perftest");
    }

    private static byte[] message(String version) {
        return ByteBuffer.allocate(16)
                .put(version.getBytes(StandardCharsets.ISO_8859_1))
                .array();
    }
}
